import UnisonoRuntime
import UnisonoWire

/// What came of a hub's trying to reach this machine: its own word, and what was seen here.
struct OutsideTrial: Equatable {
  /// As others see it.
  var port: UInt16
  /// nil: the hub said nothing, as one of an older version.
  var outcome: TriedBackFrame.Outcome?
  /// This machine's address as the hub sees it, numeric; nothing where it was not tried.
  var address: String
  var hasStreamCome: Bool
  /// nil: nobody sent one, or could take it.
  var hasDatagramCome: Bool?

  /// "host:port" that was tried.
  var place: String { PeerAddress(host: address, port: port).description }

  /// The hub is in this network, or on this machine: it sees an address that leads here from nowhere else.
  var isFromHere: Bool { AddressReach(of: place) < .anywhere }

  var figures: [Finding.Figure] {
    let came = hasDatagramCome.map { $0 ? "true" : "false" } ?? "null"
    return [
      .init(name: "tried", value: address.isEmpty ? "null" : JSONText.quoted(place)),
      .init(name: "tcp", value: hasStreamCome ? "true" : "false"), .init(name: "udp", value: came),
    ]
  }

  /// `advice`: how to be reached after all. nil: the hub did not try.
  func finding(advice: String) -> Finding? {
    switch outcome {
    case nil, .busy, .declined: return nil
    case .reached where hasStreamCome: return reached
    case .reached:
      return Finding(
        subject: .outside, verdict: .bad,
        fact: "something answers at \(place) from outside, and it is not this machine",
        advice: "two machines behind one router: forward a port to this one, and give it here with --port",
        figures: figures)
    case .refused:
      return Finding(
        subject: .outside, verdict: isFromHere ? .doubtful : .bad,
        fact: "a hub tried \(place) and was turned away: nothing leads from there to this machine", advice: advice, figures: figures)
    case .silent:
      return Finding(
        subject: .outside, verdict: isFromHere ? .doubtful : .bad,
        fact: "a hub tried \(place) and nothing came back: a firewall, or a router that leads nowhere", advice: advice,
        figures: figures)
    }
  }

  private var reached: Finding {
    if isFromHere {
      return Finding(
        subject: .outside, verdict: .unknown,
        fact: "a hub reached \(place), but from within this network: that says nothing of those elsewhere",
        advice: "ask a hub that is elsewhere: --hub", figures: figures)
    }
    if hasDatagramCome == false {
      return Finding(
        subject: .outside, verdict: .doubtful, fact: "a hub reached this machine at \(place) by TCP, and not by UDP",
        advice: "let UDP in to the same port, too: until then clocks agree a little less well", figures: figures)
    }
    let ways = hasDatagramCome == true ? "by TCP and UDP" : "by TCP"
    return Finding(
      subject: .outside, verdict: .good, fact: "a hub reached this machine at \(place), \(ways)", figures: figures)
  }
}
