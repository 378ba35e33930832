import UnisonoBase
import UnisonoReplica

/// What a hub says of its clock to one participant, beyond what that shows.
struct HubLie {
  var shift: Nanoseconds = 0
  /// Growth of it, parts per million of true time since `since`.
  var drift: Double = 0
  var since: Nanoseconds = 0

  func amount(at time: Nanoseconds) -> Nanoseconds { shift + (time - since).scaled(by: drift / 1_000_000) }
}

/// The hub's books: who is in, under which connection, and which connections still carry anything.
struct Hub {
  struct Entry {
    var connection: UInt64
    var since: Nanoseconds
  }

  /// Another one after each start of its process.
  private(set) var clock: ClockID
  /// Its clock at true time 0.
  private(set) var base: HubTime
  /// How much faster than true time it runs, parts per million.
  var drift: Double = 0
  /// It answers whoever can reach it.
  private(set) var isUp = true
  private(set) var members: [ParticipantID: Entry] = [:]
  private var alive: Set<UInt64> = []
  private var connections: UInt64 = 0

  init(clock: ClockID, base: HubTime) {
    self.clock = clock
    self.base = base
  }

  func time(at time: Nanoseconds) -> HubTime { base + time + time.scaled(by: drift / 1_000_000) }

  /// The newest connection counts from now on; one of before is not closed by this, as the hub has not noticed its end.
  mutating func enter(_ id: ParticipantID, at now: Nanoseconds) -> UInt64 {
    connections += 1
    alive.insert(connections)
    members[id] = Entry(connection: connections, since: now)
    return connections
  }

  /// The connection carries nothing any more; nobody knows yet.
  mutating func cut(_ connection: UInt64) { alive.remove(connection) }

  /// The hub learns that a connection is over.
  mutating func forget(_ id: ParticipantID, connection: UInt64) {
    alive.remove(connection)
    if members[id]?.connection == connection { members[id] = nil }
  }

  /// Its process ends: nothing is carried, nobody is remembered.
  mutating func die() {
    isUp = false
    alive = []
    members = [:]
  }

  /// Its process begins anew, with a clock of its own.
  mutating func start(clock: ClockID, base: HubTime) {
    isUp = true
    self.clock = clock
    self.base = base
  }

  func carries(_ connection: UInt64) -> Bool { alive.contains(connection) }

  /// Everybody but `id`, oldest first.
  func others(than id: ParticipantID, at now: Nanoseconds) -> [Member] {
    members.filter { $0.key != id }.sorted { $0.value.connection < $1.value.connection }.map {
      Member(id: $0.key, connection: $0.value.connection, age: UInt32((now - $0.value.since) / .milliseconds(1)))
    }
  }
}
