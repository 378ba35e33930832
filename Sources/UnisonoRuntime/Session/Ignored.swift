import UnisonoCore
import UnisonoCrypto

/// That one participant ignores another for a while: which one, why, and until when.
public struct Ignored: Equatable, Sendable {
  /// The other one.
  public var participant: ParticipantID
  /// The other one ignores this one, and says so; else this one ignores the other.
  public var byOther: Bool
  /// What was wrong with what was sent, the last time; nil: not said.
  public var reason: ChannelRefusal?
  public var until: HostTime

  /// What was sent was not signed or sealed as it must be.
  public var isForgery: Bool {
    switch reason {
    case .seal, .signature, .introduction, .rekey: true
    default: false
    }
  }

  /// For people.
  public var sentence: String {
    let why = reason.map { " (\($0.sentence))" } ?? ""
    return byOther
      ? "participant \(participant) takes nothing from this one for a while\(why)"
      : "participant \(participant) is ignored for a minute: too much of what it sent was refused\(why)"
  }
}

extension ChannelRefusal {
  /// For people: what was wrong.
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
    case .epoch: "the key that it hands over is not the group's"
    case .unknownEpoch, .generation: "its key is not known"
    case .unknownSender: "who sent it is not known"
    case .budget: "it was too much"
    }
  }
}

/// Who says to ignore this participant: told once, not with every word of somebody who says it again and again.
struct IgnoredBy {
  /// Nobody is believed to mean longer.
  static let longest = Nanoseconds.seconds(60)

  private var until: [ParticipantID: HostTime] = [:]

  /// nil: known already.
  mutating func note(_ message: IgnoringMessage, from id: ParticipantID, now: HostTime) -> Ignored? {
    until = until.filter { $0.value > now }
    guard until[id] == nil else { return nil }
    let end = now.adding(min(.milliseconds(Int64(message.length)), Self.longest))
    // Also where it means no time at all: it may say so again only later.
    until[id] = max(end, now.adding(.seconds(10)))
    return Ignored(participant: id, byOther: true, reason: ChannelRefusal(number: message.reason), until: end)
  }
}
