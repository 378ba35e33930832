import UnisonoBase
import UnisonoCrypto
import UnisonoWire

/// What listeners say to this publisher (wire 8.28): judged, at a rate that nobody can exceed, and who of them asked to be invited.
struct HandsHeard {
  /// Of one listener.
  private struct Voice {
    var number: UInt32
    var pace: TokenBucket
  }

  /// Listeners whose numbers are known; what the longest silent of more said may be repeated by the hub.
  private static let voices = 4_096
  /// Who asked, the newest.
  private static let askers = 256
  /// In all a second; the hub passes 50.
  private static let rate = 50.0

  /// Key for an invite, of who asked for one.
  private(set) var asking: [ParticipantID: HybridPublicKey] = [:]

  private let opener: HandOpener
  private var all: TokenBucket
  private var voices: [ParticipantID: Voice] = [:]
  /// The longest silent first.
  private var order: [ParticipantID] = []
  /// The first who asked is first.
  private var queue: [ParticipantID] = []

  init(_ link: AudienceLink, now: HostTime) {
    opener = HandOpener(link)
    all = TokenBucket(rate: Self.rate, burst: 2 * Self.rate, now: now)
  }

  /// nil: it is not believed, was said before, or is more than one listener, or all, may say.
  mutating func take(_ envelope: [UInt8], now: HostTime) -> ListenerNews? {
    guard let sender = (try? EnvelopeHeader(envelope: envelope))?.sender else { return nil }
    // Each of both words once in a while, and what a path held up comes together. Judged before anything is verified.
    var voice = voices[sender] ?? Voice(number: 0, pace: TokenBucket(rate: 2e9 / Double(HandMessage.pause), burst: 4, now: now))
    guard !voice.pace.isEmpty(now: now), all.spend(now: now), let said = try? opener.open(envelope), said.hand.number > voice.number
    else { return nil }
    voice.pace.charge(1, now: now)
    voice.number = said.hand.number
    voices[sender] = voice
    if let silent = Self.note(sender, in: &order, most: Self.voices) { voices[silent] = nil }
    if let key = said.key {
      asking[sender] = key
      if let first = Self.note(sender, in: &queue, most: Self.askers) { asking[first] = nil }
    }
    return ListenerNews(listener: sender, word: said.hand.word, text: VisibleText.plain(lines: said.hand.text))
  }

  /// Puts one last; the first, which is taken out, where there are more than `most`.
  private static func note(_ id: ParticipantID, in list: inout [ParticipantID], most: Int) -> ParticipantID? {
    list.removeAll { $0 == id }
    list.append(id)
    return list.count > most ? list.removeFirst() : nil
  }
}
