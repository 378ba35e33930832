/// After a new policy the keeper of each item writes its cells again under it (coordination 2.12), and the first of all
/// present what is said of no item: the activity, the stall policy, the clocks.
///
/// Value, originator and stamp stay; only the policy that is cited, and who signs, are new. From then on nothing that cites
/// an older policy can win, whoever forged it and however late it comes.
extension Coordination {
  mutating func confirmCells() {
    guard membership.phase == .member, membership.secured, !apart.isApart, clock.isKnown,
      policies.allowsCommands(by: local), !policies.greatest.levels.isEmpty
    else {
      policyState.confirmations = [:]
      policyState.sessionConfirmation = nil
      return
    }
    confirmSession()
    let items = unconfirmedItems
    policyState.confirmations = policyState.confirmations.filter { items.contains($0.key) }
    for item in items {
      let since = policyState.confirmations[item] ?? now
      policyState.confirmations[item] = since
      guard let rank = confirmationRank(on: item), now >= since.adding(takeoverDelay(rank: rank)) else { continue }
      confirm(item)
      policyState.confirmations[item] = nil
    }
  }

  var confirmationWake: HostTime? {
    var wakes = policyState.confirmations.compactMap { item, since in
      confirmationRank(on: item).map { since.adding(takeoverDelay(rank: $0)) }
    }
    if let since = policyState.sessionConfirmation, let rank = confirmers.firstIndex(of: local) {
      wakes.append(since.adding(takeoverDelay(rank: rank)))
    }
    return wakes.min()
  }

  /// What is said of no item.
  private mutating func confirmSession() {
    let current = policies.greatest.id
    let unconfirmed = registers.statements.values.filter { $0.key.isConfirmedAsWhole && $0.policy != current }
    guard !unconfirmed.isEmpty, let rank = confirmers.firstIndex(of: local) else {
      policyState.sessionConfirmation = nil
      return
    }
    let since = policyState.sessionConfirmation ?? now
    policyState.sessionConfirmation = since
    guard now >= since.adding(takeoverDelay(rank: rank)) else { return }
    for statement in unconfirmed.sorted(by: { $0.stamp < $1.stamp }) {
      write(statement.key, statement.value, original: statement.said)
    }
    policyState.sessionConfirmation = nil
  }

  /// All present who may command, by id.
  private var confirmers: [ParticipantID] {
    (presentParticipants.filter { isHeard($0) && policies.allowsCommands(by: $0) } + [local]).sorted()
  }

  /// Items of which a cell cites an older policy than the one in force, ascending.
  private var unconfirmedItems: [ItemID] {
    let current = policies.greatest.id
    return Set(registers.statements.values.filter { $0.cellKey != nil && $0.policy != current }.compactMap(\.key.item))
      .filter { registers.cells(of: $0) != nil && !isFading($0) }.sorted()
  }

  /// The keeper's order; of an item that nobody is on everybody's by id.
  private func confirmationRank(on item: ItemID) -> Int? {
    guard let cells = registers.cells(of: item) else { return nil }
    var order = keepers(initiator: cells.initiator, on: item)
    if order.isEmpty { order = confirmers }
    return order.firstIndex(of: local)
  }

  private mutating func confirm(_ item: ItemID) {
    let current = policies.greatest.id
    let continuation = registers.cells(of: item)?.continuation.flatMap { value in
      registers[.continuation(item)].map { (value: value, original: value.original ?? $0.stamp) }
    }
    if let statement = registers[.position(item)], statement.policy != current,
      case .position(var value) = statement.value
    {
      value.original = statement.cellKey?.stamp
      write(.position(item), .position(value))
    }
    if let statement = registers[.rate(item)], statement.policy != current, case .rate(var value) = statement.value {
      value.original = statement.cellKey?.stamp
      write(.rate(item), .rate(value))
    }
    guard var continuation, let pair = registers.cells(of: item)?.pair else { return }
    continuation.value.base = pair
    continuation.value.original = continuation.original
    write(.continuation(item), .continuation(continuation.value))
  }
}

extension RegisterKey {
  /// Said of the session, by whoever may command.
  fileprivate var isConfirmedAsWhole: Bool {
    switch self {
    case .activity, .stallPolicy, .clock: true
    default: false
    }
  }
}
