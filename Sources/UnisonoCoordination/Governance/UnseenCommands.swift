import UnisonoBase
import UnisonoReplica

/// What this participant said just before another policy came, and who confirmed under that had not seen (coordination 2.12).
///
/// Order puts the policy first: it would be lost without a word, though nothing newer was said. Its author says it again under the policy
/// in force, as of the instant at which it did, unless something newer counts by then; who may not command any more is told.
struct UnseenCommands: Sendable {
  private var statements: [Statement] = []
  /// The same of what another had replaced before: no loss to be told of.
  private var outdated: [Statement] = []
  /// One's own that others replaced since, the newest of each register: it counts again where theirs turn out not to.
  private var replaced: [Statement] = []
  /// What continued them.
  private var continuations: [Statement] = []

  /// Others' commands that replaced one's own, of so many registers at once.
  private static let mostReplaced = 16

  /// Another one's statement is about to be merged.
  mutating func look(at statement: Statement, _ facts: borrowing Facts) {
    guard let present = facts.registers[statement.key] else { return }
    let isOwn = Self.isOwn(present, facts)
    if isOwn, statement.author != facts.local {
      Self.put(present, in: &replaced)
      if replaced.count > Self.mostReplaced { replaced.removeFirst() }
    }
    guard !facts.isApart, let own = isOwn ? present : replaced.first(where: { $0.key == statement.key }),
      Self.counts(own, against: statement, facts)
    else { return }
    guard isOwn else { return Self.put(own, in: &outdated) }
    Self.put(own, in: &statements)
    // It may cite an older policy than the other cell by now, and so not count any more.
    guard let item = own.key.item, let continuation = facts.registers[.continuation(item)], continuation.author == facts.local,
      case .continuation(let value) = continuation.value, value.base.commands == facts.registers.cells(of: item)?.pair.commands
    else { return }
    Self.put(continuation, in: &continuations)
  }

  /// The newest of each register, by when it was commanded: what came before it, and others have confirmed since, does not replace it.
  private static func put(_ statement: Statement, in list: inout [Statement]) {
    if let newest = list.first(where: { $0.key == statement.key }), instant(of: statement) < instant(of: newest) { return }
    list.removeAll { $0.key == statement.key }
    list.append(statement)
  }

  /// What is to be said again, once there is somebody to hear it.
  mutating func sayAgain(_ facts: borrowing Facts) -> [Intent] {
    guard !statements.isEmpty || !outdated.isEmpty, facts.session.phase == .member, facts.session.secured, !facts.isApart else { return [] }
    defer {
      statements = []
      outdated = []
      continuations = []
    }
    var said: [Statement] = []
    let mayCommand = facts.policies.allowsCommands(by: facts.local)
    for own in (mayCommand ? statements + outdated : statements).sorted(by: Statement.precedes) {
      guard let present = facts.registers[own.key], Self.counts(own, against: present, facts) else { continue }
      // Another has confirmed it under the policy in force: it counts, whoever may not say it again.
      if !mayCommand, Self.isOwn(present, facts), Self.instant(of: present) == Self.instant(of: own) { continue }
      said.append(own)
    }
    var intents: [Intent] = []
    intents += said.compactMap { mayCommand ? Self.again($0) : Self.refusal(of: $0) }
    for continuation in continuations where mayCommand {
      guard case .continuation(let value) = continuation.value, let item = continuation.key.item,
        let rate = (said.last { $0.key == .rate(item) } ?? facts.registers[.rate(item)])?.cellKey,
        let position = (said.last { $0.key == .position(item) } ?? facts.registers[.position(item)])?.cellKey,
        value.base.commands == Pair(rate: rate, position: position).commands
      else { continue }
      intents.append(
        .continuePair(of: item, sequence: value.sequence, kind: value.kind, original: value.original ?? continuation.stamp))
    }
    return intents
  }

  private static func refusal(of own: Statement) -> Intent? {
    operation(own).map { operation in
      .refuse(
        operation: operation, status: .denied,
        message: "another policy came before it: this participant may not command any more; an owner can give it another role")
    }
  }

  /// Whether a command of one's own cites an older policy than a statement of the same register, and would count against it if it did not.
  private static func counts(_ own: Statement, against statement: Statement, _ facts: borrowing Facts) -> Bool {
    guard facts.policies.precedes(own.policy, statement.policy) else { return false }
    var again = own
    again.policy = statement.policy
    return facts.registers.order.compare(again, statement) == .greater
  }

  /// Another may have confirmed it since, under a policy that lost: who says it again is whose command it is.
  private static func isOwn(_ statement: Statement, _ facts: borrowing Facts) -> Bool {
    operation(statement) != nil && instant(of: statement).author == facts.local
  }

  /// When it was commanded, whoever confirmed it since.
  private static func instant(of statement: Statement) -> Stamp { statement.cellKey?.stamp ?? statement.said }

  private static func again(_ own: Statement) -> Intent {
    switch own.value {
    case .rate(var value):
      value.original = own.cellKey?.stamp
      return .write(own.key, .rate(value))
    case .position(var value):
      value.original = own.cellKey?.stamp
      return .write(own.key, .position(value))
    default:
      return .write(own.key, own.value, original: own.said)
    }
  }

  /// What a person, or its host, asked for; nil: it is no command.
  private static func operation(_ own: Statement) -> Operation? {
    switch own.value {
    case .rate(let value): value.rank == .command ? .coordinateRateChange : nil
    case .position(let value): value.rank == .command ? .coordinateSeek : nil
    case .activity: .activate
    case .stallPolicy: .setStallPolicy
    case .actionAtEnd: .setActionAtEnd
    case .startPolicy: .setStartPolicy
    case .skipPolicy: .setSkipPolicy
    case .scheduledStart: .scheduleStart
    case .playlistEntry(let entry): entry.isRemoved ? .removeEntry : .moveEntry
    case .playlistCurrent: .selectEntry
    default: nil
    }
  }
}
