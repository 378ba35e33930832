import UnisonoRuntime

/// What can be seen from here of the way in from outside, and what a hub says that tried it.
struct RouterView {
  enum Answer: Equatable {
    /// The program that asks is not here.
    case notAsked
    /// No router answered, and how each way failed.
    case silent(String)
    case address(way: String, String)
  }

  /// Numeric addresses of this machine, loopback left out.
  var own: [String]
  var answer: Answer
  /// nil: no hub was asked to reach this machine.
  var trial: OutsideTrial?

  private func reach(_ address: String) -> AddressReach {
    AddressReach(of: PeerAddress(host: address, port: 1_024).description)
  }

  private var publicOnes: (four: [String], six: [String]) {
    let found = own.filter { reach($0) == .anywhere }
    return (found.filter { !$0.contains(":") }, found.filter { $0.contains(":") })
  }

  var findings: [Finding] { [nat, outside] }

  private var nat: Finding {
    let (four, _) = publicOnes
    var figures = [Finding.Figure(name: "own", value: JSONText.list(own.map(JSONText.quoted)))]
    guard !own.isEmpty else {
      return Finding(
        subject: .nat, verdict: .bad, fact: "this machine has no address but its own",
        advice: "connect it to a network",
        figures: figures)
    }
    if let address = four.first {
      return Finding(
        subject: .nat, verdict: .good, fact: "none: \(address) is public, and this machine's own", figures: figures)
    }
    switch answer {
    case .notAsked:
      return Finding(
        subject: .nat, verdict: .unknown, fact: "the router was not asked", advice: RouterRequest.missing,
        figures: figures)
    case .silent(let why):
      return Finding(
        subject: .nat, verdict: .unknown, fact: "no router says what it does (\(why))",
        advice:
          "turn on NAT-PMP, PCP or UPnP in the router, or forward a port by hand; else a hub of yours: docs/internet.md",
        figures: figures)
    case .address(let way, let address):
      figures += [
        .init(name: "way", value: JSONText.quoted(way)), .init(name: "router", value: JSONText.quoted(address)),
      ]
      guard reach(address) == .anywhere else {
        return Finding(
          subject: .nat, verdict: .doubtful,
          fact:
            "at least two routers, one behind the other: the first one's own address, \(address), is private (\(way))",
          advice: "no port of the first lets anybody in from outside: take a hub of yours, docs/internet.md",
          figures: figures)
      }
      return Finding(
        subject: .nat, verdict: .good,
        fact: "one router, whose own address, \(address), is public; it gives ports (\(way))",
        figures: figures)
    }
  }

  private var outside: Finding {
    if let tried = trial?.finding(advice: Self.elsewhere) { return tried }
    let (four, six) = publicOnes
    let shown = (four + six).joined(separator: ", ")
    var finding = Finding(subject: .outside, verdict: .unknown, fact: untried)
    switch answer {
    case _ where !shown.isEmpty:
      finding.fact += "; its own addresses \(shown) are public, a firewall may still let nobody in"
      finding.advice = "host with `unisono watch`, and have a friend elsewhere join"
    case .address(_, let address) where reach(address) == .anywhere:
      finding.advice =
        "host with `unisono watch --internet`, which asks the router for a port, and have a friend elsewhere join"
    default: finding.advice = "no address of this machine leads here from elsewhere: \(Self.elsewhere)"
    }
    return finding
  }

  private static let elsewhere = "host with --hub and a hub of yours, docs/internet.md"

  private var untried: String {
    switch trial?.outcome {
    case .busy: "not tried: the hub has too much to do, or was asked a moment ago"
    case .declined: "not tried: the hub tries nobody back"
    case nil where trial != nil: "not tried: the hub does not know how, it is older than this"
    default: "not tried: no hub outside was asked to reach this machine"
    }
  }
}
