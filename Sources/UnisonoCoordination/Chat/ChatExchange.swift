import UnisonoBase
import UnisonoReplica

/// Who asks whom for what of the chat, and when (wire 8.11).
///
/// Who comes asks the most senior members, one after the other. The most senior one that is there says from time to time what it has by
/// a digest; whoever has something else asks it, and is asked back.
struct ChatExchange: Sendable {
  /// Members that one asks who comes: one alone could hold something back.
  static let asked = 3
  static let patience: Nanoseconds = .seconds(3)
  static let digestInterval: Nanoseconds = .seconds(30)
  /// After somebody came or something was learnt.
  static let digestDelay: Nanoseconds = .seconds(1)
  /// Between two questions to one member by digests, and two answers to one.
  static let pause: Nanoseconds = .seconds(2)
  static let postponement: Nanoseconds = .milliseconds(200)
  /// Between those who ask one member for the same reason.
  static let turn: Nanoseconds = .milliseconds(20)

  /// Members to be asked yet, in order, from `askAt` on.
  private var toAsk: [ParticipantID] = []
  private var askAt: HostTime = .max
  private var open: (id: ParticipantID, until: HostTime)?
  /// Who was asked and did not answer in time: a machine that sleeps answers when it wakes.
  private var late: Set<ParticipantID> = []
  private var digestAt: HostTime = .max
  private var lastAsked: [ParticipantID: HostTime] = [:]
  private var lastAnswered: [ParticipantID: HostTime] = [:]
  private var answers = TokenBucket(rate: 8, burst: 16)

  var nextWake: HostTime? {
    let wake = min(open?.until ?? (toAsk.isEmpty ? .max : askAt), digestAt)
    return wake == .max ? nil : wake
  }

  /// The most senior others are to be asked. `place`: among those who may ask for the same reason now.
  mutating func begin(_ seniors: [ParticipantID], place: Int, now: HostTime) {
    toAsk = Array(seniors.prefix(Self.asked))
    askAt = now.adding(Self.turn * Int64(place))
  }

  mutating func scheduleDigest(now: HostTime) { digestAt = min(digestAt, now.adding(Self.digestDelay)) }

  /// True: it is time for a digest; the next one is due after a while.
  mutating func claimDigest(now: HostTime) -> Bool {
    guard now >= digestAt else { return false }
    digestAt = now.adding(Self.digestInterval)
    return true
  }

  /// Somebody seems to have more.
  mutating func wantOf(_ id: ParticipantID, place: Int, now: HostTime) {
    guard !toAsk.contains(id), open?.id != id, now.subtracting(lastAsked[id] ?? .min) >= Self.pause else { return }
    if toAsk.isEmpty { askAt = now.adding(Self.turn * Int64(place)) }
    toAsk.append(id)
  }

  /// What came now could not be judged.
  mutating func postpone(now: HostTime) { if !toAsk.isEmpty { askAt = max(askAt, now.adding(Self.postponement)) } }

  /// Whom to ask now; nil: nobody.
  mutating func next(present: Set<ParticipantID>, now: HostTime) -> ParticipantID? {
    if let asked = open {
      guard now >= asked.until || !present.contains(asked.id) else { return nil }
      open = nil
      late.insert(asked.id)
    }
    guard now >= askAt else { return nil }
    toAsk.removeAll { !present.contains($0) }
    guard !toAsk.isEmpty else { return nil }
    let id = toAsk.removeFirst()
    open = (id, now.adding(Self.patience))
    lastAsked = lastAsked.filter { present.contains($0.key) }
    lastAsked[id] = now
    late = late.filter { present.contains($0) && $0 != id }
    return id
  }

  /// True: it was asked, and had not answered yet.
  mutating func close(_ id: ParticipantID) -> Bool {
    guard open?.id == id else { return late.remove(id) != nil }
    open = nil
    return true
  }

  mutating func mayAnswer(_ id: ParticipantID, present: Set<ParticipantID>, now: HostTime) -> Bool {
    guard now.subtracting(lastAnswered[id] ?? .min) >= Self.pause, answers.spend(now: now) else { return false }
    lastAnswered = lastAnswered.filter { present.contains($0.key) }
    lastAnswered[id] = now
    return true
  }
}
