import UnisonoBase
import UnisonoReplica

/// Own statements on their way to the others: of each register the newest, and no more than everybody can check.
///
/// The others check so many signatures of one sender a second and drop the rest (400, in `SenderState`). What a busy host does
/// hundreds of times a second therefore goes out as its newest state, some twenty times a second; the first few messages
/// after a quiet time go at once.
struct Outbox: Sendable {
  /// Messages that may go at once after a quiet time, and the least pause between two in the long run.
  static let burst = 16
  static let pause: Nanoseconds = .milliseconds(50)
  /// In a large group everybody's pause is longer, so that all together are no more than one can check.
  static let pausePerParticipant: Nanoseconds = .milliseconds(1)
  static let longestPause: Nanoseconds = .milliseconds(256)
  /// Statements that may go at once, and in a second in the long run.
  static let statementBurst = 512
  static let statementsPerSecond = 128

  private struct Entry: Sendable {
    var statement: Statement
    var order: UInt64
  }

  /// What goes in one message, or right behind one another.
  struct Load: Equatable, Sendable {
    /// The policy in force, with all its levels, before what may cite it.
    var policy = false
    var statements: [Statement] = []
  }

  private var entries: [RegisterKey: Entry] = [:]
  private var hasPolicy = false
  private var count: UInt64 = 0
  /// When messages, and statements, are at their bursts again; each that goes moves it on.
  private var messagesFree: HostTime = .min
  private var statementsFree: HostTime = .min
  /// When what is left may go; nil: nothing is left, or it may at once.
  private(set) var wake: HostTime?

  var isEmpty: Bool { entries.isEmpty && !hasPolicy }

  mutating func put(_ statement: Statement) {
    count &+= 1
    entries[statement.key] = Entry(statement: statement, order: count)
  }

  /// The own change of the policy: whatever is in force when it goes.
  mutating func putPolicy() { hasPolicy = true }

  mutating func drop() {
    entries = [:]
    hasPolicy = false
    wake = nil
  }

  /// What may go now, in the order in which it was written: first what `isFirst` names, then the oldest. What belongs to one
  /// item stays together. `stands` false: it is in no register any more, and nobody need hear of it.
  mutating func drain(
    now: HostTime, group: Int, isFirst: (RegisterKey) -> Bool, stands: (Statement) -> Bool
  ) -> Load {
    wake = nil
    entries = entries.filter { stands($0.value.statement) }
    guard !isEmpty else { return Load() }
    let pause = min(max(Self.pause, Self.pausePerParticipant * Int64(clamping: group)), Self.longestPause)
    let ready = messagesFree.subtracting(pause * Int64(Self.burst - 1))
    guard now >= ready else {
      wake = ready
      return Load()
    }
    let step = Nanoseconds.seconds(1) / Int64(Self.statementsPerSecond)
    let spent = max(0, statementsFree.subtracting(now)).adding(step - 1) / step
    let room = max(0, Self.statementBurst - Int(clamping: spent))
    let load = Load(policy: hasPolicy, statements: choose(atMost: room, isFirst: isFirst))
    messagesFree = max(now, messagesFree).adding(pause)
    statementsFree = max(now, statementsFree).adding(step * Int64(load.statements.count))
    for statement in load.statements { entries[statement.key] = nil }
    hasPolicy = false
    if !entries.isEmpty { wake = max(now.adding(pause), messagesFree.subtracting(pause * Int64(Self.burst - 1))) }
    return load
  }

  /// Everything, whatever it costs: there is no later turn.
  mutating func drainAll() -> Load {
    defer { drop() }
    return Load(policy: hasPolicy, statements: entries.values.sorted { $0.order < $1.order }.map { $0.statement })
  }

  private func choose(atMost room: Int, isFirst: (RegisterKey) -> Bool) -> [Statement] {
    guard entries.count > room else { return entries.values.sorted { $0.order < $1.order }.map({ $0.statement }) }
    var groups: [Group: [Entry]] = [:]
    for (key, entry) in entries { groups[Group(key), default: []].append(entry) }
    let sorted = groups.values.sorted { left, right in
      let (first, second) = (isFirst(left[0].statement.key), isFirst(right[0].statement.key))
      return first != second ? first : (left.map { $0.order }.min() ?? 0) < (right.map { $0.order }.min() ?? 0)
    }
    var chosen: [Entry] = []
    for group in sorted {
      // One group of any size may always go.
      guard chosen.isEmpty || chosen.count + group.count <= room else { break }
      chosen += group
    }
    return chosen.sorted { $0.order < $1.order }.map { $0.statement }
  }

  /// What goes together.
  private enum Group: Hashable {
    case item(ItemID)
    case one(RegisterKey)

    init(_ key: RegisterKey) { self = key.item.map(Group.item) ?? .one(key) }
  }
}
