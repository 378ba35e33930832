/// The replicated registers: of each the greatest statement received (coordination 2.3, 2.4).
struct RegisterStore: Sendable {
  private(set) var statements: [RegisterKey: Statement] = [:] { didSet { revision &+= 1 } }
  /// Counts changes, so that what is derived of the registers need not be derived anew.
  private(set) var revision: UInt64 = 0
  private(set) var order: RegisterOrder
  var policies: PolicyOrder {
    get { order.cells.policies }
    set {
      order.cells.policies = newValue
      revision &+= 1
    }
  }

  init(policies: PolicyOrder) { order = RegisterOrder(policies: policies) }

  subscript(key: RegisterKey) -> Statement? { statements[key] }

  /// Keeps the greater of the present and the given statement; returns whether that changed the register.
  @discardableResult
  mutating func merge(_ statement: Statement) -> Bool {
    guard let present = statements[statement.key] else {
      statements[statement.key] = statement
      return true
    }
    guard order.compare(statement, present, backwards: isBackwards(statement)) == .greater else { return false }
    statements[statement.key] = statement
    return true
  }

  mutating func remove(_ key: RegisterKey) { statements[key] = nil }

  /// Puts a register back to what it was; only for statements that nobody else ever received.
  mutating func restore(_ key: RegisterKey, to statement: Statement?) { statements[key] = statement }

  /// Both cells of an item and the continuation that is valid with them; nil: the item has no state.
  func cells(of item: ItemID) -> Cells? {
    guard let rate = statements[.rate(item)], case .rate(let rateValue) = rate.value, let rateKey = rate.cellKey,
      let position = statements[.position(item)], case .position(let positionValue) = position.value,
      let positionKey = position.cellKey
    else { return nil }
    let pair = Pair(rate: rateKey, position: positionKey)
    var cells = Cells(pair: pair, rate: rateValue, position: positionValue)
    if let statement = statements[.continuation(item)], case .continuation(let value) = statement.value,
      continues(statement, value, pair)
    {
      cells.continuation = value
      cells.continued = value.original?.time ?? statement.time
    }
    return cells
  }

  /// It names the pair's commands, and cites a policy no older than they do: who may no longer command cannot continue
  /// what was confirmed since.
  private func continues(_ statement: Statement, _ value: ContinuationValue, _ pair: Pair) -> Bool {
    value.base.commands == pair.commands && !policies.precedes(statement.policy, pair.rate.policy)
      && !policies.precedes(statement.policy, pair.position.policy)
  }

  func participant(_ id: ParticipantID) -> ParticipantValue? {
    guard case .participant(let value)? = statements[.participant(id)]?.value else { return nil }
    return value
  }

  func clock(_ id: ClockID) -> ClockValue? {
    guard case .clock(let value)? = statements[.clock(id)]?.value else { return nil }
    return value
  }

  /// A continuation of cells that are no longer in force: kept, but of no interest to anybody.
  func isStale(_ statement: Statement) -> Bool {
    guard case .continuation(let item) = statement.key, case .continuation(let value) = statement.value else {
      return false
    }
    return cells(of: item).map { !continues(statement, value, $0.pair) } ?? true
  }

  private func isBackwards(_ statement: Statement) -> Bool {
    guard case .continuation(let value) = statement.value, case .continuation(let item) = statement.key,
      let rate = statements[.rate(item)], rate.cellKey?.command == value.base.rate.command,
      case .rate(let rateValue) = rate.value
    else { return false }
    return rateValue.rate < 0
  }
}

extension RegisterKey {
  /// The item that a register of Transport is about.
  var item: ItemID? {
    switch self {
    case .rate(let item), .position(let item), .continuation(let item): item
    default: nil
    }
  }
}
