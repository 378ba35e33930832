import UnisonoBase
import UnisonoReplica

/// A client's way from a hub that said it is about to end (NEXT, wire 3.9) to the next, while the link to it is still up.
///
/// Phases: none; under way, from `begin` to `end`, which comes with entry elsewhere or with the loss of the link. One after another
/// of the hubs that the client knows is tried, in the order that everybody shares, so that all meet at the first that lives; those that
/// the hub named come first. It names none that the client does not know: no hub leads anybody to another address.
struct HubHandover {
  /// A hub is heard no more often: whatever it says, it costs the others no more attempts.
  static let pace = Nanoseconds.seconds(1)

  private var left: ArraySlice<HubCandidate> = []
  private var heard: HostTime = .min

  /// The hub of this entry is about to end, and named these, best first; false: it said so a moment ago.
  mutating func begin(at entry: RoomEntry, candidates: [HubCandidate], named: [HubAddress], now: HostTime) -> Bool {
    guard now.subtracting(heard) >= Self.pace else { return false }
    heard = now
    let elsewhere = candidates.filter { !$0.address.isHub(of: entry) }
    var first: [HubCandidate] = []
    for hub in named { first += elsewhere.filter { Self.isNamed($0, by: hub) && !first.contains($0) } }
    // Behind one address of a set there may be several hubs: it may lead to another one by now.
    let again = candidates.filter { $0.isOfSet && $0.address.hub == entry.pinned && $0.address.address == entry.address }
    left = (first + elsewhere.filter { !first.contains($0) } + again)[...]
    return true
  }

  /// A hub names others by their own ids; of one that is known by its set's the address tells.
  private static func isNamed(_ candidate: HubCandidate, by hub: HubAddress) -> Bool {
    candidate.address.hub == hub.hub || candidate.isOfSet && candidate.address.address == hub.address
  }

  /// The next hub to try; nil: there is none.
  mutating func next() -> HubCandidate? { left.popFirst() }

  /// Elsewhere by now, or without a link.
  mutating func end() { left = [] }
}
