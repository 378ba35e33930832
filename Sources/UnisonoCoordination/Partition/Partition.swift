import UnisonoBase
import UnisonoReplica

/// What is done while the others may go on without us, until it is reconciled (coordination 2.10).
struct Partition: Sendable {
  /// Updates of Transport that came during the reconciliation.
  struct DeferredUpdate: Sendable {
    var statements: [Statement]
    var sender: ParticipantID
  }

  private var since: GroupTime?
  /// Transport as it was when we became apart.
  private(set) var copy: [RegisterKey: Statement] = [:]
  /// Who had been there before: however long it takes to meet them again, they are no newcomers.
  private(set) var others: Set<ParticipantID> = []
  /// Of a named coordinator: whom the session has lost. They may have one of its name meanwhile, and are no newcomers there either.
  private var elsewhere: Set<ParticipantID> = []
  /// Of these, who is with the session again: host time from which on it counts as one that had none if it opens one of its name.
  private var namedBy: [ParticipantID: HostTime] = [:]
  /// Registers of Transport written since; nobody else ever received these statements.
  private(set) var written: Set<RegisterKey> = []
  /// Others are here again: what counts is decided by then.
  private(set) var reconcileUntil: HostTime?
  private(set) var deferredUpdates: [DeferredUpdate] = []
  /// What these take, of each sender.
  private var deferredBytes: [ParticipantID: Int] = [:]
  /// Of one who goes on from another day: group time of then.
  private var resumedAt: GroupTime?

  /// Of one sender, and of all; more than the cells of all items that are kept.
  private static let senderBytes = 1_048_576
  private static let bytes = 4_194_304

  var isApart: Bool { since != nil }
  var isReconciling: Bool { reconcileUntil != nil }

  // MARK: Inputs

  mutating func begin(_ facts: borrowing Facts) {
    since = facts.groupNow
    copy = facts.registers.statements.filter { $0.key.isReconciled }
    others = Set(facts.presence.entries.filter { !$0.value.left }.keys)
    written = []
  }

  /// Goes on from another day, from `time` on, when these others were in the group. Nothing later is known than the newest command: since
  /// then each of those who go on is apart.
  mutating func resume(from time: GroupTime, others: Set<ParticipantID>, _ facts: borrowing Facts) {
    copy = facts.registers.statements.filter { $0.key.isReconciled }
    let known = min(time, copy.values.map { $0.time }.max() ?? time)
    since = known
    resumedAt = time
    self.others = others
    written = []
  }

  /// Since when one is apart, group time; nil: one is not.
  var apartSince: GroupTime? { since }

  mutating func end() { self = Partition() }

  /// A named coordinator is told whom the session has lost. Who is with it again soon says whether it has one of this name.
  mutating func follow(lost: Set<ParticipantID>, now: HostTime) {
    for id in elsewhere where namedBy[id] == nil && !lost.contains(id) { namedBy[id] = now.adding(Parameters.naming) }
    for id in lost { namedBy[id] = nil }
    elsewhere.formUnion(lost)
  }

  /// Host time at which somebody who was elsewhere counts as one that had none of this name; nil: nobody does.
  var newcomersFrom: HostTime? { namedBy.values.min() }

  mutating func forgetWhoNamedNone(now: HostTime) {
    for (id, time) in namedBy where time <= now {
      elsewhere.remove(id)
      namedBy[id] = nil
    }
  }

  mutating func recordWrite(of key: RegisterKey) { written.insert(key) }

  /// Others are there: what they say of themselves comes first, commands afterwards.
  mutating func beginReconciliation(now: HostTime) { reconcileUntil = now.adding(Parameters.meeting) }

  /// What was done apart is judged before the group's commands come in. What is too much comes once more by comparing digests.
  mutating func deferUpdate(_ statements: [Statement], from sender: ParticipantID) {
    let size = (deferredBytes[sender] ?? 0) + statements.reduce(0) { $0 + $1.footprint }
    let others = deferredBytes.reduce(0) { $0 + ($1.key == sender ? 0 : $1.value) }
    guard size <= Self.senderBytes, others + size <= Self.bytes else { return }
    deferredBytes[sender] = size
    deferredUpdates.append(DeferredUpdate(statements: statements, sender: sender))
  }

  /// A reconciliation that is interrupted has decided nothing.
  mutating func abandonReconciliation() {
    reconcileUntil = nil
    deferredUpdates = []
    deferredBytes = [:]
  }

  // MARK: Who was apart

  /// Met again rather than new: it is known, or was there when we became apart.
  func isReturning(_ id: ParticipantID, _ facts: borrowing Facts) -> Bool {
    facts.registers.participant(id) != nil || others.contains(id) || elsewhere.contains(id)
  }

  /// Nobody was there before, however long ago, but who left.
  func wereAllGone(_ facts: borrowing Facts) -> Bool {
    guard elsewhere.isEmpty else { return false }
    let others = others.union(facts.presence.entries.keys)
    return others.allSatisfy { facts.presence.entries[$0]?.left ?? false }
  }

  /// Whether every other participant known was apart then. Who was there before and said nothing yet was not; who came since
  /// has nothing to lose.
  private func wereAllIsolated(at time: GroupTime, _ facts: borrowing Facts) -> Bool {
    let others = others.union(facts.presence.entries.keys).filter { facts.presence.entries[$0]?.left != true }
    return others.allSatisfy { id in
      guard let value = facts.registers.participant(id) else {
        // Of those of another day only who is here can have gone on without this one.
        return resumedAt == nil ? !self.others.contains(id) && !elsewhere.contains(id) : !facts.isPresent(id)
      }
      return value.apart.contains { $0.from <= time && time <= $0.to }
    }
  }

  /// Long away from those who went on: what they have now is all that counts.
  func isOutdated(_ facts: borrowing Facts) -> Bool {
    guard let since, facts.groupNow.subtracting(since) > Parameters.longApart else { return false }
    return !wereAllIsolated(at: facts.groupNow.subtracting(Parameters.longApart), facts)
  }

  /// Whether what was written apart counts, with its stamp: it is young, or was written while everybody was apart.
  func isKept(_ key: RegisterKey, _ facts: borrowing Facts) -> Bool {
    guard let statement = facts.registers[key], statement.author == facts.local else { return false }
    // Where it went on from is no command, however short ago it was.
    let isCommand = resumedAt.map { statement.time > $0.adding(Parameters.keptSoloCommand) } ?? true
    if isCommand, facts.groupNow.subtracting(statement.time) < Parameters.keptSoloCommand { return true }
    return wereAllIsolated(at: statement.time, facts)
  }
}
