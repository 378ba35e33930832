import UnisonoBase
import UnisonoReplica

/// How much one says: so many in any ten seconds.
package struct ChatPace: Sendable {
  package static let window: Nanoseconds = .seconds(10)
  package static let entries = 10
  package static let reactions = 20

  private let limit: Int
  private var times: [HostTime] = []

  package init(limit: Int) { self.limit = limit }

  /// Counts one more; else the time until which there may be none.
  package mutating func spend(now: HostTime) -> HostTime? {
    times.removeAll { now.subtracting($0) >= Self.window }
    guard times.count < limit else { return times[0].adding(Self.window) }
    times.append(now)
    return nil
  }
}

/// How much others say: what goes beyond twice of what an honest one may is dropped unread, as what was delayed may come at once.
struct ChatFlood: Sendable {
  private struct Sender: Sendable {
    var entries = ChatPace(limit: 2 * ChatPace.entries)
    var reactions = ChatPace(limit: 2 * ChatPace.reactions)
    var toldUntil: HostTime = .min
  }

  enum Verdict: Equatable { case fine, tooMuch, tooMuchUntil(HostTime) }

  private var senders: [ParticipantID: Sender] = [:]

  /// `tooMuchUntil`: the first that is dropped; the host is to be told.
  mutating func judge(_ id: ParticipantID, isReaction: Bool, now: HostTime) -> Verdict {
    if senders[id] == nil, senders.count >= WireLimits.roster { senders = senders.filter { $0.value.toldUntil > now } }
    var sender = senders[id] ?? Sender()
    defer { senders[id] = sender }
    guard let until = isReaction ? sender.reactions.spend(now: now) : sender.entries.spend(now: now) else { return .fine }
    guard now >= sender.toldUntil else { return .tooMuch }
    sender.toldUntil = now.adding(ChatPace.window)
    return .tooMuchUntil(until)
  }
}
