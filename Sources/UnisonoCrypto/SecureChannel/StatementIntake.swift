import UnisonoBase
import UnisonoReplica

/// Statements on their way in: those whose author was not introduced yet, and parts of a list that is not whole.
struct StatementIntake: Sendable {
  private var pending = PendingStatements()
  private var snapshot = SnapshotAssembly()
  private var have = HaveAssembly()

  /// False: no room.
  mutating func wait(_ statement: Statement, relay: ParticipantID, now: HostTime) -> Bool {
    pending.store(statement, relay: relay, now: now)
  }

  /// Those of an author who is introduced now.
  mutating func removeAll(by author: ParticipantID) -> [(statement: Statement, relay: ParticipantID)] { pending.removeAll(by: author) }

  /// All statements of a snapshot once its last part came.
  mutating func add(_ statements: [Statement], number: UInt16, of count: UInt16, from sender: ParticipantID, now: HostTime)
    -> [Statement]?
  {
    snapshot.add(statements, number: number, of: count, from: sender, now: now)
  }

  /// The whole list of what a member has once its last part came.
  mutating func add(_ entries: [HaveEntry], part: UInt8, of count: UInt8, from sender: ParticipantID, now: HostTime) -> [HaveEntry]? {
    have.add(entries, part: part, of: count, from: sender, now: now)
  }

  /// Of what came so far.
  var authors: Set<ParticipantID> { snapshot.authors }

  /// Another room: parts of lists do not go on there.
  mutating func relocate() {
    snapshot = SnapshotAssembly()
    have = HaveAssembly()
  }
}
