import UnisonoBase
import UnisonoReplica

/// Statements on their way in: those whose author was not introduced yet, and parts of a list that is not whole.
struct StatementIntake: Sendable {
  /// Lists that come in parts.
  private struct Lists: Sendable {
    var snapshot = SnapshotAssembly()
    var have = HaveAssembly()
  }

  private var pending = PendingStatements()
  private var lists = Lists()
  /// The same of each coordinator beside the session's first one that is open here.
  private var named: [CoordinatorName: Lists] = [:]

  /// Names of the coordinators beside the first one that are open here: what is said of others is not read.
  var coordinators: Set<CoordinatorName> {
    get { Set(named.keys) }
    set {
      named = named.filter { newValue.contains($0.key) }
      for name in newValue where named[name] == nil { named[name] = Lists() }
    }
  }

  /// False: no room.
  mutating func wait(_ said: PendingStatements.Pending, now: HostTime) -> Bool { pending.store(said, now: now) }

  /// Those of an author who is introduced now.
  mutating func removeAll(by author: ParticipantID) -> [PendingStatements.Pending] { pending.removeAll(by: author) }

  /// All statements of a snapshot once its last part came.
  mutating func add(
    _ statements: [Statement], of coordinator: CoordinatorName?, number: UInt16, of count: UInt16, from sender: ParticipantID,
    now: HostTime
  ) -> [Statement]? {
    guard let coordinator else { return lists.snapshot.add(statements, number: number, of: count, from: sender, now: now) }
    return named[coordinator]?.snapshot.add(statements, number: number, of: count, from: sender, now: now)
  }

  /// The whole list of what a member has once its last part came.
  mutating func add(
    _ entries: [HaveEntry], of coordinator: CoordinatorName?, part: UInt8, of count: UInt8, from sender: ParticipantID, now: HostTime
  ) -> [HaveEntry]? {
    guard let coordinator else { return lists.have.add(entries, part: part, of: count, from: sender, now: now) }
    return named[coordinator]?.have.add(entries, part: part, of: count, from: sender, now: now)
  }

  /// Of what came so far.
  var authors: Set<ParticipantID> {
    named.values.reduce(into: lists.snapshot.authors) { $0.formUnion($1.snapshot.authors) }
  }

  /// Another room: parts of lists do not go on there.
  mutating func relocate() {
    lists = Lists()
    for name in named.keys { named[name] = Lists() }
  }
}
