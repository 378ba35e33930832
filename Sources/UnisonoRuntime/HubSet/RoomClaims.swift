import UnisonoBase
import UnisonoReplica
import UnisonoWire

/// Who is in a room, as its runs say: of every participant the connection with the greatest turn that any of them claims.
///
/// A run claims one connection of a participant at most. What is said of a connection that is not the greatest is seen by nobody.
struct RoomClaims {
  struct Claim: Equatable {
    let run: HubRunID
    let turn: UInt32
    /// Host time at which it entered.
    let since: HostTime
  }

  /// What others in the room see of a change.
  struct Change {
    var gone: Departure?
    var joined: (id: ParticipantID, claim: Claim)?
  }

  private var claims: [ParticipantID: [Claim]] = [:]
  private var counts: [HubRunID: Int] = [:]

  var count: Int { claims.count }
  func contains(_ id: ParticipantID) -> Bool { claims[id] != nil }

  /// The claim that counts.
  func newest(of id: ParticipantID) -> Claim? { claims[id].flatMap(Self.newest) }

  func claim(of id: ParticipantID, by run: HubRunID) -> Claim? { claims[id]?.first { $0.run == run } }

  /// How many a run claims.
  func count(of run: HubRunID) -> Int { counts[run] ?? 0 }

  /// Ascending.
  func ids(of run: HubRunID) -> [ParticipantID] {
    claims.filter { entry in entry.value.contains { $0.run == run } }.keys.sorted()
  }

  /// Ascending by id.
  var members: [(id: ParticipantID, claim: Claim)] {
    claims.compactMap { id, list in Self.newest(list).map { (id, $0) } }.sorted { $0.0 < $1.0 }
  }

  /// A run claims a connection of a participant, in place of the one that it claimed before.
  mutating func set(_ id: ParticipantID, _ claim: Claim) -> Change {
    let before = newest(of: id)
    if self.claim(of: id, by: claim.run) == nil { counts[claim.run, default: 0] += 1 }
    claims[id, default: []].removeAll { $0.run == claim.run }
    claims[id, default: []].append(claim)
    return change(of: id, before, left: false)
  }

  /// A connection is over; nil: the run does not claim it.
  mutating func remove(_ id: ParticipantID, turn: UInt32, by run: HubRunID, left: Bool) -> Change? {
    guard claim(of: id, by: run)?.turn == turn else { return nil }
    let before = newest(of: id)
    claims[id]?.removeAll { $0.run == run }
    if claims[id]?.isEmpty == true { claims[id] = nil }
    counts[run] = count(of: run) > 1 ? count(of: run) - 1 : nil
    return change(of: id, before, left: left)
  }

  private func change(of id: ParticipantID, _ before: Claim?, left: Bool) -> Change {
    let after = newest(of: id)
    guard before?.turn != after?.turn else { return Change() }
    var change = Change()
    if let after { change.joined = (id, after) }
    if let before, after.map({ $0.turn < before.turn }) ?? true {
      change.gone = Departure(id: id, connection: UInt64(before.turn), left: left)
    }
    return change
  }

  private static func newest(_ claims: [Claim]) -> Claim? { claims.max { ($0.turn, $0.run) < ($1.turn, $1.run) } }
}
