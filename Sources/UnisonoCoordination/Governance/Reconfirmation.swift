import UnisonoBase
import UnisonoReplica

/// After a new policy the keeper of each item writes its cells again under it (coordination 2.12), and the first of all
/// present what is said of no item: the activity, the stall policy, the playlist, the clocks.
///
/// Value, originator and stamp stay; only the policy that is cited, and who signs, are new. From then on nothing that cites
/// an older policy can win, whoever forged it and however late it comes.
struct Reconfirmation: Sendable {
  /// Since when a confirmation of an item's cells is due in our own view.
  private(set) var items: [ItemID: HostTime] = [:]
  /// The same of what is said of no item.
  private var session: (since: HostTime, count: Int)?
  /// Revision of registers that all cite the policy in force; nil: some do not.
  private var confirmed: UInt64?

  /// Another policy is in force, or nothing can be confirmed.
  mutating func reset() {
    items = [:]
    session = nil
  }

  /// What is ours to confirm now.
  mutating func confirm(_ facts: borrowing Facts) -> [Intent] {
    guard facts.session.phase == .member, facts.session.secured, !facts.isApart, facts.clock.isKnown,
      facts.policies.allowsCommands(by: facts.local), !facts.policies.greatest.levels.isEmpty
    else {
      reset()
      return []
    }
    let revision = facts.registers.visibleRevision
    guard confirmed != revision else { return [] }
    confirmed = isAllConfirmed(facts) ? revision : nil
    var intents = confirmSession(facts)
    let unconfirmed = unconfirmedItems(facts)
    items = items.filter { unconfirmed.contains($0.key) }
    for item in unconfirmed {
      let since = items[item] ?? facts.now
      items[item] = since
      guard let rank = rank(on: item, facts), facts.now >= since.adding(facts.takeoverDelay(rank: rank)) else { continue }
      intents += confirmation(of: item, facts)
      items[item] = nil
    }
    return intents
  }

  func wake(_ facts: borrowing Facts) -> HostTime? {
    var wakes = items.compactMap { item, since in
      rank(on: item, facts).map { since.adding(facts.takeoverDelay(rank: $0)) }
    }
    if let session, let rank = confirmers(facts).firstIndex(of: facts.local) {
      wakes.append(session.since.adding(facts.takeoverDelay(rank: rank)))
    }
    return wakes.min()
  }

  /// What is said of no item.
  private mutating func confirmSession(_ facts: borrowing Facts) -> [Intent] {
    let current = facts.policies.greatest.id
    let unconfirmed = facts.registers.statements.values.filter { $0.key.isConfirmedAsWhole && $0.policy != current }
    guard !unconfirmed.isEmpty, let rank = confirmers(facts).firstIndex(of: facts.local) else {
      session = nil
      return []
    }
    // A long playlist takes its confirmer a while: as long as it comes on, nobody takes over.
    var since = session?.since ?? facts.now
    if let session, unconfirmed.count < session.count { since = facts.now }
    session = (since, unconfirmed.count)
    guard facts.now >= since.adding(facts.takeoverDelay(rank: rank)) else { return [] }
    session = nil
    return unconfirmed.sorted(by: Statement.precedes).map { .write($0.key, confirmed($0, facts), original: $0.said) }
  }

  /// Where not only hosts command the audience is over, whoever opened it.
  private func confirmed(_ statement: Statement, _ facts: borrowing Facts) -> RegisterValue {
    guard statement.key == .audience, !facts.policies.allowsAudience(under: facts.policies.greatest.id) else { return statement.value }
    return .audience(nil)
  }

  /// Whatever would have to cite the policy in force does.
  private func isAllConfirmed(_ facts: borrowing Facts) -> Bool {
    let current = facts.policies.greatest.id
    return facts.registers.statements.values.allSatisfy { $0.policy == current || $0.cellKey == nil && !$0.key.isConfirmedAsWhole }
  }

  /// All present who may command, by id.
  private func confirmers(_ facts: borrowing Facts) -> [ParticipantID] {
    let others = facts.roster.others.filter { facts.isHeard($0) && facts.policies.allowsCommands(by: $0) }
    return (others + [facts.local]).sorted()
  }

  /// Items of which a cell cites an older policy than the one in force, ascending.
  private func unconfirmedItems(_ facts: borrowing Facts) -> [ItemID] {
    let current = facts.policies.greatest.id
    let old = facts.registers.statements.values.filter { $0.cellKey != nil && $0.policy != current }
    return Set(old.compactMap { $0.key.item })
      .filter { facts.registers.cells(of: $0) != nil && !facts.isFading($0) }.sorted()
  }

  /// The keeper's order; of an item that nobody is on everybody's by id.
  private func rank(on item: ItemID, _ facts: borrowing Facts) -> Int? {
    guard let cells = facts.registers.cells(of: item) else { return nil }
    var order = facts.keepers(initiator: cells.initiator, on: item)
    if order.isEmpty { order = confirmers(facts) }
    return order.firstIndex(of: facts.local)
  }

  private func confirmation(of item: ItemID, _ facts: borrowing Facts) -> [Intent] {
    let registers = facts.registers
    let current = facts.policies.greatest.id
    var intents: [Intent] = []
    if let statement = registers[.position(item)], statement.policy != current,
      case .position(var value) = statement.value
    {
      value.original = statement.cellKey?.stamp
      intents.append(.write(.position(item), .position(value)))
    }
    if let statement = registers[.rate(item)], statement.policy != current, case .rate(var value) = statement.value {
      value.original = statement.cellKey?.stamp
      intents.append(.write(.rate(item), .rate(value)))
    }
    if let value = registers.cells(of: item)?.continuation, let statement = registers[.continuation(item)] {
      intents.append(
        .continuePair(
          of: item, sequence: value.sequence, kind: value.kind, original: value.original ?? statement.stamp))
    }
    return intents
  }
}

extension RegisterKey {
  /// Said of the session, by whoever may command.
  fileprivate var isConfirmedAsWhole: Bool {
    switch self {
    case .activity, .stallPolicy, .actionAtEnd, .startPolicy, .clock, .playlistEntry, .playlistCurrent, .scheduledStart, .skipPolicy,
      .audience:
      true
    default: false
    }
  }
}
