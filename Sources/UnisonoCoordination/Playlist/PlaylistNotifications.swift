import UnisonoBase
import UnisonoReplica

/// The playlist as the host was last told of it.
struct PlaylistNotifications: Sendable {
  private var revision: UInt64 = 0
  private var current: EntryID?

  /// What changed; nil: nothing.
  mutating func change(_ facts: borrowing Facts) -> PlaylistChange? {
    guard facts.session.joined, facts.session.participates else { return nil }
    let now = facts.registers.playlistCurrent
    var change = PlaylistChange(
      entries: facts.registers.playlist.revision != revision, current: now?.value.entry != current)
    guard change.entries || change.current else { return nil }
    revision = facts.registers.playlist.revision
    current = now?.value.entry
    if let now {
      change.entry = now.value.entry
      change.isByEnd = now.value.isByEnd
      change.originator = now.said.author == facts.local ? .none : now.said.author
    }
    return change
  }
}
