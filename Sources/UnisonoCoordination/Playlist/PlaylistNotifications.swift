import UnisonoBase
import UnisonoReplica

/// The playlist as the host was last told of it.
struct PlaylistNotifications: Sendable {
  private var revision: UInt64 = 0
  private var isEmpty = true
  private var current: EntryID?

  /// What changed; nil: nothing.
  mutating func change(_ facts: borrowing Facts) -> PlaylistChange? {
    guard facts.session.joined, facts.session.participates else { return nil }
    let (list, now) = (facts.registers.playlist, facts.registers.playlistCurrent)
    // An empty list that was begun anew is the same one.
    let isSame = list.revision == revision || (isEmpty && list.lines.isEmpty)
    var change = PlaylistChange(entries: !isSame, current: now?.value.entry != current)
    (revision, isEmpty) = (list.revision, list.lines.isEmpty)
    guard change.entries || change.current else { return nil }
    current = now?.value.entry
    if let now {
      change.entry = now.value.entry
      change.isByEnd = now.value.isByEnd
      // Nobody brought it there that went on by itself, whoever was the one to say so.
      change.originator = now.value.isByEnd || now.said.author == facts.local ? .none : now.said.author
    }
    return change
  }
}
