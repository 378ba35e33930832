/// What a visit to a hub showed: whether it was entered, on which ways its time came, and how well the clock is known.
struct HubVisit {
  /// After so long the bound was this, both ns.
  struct Bound: Equatable {
    var after: Int64
    var error: Int64
  }

  /// "host:port".
  var address: String
  /// Why it was not entered; nil: it was, or nothing came of it.
  var refusal: String?
  var isEntered = false
  /// 0: the hub takes no UDP.
  var datagramPort: UInt16 = 0
  var datagramsAsked = 0
  var datagramsAnswered = 0
  /// Shortest, ns.
  var roundTrip: Int64?
  var bounds: [Bound] = []
  /// What came of its trying to reach this machine; nil: it was not entered.
  var trial: OutsideTrial?

  /// Two rooms whose sound is apart by less are not heard to be apart.
  private static let fine: Int64 = 20_000_000
  /// From here on people see who is ahead.
  private static let bearable: Int64 = 80_000_000

  /// `visit` nil: no hub was given.
  static func findings(_ visit: HubVisit?) -> [Finding] {
    guard let visit else {
      let advice = "give the line of a hub: --hub unisono-hub://..., as `unisono hub` prints it"
      return [
        Finding(subject: .hub, verdict: .unknown, fact: "not tested: no hub was given", advice: advice),
        Finding(subject: .udp, verdict: .unknown, fact: "not tested: it takes a hub that answers"),
        Finding(subject: .clock, verdict: .unknown, fact: "not measured: it takes a hub that tells the time"),
      ]
    }
    return [visit.entry, visit.datagrams, visit.clock]
  }

  private var entry: Finding {
    guard isEntered else {
      return Finding(
        subject: .hub, verdict: .bad, fact: "\(address) was not entered: \(refusal ?? "it did not answer in time")",
        advice:
          "see whether it runs and listens there (TCP), whether its line is this one, and whether it needs a token")
    }
    let time = roundTrip.map { ", round trip \(Finding.duration($0))" } ?? ""
    return Finding(
      subject: .hub, verdict: .good, fact: "\(address) was entered\(time)",
      figures: [.init(name: "round_trip", value: JSONText.seconds(roundTrip) ?? "null")])
  }

  private var datagrams: Finding {
    let figures = [
      Finding.Figure(name: "asked", value: String(datagramsAsked)),
      .init(name: "answered", value: String(datagramsAnswered)),
    ]
    guard isEntered else {
      return Finding(subject: .udp, verdict: .unknown, fact: "not tested: the hub was not entered")
    }
    guard datagramPort != 0 else {
      return Finding(
        subject: .udp, verdict: .doubtful, fact: "the hub at \(address) takes no UDP: clocks agree a little less well",
        advice: "the hub's UDP port of the same number is in use there, or this machine opens no UDP: look at both",
        figures: figures)
    }
    guard datagramsAnswered > 0 else {
      return Finding(
        subject: .udp, verdict: datagramsAsked > 0 ? .bad : .unknown,
        fact: "none of \(datagramsAsked) questions by UDP to port \(datagramPort) was answered, while TCP works",
        advice: """
          let UDP out to port \(datagramPort) in the firewall here, and in at the hub's; until then the time comes by TCP, and clocks \
          agree a little less well
          """, figures: figures)
    }
    let isLossy = datagramsAnswered * 10 < datagramsAsked * 9
    return Finding(
      subject: .udp, verdict: isLossy ? .doubtful : .good,
      fact: "\(datagramsAnswered) of \(datagramsAsked) questions to port \(datagramPort) of the hub were answered",
      advice: isLossy
        ? "datagrams are lost on the way: a cable instead of radio, or less traffic beside it, mends it" : nil,
      figures: figures)
  }

  private var clock: Finding {
    guard let last = bounds.last else {
      return Finding(subject: .clock, verdict: .unknown, fact: "not measured: the hub told no time")
    }
    let earlier = Self.history(bounds).dropLast().map {
      "\(Finding.duration($0.error)) after \(Self.seconds($0.after))"
    }
    var finding = Finding(
      subject: .clock, verdict: last.error <= Self.fine ? .good : last.error <= Self.bearable ? .doubtful : .bad,
      fact: "known to be within \(Finding.duration(last.error)) of the hub's after \(Self.seconds(last.after))")
    if !earlier.isEmpty { finding.fact += "; it was \(earlier.joined(separator: ", "))" }
    if finding.verdict != .good {
      finding.advice =
        "the way to the hub is long or uneven: a hub nearer to all, a cable instead of radio, or UDP mends it"
    }
    finding.figures = [
      .init(name: "error", value: JSONText.seconds(last.error) ?? "null"),
      .init(
        name: "history",
        value: JSONText.list(
          bounds.map {
            JSONText.object([("after", JSONText.seconds($0.after)), ("error", JSONText.seconds($0.error))])
          })),
    ]
    return finding
  }

  /// The first, what it was after half a second, one, two, and the last.
  static func history(_ bounds: [Bound]) -> [Bound] {
    var shown: [Bound] = []
    for due in [0, 500_000_000, 1_000_000_000, 2_000_000_000] {
      if let found = bounds.first(where: { $0.after >= due }), shown.last != found { shown.append(found) }
    }
    if let last = bounds.last, shown.last != last { shown.append(last) }
    return shown
  }

  private static func seconds(_ time: Int64) -> String { "\((Double(time) / 1e8).rounded() / 10) s" }
}
