/// Levels in: what is in force, and what follows from it (wire 8).
extension Coordination {
  /// Takes in levels whose signatures were checked.
  mutating func takeLevels(_ levels: [PolicyLevel], from sender: ParticipantID) {
    var due: [PolicyLevel] = []
    for level in levels {
      if isFuture(level.time) {
        if policyState.future.count < PolicyState.futureCapacity { policyState.future.append((level, sender)) }
      } else {
        due.append(level)
      }
    }
    if !adopt(due, from: sender).isEmpty { askForPolicies(of: sender) }
  }

  mutating func acceptFutureLevels() {
    guard clock.isKnown, !policyState.future.isEmpty else { return }
    let waiting = policyState.future.filter { isFuture($0.level.time) }
    let due = policyState.future.filter { !isFuture($0.level.time) }
    policyState.future = waiting
    for (level, sender) in due { adopt([level], from: sender) }
  }

  /// Returns those that stand on what is not known. `sender`: who passed them on; the own id: what is said here is true.
  @discardableResult
  mutating func adopt(_ levels: [PolicyLevel], from sender: ParticipantID) -> [PolicyLevel] {
    let before = policies.greatest
    let judge = judge(from: sender)
    let rest = policies.add(levels) { judge.verdict(on: $0) == .believed }
    registers.policies = policies
    if clock.isKnown { for level in levels { stamps.observe(level.time) } }
    if policies.greatest != before { policyChanged() }
    for stack in rest.doubted { doubt(stack, from: sender) }
    let judgeable = policyState.citations.take(now: now) { [policies] in $0.citesOnlyKnown(policies) }
    for entry in judgeable { receive([entry.statement], from: entry.sender) }
    return rest.unplaced
  }

  /// Another policy is in force.
  private mutating func policyChanged() {
    policyState.confirmations = [:]
    policyState.sessionConfirmation = nil
    policyState.decided.formUnion(policies.terms.roles.keys)
    notices.append(.policyChanged(policies.greatest))
    tellSuccession()
    for id in policies.terms.removed where id != local { forget(id) }
    if policies.isRemoved(local), !membership.isOver {
      membership.isOver = true
      notices.append(.invalidated(.removed(by: policies.greatest.levels.last?.author ?? .none)))
      return
    }
    reviewOwnChange()
  }

  /// A statement that cites what is not known waits for it.
  mutating func hold(citing statement: Statement, from sender: ParticipantID) {
    if !policyState.citations.hold(statement, from: sender, now: now) {
      notices.append(.log(.warning, "too many statements of \(statement.author) cite a policy that is not known here"))
    }
    askForPolicies(of: sender)
  }

  mutating func askForPolicies(of member: ParticipantID) {
    guard policyState.asked.map({ now.subtracting($0) >= PolicyState.askInterval }) ?? true, member != local else {
      return
    }
    policyState.asked = now
    direct(.want([.policy]), to: member)
  }

  /// To everybody, or to one: all that statements in force may cite.
  mutating func tellPolicies(to receiver: ParticipantID? = nil) {
    let levels = policies.levels
    guard !levels.isEmpty else { return }
    if let receiver { direct(.levels(levels), to: receiver) } else { broadcast(.levels(levels)) }
  }

  /// The stamp under which the policy in force appears in an exchange; nil: it is the origin.
  var policyStamp: Stamp? { policies.greatest.levels.last?.stamp }
}

extension Statement {
  /// Whether all policies are known that its judgement needs.
  func citesOnlyKnown(_ policies: PolicyOrder) -> Bool {
    if case .participant = key { return true }
    guard policies.knows(policy) else { return false }
    guard case .continuation(let value) = value else { return true }
    return policies.knows(value.base.rate.policy) && policies.knows(value.base.position.policy)
  }
}
