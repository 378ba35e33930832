import UnisonoBase
import UnisonoReplica

/// What an audience is shown of a group (wire 8.27): registers as their authors signed them, and the item that the own player is at.
package struct StagedState: Sendable {
  package var item: ItemID?
  /// Rate, position and continuation of that item.
  package var line: [Statement]
  /// What is said of the session and does not depend on the item, and the own register: what is needed most comes first.
  package var programme: [Statement]
  package var levels: [PolicyLevel]
  /// nil: not known, or only guessed.
  package var time: (group: GroupTime, error: Nanoseconds)?

  init(_ facts: borrowing Facts) {
    item = facts.own.item
    let registers = facts.registers
    line = item.map { item in [.rate(item), .position(item), .continuation(item)].compactMap { registers[$0] } } ?? []
    levels = facts.policies.greatest.levels
    if facts.clock.isCertain { time = (facts.groupNow, facts.clock.error(at: facts.now)) }
    let entry = registers.playlistCurrent?.value.entry
    var found: [(rank: Int, statement: Statement)] = []
    for (key, statement) in registers.statements {
      let isOwn = key == .participant(facts.local) || key == entry.map { .playlistEntry($0) }
      if let rank = isOwn ? Self.ownRank(key) : Self.rank(key) { found.append((rank, statement)) }
    }
    // The newest clocks first: one of them is the hub's where the audience is.
    found.sort { ($0.rank, $1.statement.time, $0.statement.author) < ($1.rank, $0.statement.time, $1.statement.author) }
    programme = found.map { $0.statement }
  }

  /// nil: nothing for an audience.
  private static func rank(_ key: RegisterKey) -> Int? {
    switch key {
    case .end: 0
    case .clock: 2
    case .stallPolicy, .actionAtEnd, .skipPolicy: 3
    case .playlistCurrent: 4
    case .activity: 5
    case .policy, .participant, .playlistEntry, .attachment, .scheduledStart, .startPolicy, .audience, .rate, .position, .continuation: nil
    }
  }

  private static func ownRank(_ key: RegisterKey) -> Int { key.isParticipant ? 1 : 6 }
}
