import UnisonoBase
import UnisonoReplica

/// What a group did, as one of it kept it for another day (wire 8.25).
package struct PastGroup: Sendable {
  /// Policies that statements may cite, and the one in force.
  package var levels: [PolicyLevel]
  /// Registers that are of the group and not of who is there. Their signatures were checked.
  package var statements: [Statement]
  /// Group time when it was kept, and what it may be now.
  package var time: GroupTime
  package var presentTime: GroupTime
  /// Who was in the group then.
  package var others: Set<ParticipantID>

  package init(
    levels: [PolicyLevel], statements: [Statement], time: GroupTime, presentTime: GroupTime = 0, others: Set<ParticipantID> = []
  ) {
    self.levels = levels
    self.statements = statements
    self.time = time
    self.presentTime = presentTime
    self.others = others
  }

  /// What another day may go on from; nil: the group's state or its time is not known.
  init?(_ facts: borrowing Facts, at now: HostTime) {
    guard facts.session.phase == .member, facts.session.joined, facts.clock.isKnown else { return nil }
    let occupied = facts.occupiedItems
    var statements: [Statement] = []
    for statement in facts.registers.statements.values where Self.keeps(statement.key) && facts.policies.knows(statement.policy) {
      if statement.key.item.map({ occupied.contains($0) }) ?? true { statements.append(statement) }
    }
    self.init(
      levels: facts.policies.levels, statements: statements.sorted(by: Statement.precedes),
      time: max(facts.clock.group(at: now), facts.stamps.largestSeen))
  }

  /// The statements that count by these policies, in the order in which they are merged.
  func counting(under policies: PolicyOrder) -> [Statement] {
    statements.filter { statement in
      Self.keeps(statement.key) && statement.time <= time && statement.citesOnlyKnown(policies) && statement.isValid(under: policies)
        && !policies.isRemoved(statement.author)
    }.sorted { $0.key.mergeRank < $1.key.mergeRank }
  }

  /// Whether a register is of the group on another day, too: not of who is there, nor bound to that day.
  static func keeps(_ key: RegisterKey) -> Bool {
    switch key {
    case .clock, .activity, .stallPolicy, .actionAtEnd, .startPolicy, .skipPolicy, .playlistEntry, .playlistCurrent, .rate, .position,
      .continuation:
      true
    case .policy, .end, .participant, .attachment, .scheduledStart, .audience: false
    }
  }
}
