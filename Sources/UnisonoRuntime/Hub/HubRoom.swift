import UnisonoBase
import UnisonoReplica

/// One room: who is in it, and how fast it may be sent to. Knows nothing of sockets.
struct HubRoom: Sendable {
  /// Somebody in the room, through one connection.
  struct Member: Equatable, Sendable {
    let id: ParticipantID
    let connection: UInt64
    /// Bytes that the others were sent for this one, halved every second.
    fileprivate(set) var share: Double = 0
  }

  /// Ascending by id.
  private(set) var members: [Member] = []
  private var egress: TokenBucket
  private var halved: HostTime

  init(bytesPerSecond: Int, now: HostTime) {
    egress = TokenBucket(rate: Double(bytesPerSecond), burst: Double(bytesPerSecond), now: now)
    halved = now
  }

  func connection(of id: ParticipantID) -> UInt64? { index(of: id).map { members[$0].connection } }

  /// Lets `id` in through `connection`, its newest; returns the older connection that it replaces.
  mutating func enter(_ id: ParticipantID, connection: UInt64) -> UInt64? {
    let member = Member(id: id, connection: connection)
    if let index = index(of: id) {
      let replaced = members[index].connection
      members[index] = member
      return replaced
    }
    members.insert(member, at: members.firstIndex { $0.id > id } ?? members.count)
    return nil
  }

  /// True when `connection` was the one through which `id` was here.
  mutating func leave(_ id: ParticipantID, connection: UInt64) -> Bool {
    guard let index = index(of: id), members[index].connection == connection else { return false }
    members.remove(at: index)
    return true
  }

  /// `bytes` went out to the others for `id`.
  mutating func sent(_ bytes: Int, for id: ParticipantID, now: HostTime) {
    egress.charge(Double(bytes), now: now)
    let seconds = now.subtracting(halved) / .seconds(1)
    if seconds > 0 {
      let factor = seconds > 40 ? 0 : 1 / Double(1 << seconds)
      for index in members.indices { members[index].share *= factor }
      halved = halved.adding(.seconds(seconds))
    }
    if let index = index(of: id) { members[index].share += Double(bytes) }
  }

  /// Until when `id` has to hold back so that the room is not sent more than it may; nil: it need not.
  ///
  /// The largest senders are slowed first: whoever has at least half of what the largest has. When that is not enough
  /// and the room is a whole second behind, everybody is.
  mutating func mustRest(_ id: ParticipantID, now: HostTime) -> HostTime? {
    guard egress.isEmpty(now: now), contains(id) else { return nil }
    guard sendsMost(id) || egress.isEmpty(-egress.burst, now: now) else { return nil }
    return egress.time(now: now)
  }

  /// Whether others were sent most for `id`, or half of that at least.
  func sendsMost(_ id: ParticipantID) -> Bool {
    guard let index = index(of: id) else { return false }
    return members[index].share * 2 >= members.reduce(0) { max($0, $1.share) }
  }

  private func contains(_ id: ParticipantID) -> Bool { index(of: id) != nil }

  private func index(of id: ParticipantID) -> Int? {
    var low = 0
    var high = members.count
    while low < high {
      let middle = (low + high) / 2
      if members[middle].id < id { low = middle + 1 } else { high = middle }
    }
    return low < members.count && members[low].id == id ? low : nil
  }
}
