import UnisonoBase
import UnisonoReplica

/// Statements on their way in: those whose author was not introduced yet, and parts of a list that is not whole.
struct StatementIntake: Sendable {
  /// Lists that come in parts.
  private struct Lists: Sendable {
    /// Bytes of all snapshots that are not whole.
    private static let bytes = 4_194_304
    /// Entries of all lists of what somebody has: more than any session has, however its items are called. None has more than a kilobyte.
    private static let entries = 8_192

    private var snapshots = PartAssembly<Statement>(most: Lists.bytes)
    private var haves = PartAssembly<HaveEntry>(most: Lists.entries)
    /// Who was asked for a snapshot, and did not begin to give it.
    private var asked: Set<ParticipantID> = []

    /// Of what came so far.
    var authors: Set<ParticipantID> { Set(snapshots.elements.map { $0.author }) }

    /// Somebody is asked for a snapshot.
    mutating func ask(_ id: ParticipantID) { asked.insert(id) }

    mutating func forget(_ id: ParticipantID) {
      asked.remove(id)
      snapshots.forget(id)
      haves.forget(id)
    }

    /// What came in one part is whole, and takes no place; each question gives one place.
    mutating func add(_ statements: [Statement], number: UInt16, of count: UInt16, from sender: ParticipantID, now: HostTime)
      -> [Statement]?
    {
      if number == 0, asked.remove(sender) == nil, count > 1 { return nil }
      let size = statements.reduce(0) { $0 + ($1.signed?.body.count ?? 0) }
      return snapshots.add(statements, size: size, number: Int(number), of: Int(count), from: sender, now: now)
    }

    mutating func add(_ entries: [HaveEntry], part: UInt8, of count: UInt8, from sender: ParticipantID, now: HostTime) -> [HaveEntry]? {
      haves.add(entries, size: entries.count, number: Int(part), of: Int(count), from: sender, now: now)
    }
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

  /// Somebody is asked for a snapshot: parts of nobody else's are kept.
  mutating func ask(_ id: ParticipantID, of coordinator: CoordinatorName?) {
    guard let coordinator else { return lists.ask(id) }
    named[coordinator]?.ask(id)
  }

  /// One is gone, and what it began to say is not gone on with.
  mutating func forget(_ id: ParticipantID) {
    lists.forget(id)
    for name in named.keys { named[name]?.forget(id) }
  }

  /// All statements of a snapshot once its last part came.
  mutating func add(
    _ statements: [Statement], of coordinator: CoordinatorName?, number: UInt16, of count: UInt16, from sender: ParticipantID,
    now: HostTime
  ) -> [Statement]? {
    guard let coordinator else { return lists.add(statements, number: number, of: count, from: sender, now: now) }
    return named[coordinator]?.add(statements, number: number, of: count, from: sender, now: now)
  }

  /// The whole list of what a member has once its last part came.
  mutating func add(
    _ entries: [HaveEntry], of coordinator: CoordinatorName?, part: UInt8, of count: UInt8, from sender: ParticipantID, now: HostTime
  ) -> [HaveEntry]? {
    guard let coordinator else { return lists.add(entries, part: part, of: count, from: sender, now: now) }
    return named[coordinator]?.add(entries, part: part, of: count, from: sender, now: now)
  }

  /// Of what came so far.
  var authors: Set<ParticipantID> {
    named.values.reduce(into: lists.authors) { $0.formUnion($1.authors) }
  }

  /// Another link, or another room: parts of lists do not go on there.
  mutating func restart() {
    lists = Lists()
    for name in named.keys { named[name] = Lists() }
  }
}
