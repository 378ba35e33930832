import UnisonoBase
import UnisonoReplica

/// Somebody says more of something than is kept of one participant; what is too much is forgotten, all else of it counts.
package struct Crowding: Equatable, Sendable {
  package enum Kind: Int32, Sendable {
    /// Entries of the playlist.
    case playlist = 1
    /// Items that nobody is on.
    case items = 2
    /// Statements of the future.
    case early = 3
    /// Statements that cite a policy which is not known here.
    case citations = 4

    /// What it does, and what becomes of it, behind its name.
    package var sentence: String {
      switch self {
      case .playlist:
        "adds to a playlist that is full, with \(Playlist.capacity) entries or \(Playlist.weightLimit) bytes: what is too much is forgotten"
      case .items:
        "says more of items that nobody is on than \(Expiry.authorWeight) bytes, as much as is kept of one: the oldest is forgotten"
      case .early: "says more ahead of the group's time than is kept until it is due: the rest is refused"
      case .citations: "says too much that goes by a policy which is not known here: the rest is refused"
      }
    }
  }

  /// It is said once in so long.
  package static let interval = MentionLimit.interval

  package var participant: ParticipantID
  package var kind: Kind

  package init(participant: ParticipantID, kind: Kind) {
    (self.participant, self.kind) = (participant, kind)
  }
}

/// Who says more than is kept, so that a host knows who fills the group's memory: each is named once in a while.
struct CrowdingNotices: Sendable {
  private var limit = MentionLimit()

  /// Names the author of an entry that came and was forgotten at once; nil: it was not, or was named a moment ago.
  mutating func nameEntry(_ statement: Statement, _ facts: borrowing Facts) -> Intent? {
    facts.registers[statement.key] == nil ? name(statement.said.author, .playlist, facts) : nil
  }

  /// Names who says too much of something; nil: it is the own one, or was named a moment ago.
  mutating func name(_ author: ParticipantID, _ kind: Crowding.Kind, _ facts: borrowing Facts) -> Intent? {
    guard author != facts.local, limit.admit(author, now: facts.now) else { return nil }
    return .notify(.session(.crowded(Crowding(participant: author, kind: kind))))
  }
}
