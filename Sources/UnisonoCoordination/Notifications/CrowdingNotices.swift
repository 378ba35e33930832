import UnisonoBase
import UnisonoReplica

/// Who says more than is kept, so that a host knows who fills the group's memory: each is named once in a while.
struct CrowdingNotices: Sendable {
  /// What there is too much of.
  enum Kind {
    /// Entries of the playlist.
    case playlist
    /// Items that nobody is on.
    case items
    /// Statements of the future.
    case early
  }

  private var limit = MentionLimit()

  /// The line that names the author of an entry that came and was forgotten at once; nil: it was not, or was named a moment ago.
  mutating func nameEntry(_ statement: Statement, _ facts: borrowing Facts) -> Intent? {
    facts.registers[statement.key] == nil ? name(statement.said.author, .playlist, facts) : nil
  }

  /// The line that names who says too much of something; nil: it is the own one, or was named a moment ago.
  mutating func name(_ author: ParticipantID, _ kind: Kind, _ facts: borrowing Facts) -> Intent? {
    guard author != facts.local, limit.admit(author, now: facts.now) else { return nil }
    let name = facts.value(of: author)?.displayName ?? ""
    return .log(.warning, "participant \(author)\(name.isEmpty ? "" : " (\(name))") \(Self.line(kind))")
  }

  private static func line(_ kind: Kind) -> String {
    switch kind {
    case .playlist:
      "adds to a playlist that is full, with \(Playlist.capacity) entries or \(Playlist.weightLimit) bytes: what is too much is forgotten"
    case .items:
      "says more of items that nobody is on than \(Expiry.authorWeight) bytes, as much as is kept of one participant: the oldest is forgotten"
    case .early:
      "says more ahead of the group's time than is kept until it is due: the rest is refused"
    }
  }
}
