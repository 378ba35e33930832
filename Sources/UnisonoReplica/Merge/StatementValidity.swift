import UnisonoBase

extension Statement {
  /// Whether it may be merged at all: a function of the statement and the policy that it cites, never of arrival (2.4).
  /// All policies that it cites are known.
  package func isValid(under policies: PolicyOrder) -> Bool {
    guard author != .none, isCompact else { return false }
    switch (key, value) {
    case (.participant(let id), .participant(let value)):
      return id == author && value.rate.isFinite
    case (.attachment(let slot), .attachment(let value)):
      // Judged by the policy in force alone, and anew when that changes: offers outlive policies (wire 8.16).
      return slot.author == author || (value == nil && policies.allowsCommands(by: author))
    case (.clock, .clock), (.activity, .activity), (.actionAtEnd, .actionAtEnd), (.skipPolicy, .skipPolicy):
      return policies.allowsCommands(by: author, under: policy) && isPossible(original)
    case (.end, .end):
      // Judged by the policy in force, too: who was demoted cannot end the session by an old right (8.4).
      return policies.allowsCommands(by: author, under: policy) && policies.allowsCommands(by: author)
    case (.stallPolicy, .stallPolicy(let value)):
      return policies.allowsCommands(by: author, under: policy) && isPossible(original) && value.isPlausible
    case (.startPolicy, .startPolicy(let value)):
      return policies.allowsCommands(by: author, under: policy) && isPossible(original) && value.isPlausible
    case (.scheduledStart, .scheduledStart(let value)):
      return policies.allowsCommands(by: author, under: policy) && isPossible(original)
        && (value.map { $0.instant.subtracting(said.time) <= Law.scheduleLimit } ?? true)
    case (.audience, .audience(let value)):
      // Elsewhere nobody could tell its listeners whose commands count.
      return policies.allowsCommands(by: author, under: policy) && isPossible(original)
        && (value == nil || policies.allowsAudience(under: policy))
    case (.playlistEntry, .playlistEntry(let value)):
      return policies.allowsCommands(by: author, under: policy) && isPossible(original) && value.added <= said.time
    case (.playlistCurrent, .playlistCurrent(let value)):
      return policies.allowsCommands(by: author, under: policy) && isPossible(original) && isPossible(value.base)
        && value.isWellFormed
    case (.rate, .rate(let value)):
      return policies.allowsCommands(by: author, under: policy) && isPossible(value.original) && value.rate.isFinite
        && abs(value.rate) <= Law.greatestRate && isBounded(value.readyUntil, of: value.original)
    case (.position, .position(let value)):
      return policies.allowsCommands(by: author, under: policy) && isPossible(value.original)
        && isBounded(value.readyUntil, of: value.original)
    case (.continuation, .continuation(let value)):
      return policies.allowsCommands(by: author, under: policy) && isPossible(value.original)
        && !policies.precedes(policy, value.base.rate.policy) && !policies.precedes(policy, value.base.position.policy)
        && isPossible(value.base.rate.stamp) && isPossible(value.base.position.stamp) && isPlausible(value)
    default:
      return false
    }
  }

  /// What is confirmed was there before.
  private func isPossible(_ original: Stamp?) -> Bool { original.map { $0.time <= time } ?? true }

  /// Nobody makes the group wait for persons without end.
  private func isBounded(_ readyUntil: GroupTime?, of original: Stamp?) -> Bool {
    readyUntil.map { $0.subtracting(original?.time ?? time) <= Law.readyLimit } ?? true
  }

  /// A start inherits its position and lies near its stamp; only what follows a line or a hold says where.
  private func isPlausible(_ value: ContinuationValue) -> Bool {
    guard case .line(_, let since, let at, let prior) = value.kind else { return true }
    if let prior, !prior.rate.isFinite { return false }
    guard at == nil || prior != nil || value.sequence > 1 else { return false }
    let ahead = since.subtracting(value.original?.time ?? time)
    return ahead <= Law.greatestLead && ahead >= -Law.greatestLead
  }
}
