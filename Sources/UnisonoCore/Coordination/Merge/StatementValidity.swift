extension Statement {
  /// Whether it may be merged at all: a function of the statement and the policy that it cites, never of arrival (2.4).
  func isValid(under policies: PolicyOrder) -> Bool {
    guard author != .none else { return false }
    switch (key, value) {
    case (.participant(let id), .participant(let value)):
      return id == author && value.rate.isFinite
    case (.clock, .clock), (.end, .end), (.activity, .activity):
      return policies.knows(policy) && policies.allowsCommands(by: author)
    case (.stallPolicy, .stallPolicy(let value)):
      return policies.knows(policy) && policies.allowsCommands(by: author) && value.isPlausible
    case (.rate, .rate(let value)):
      return policies.knows(policy) && policies.allowsCommands(by: author) && value.rate.isFinite
        && abs(value.rate) <= HostRequest.greatestRate
    case (.position, .position):
      return policies.knows(policy) && policies.allowsCommands(by: author)
    case (.continuation, .continuation(let value)):
      return policies.knows(policy) && policies.allowsCommands(by: author) && isPlausible(value)
    default:
      return false
    }
  }

  /// A start inherits its position and lies near its stamp; only what follows a line or a hold says where.
  private func isPlausible(_ value: ContinuationValue) -> Bool {
    guard case .line(_, let since, let at, let prior) = value.kind else { return true }
    if let prior, !prior.rate.isFinite { return false }
    guard at == nil || prior != nil || value.sequence > 1 else { return false }
    let ahead = since.subtracting(time)
    return ahead <= Parameters.greatestLead && ahead >= -Parameters.greatestLead
  }
}
