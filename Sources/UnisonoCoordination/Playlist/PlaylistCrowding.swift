import UnisonoBase
import UnisonoReplica

/// Who adds to the playlist what it has no room for, so that a host knows who adds without end.
struct PlaylistCrowding: Sendable {
  private var limit = MentionLimit()

  /// The line that names the author of an entry that came and was forgotten at once; nil: it was not, or was named a moment ago.
  mutating func name(_ statement: Statement, _ facts: borrowing Facts) -> Intent? {
    let author = statement.said.author
    guard author != facts.local, facts.registers[statement.key] == nil, limit.admit(author, now: facts.now) else { return nil }
    let name = facts.value(of: author)?.displayName ?? ""
    return .log(
      .warning,
      "participant \(author)\(name.isEmpty ? "" : " (\(name))") adds to a playlist that is full, with \(Playlist.capacity) entries or "
        + "\(Playlist.weightLimit) bytes: what is too much is forgotten")
  }
}
