import UnisonoBase
import UnisonoCoordination
import UnisonoCrypto
import UnisonoWire

/// One participant ignores another for a while.
package struct Ignored: Equatable, Sendable {
  /// The other one.
  package var participant: ParticipantID
  /// The other one ignores this one, and says so; else this one ignores the other.
  package var byOther: Bool
  /// Last reason for refusing something that was sent; nil: not said.
  package var reason: ChannelRefusal?
  package var until: HostTime
  /// What of it is ignored.
  package var part = Part.all
  /// The other one's, as known; "": it is not.
  package var name = ""

  package enum Part: Equatable, Sendable {
    case all
    /// Nothing else than what it says in the chat, as that is too much.
    case chat
    /// Nothing else than messages that wait for their place in an item, as these are too many.
    case cues
    /// Nothing else than what is more than is kept of one participant.
    case excess(Crowding.Kind)
  }

  /// Whether the reason is a wrong signature or seal.
  package var isForgery: Bool {
    switch reason {
    case .seal, .signature, .introduction, .rekey: true
    default: false
    }
  }

  /// One sentence for people.
  package var sentence: String {
    let why = reason.map { " (\($0.sentence))" } ?? ""
    let who = "participant \(participant)\(name.isEmpty ? "" : " (\(name))")"
    switch part {
    case .all: break
    case .chat: return "\(who) says too much at a time: the rest of it is not shown"
    case .cues: return "\(who) sent too much that waits for its place in an item: the rest of it is not delivered"
    case .excess(let kind): return "\(who) \(kind.sentence)"
    }
    return byOther
      ? "\(who) takes nothing from this one for a while\(why)"
      : "\(who) is ignored for a minute: too much of what it sent was refused\(why)"
  }
}

extension ChannelRefusal {
  /// Half a sentence for people.
  fileprivate var sentence: String {
    switch self {
    case .malformed: "it cannot be read"
    case .seal: "it does not open"
    case .signature: "a signature is wrong"
    case .introduction: "an introduction is wrong"
    case .replay, .oldLane: "it came before"
    case .notAddressed: "it was for somebody else"
    case .rekey: "a new key is wrong"
    case .welcome: "it answers no question"
    case .proof: "it does not prove that its key is the group's"
    case .record: "a record of who can read is not valid"
    case .unknownEpoch: "its key is not known"
    case .unknownSender: "who sent it is not known"
    case .budget: "it was too much"
    }
  }
}

/// Participants that say to ignore this one: each is reported once, not with every repetition.
struct IgnoredBy {
  /// Longest time that is believed.
  static let longest = Nanoseconds.seconds(60)

  private var until: [ParticipantID: HostTime] = [:]

  /// News for the host; nil: known already.
  mutating func record(_ message: IgnoringMessage, from id: ParticipantID, now: HostTime) -> Ignored? {
    until = until.filter { $0.value > now }
    guard until[id] == nil else { return nil }
    let end = now.adding(min(.milliseconds(Int64(message.length)), Self.longest))
    // Also where it means no time at all: it may say so again only later.
    until[id] = max(end, now.adding(.seconds(10)))
    return Ignored(participant: id, byOther: true, reason: ChannelRefusal(number: message.reason), until: end)
  }
}
