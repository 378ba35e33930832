import UnisonoBase
import UnisonoCrypto
import UnisonoWire

/// What listeners say to this publisher (wire 8.28): judged, at a rate that nobody can exceed, and who of them asked to be invited.
struct HandsHeard {
  private struct Voice {
    let id: ParticipantID
    var number: UInt32 = 0
    var pace: TokenBucket
    /// That an invite is sealed to; nil: it did not ask for one, or long ago.
    var key: HybridPublicKey?
  }

  /// Listeners who are known; what the longest silent of more said may be repeated by the hub.
  private static let voices = 4_096
  /// Who asked, the newest.
  private static let askers = 256
  /// In all a second; the hub passes 50.
  private static let rate = 50.0

  /// The longest silent first.
  private var voices: [Voice] = []
  /// Who may be invited, the first who asked first.
  private(set) var asking: [ParticipantID] = []

  private let opener: HandOpener
  private var all: TokenBucket

  init(_ link: AudienceLink, now: HostTime) {
    opener = HandOpener(link)
    all = TokenBucket(rate: Self.rate, burst: 2 * Self.rate, now: now)
  }

  /// That an invite for a listener is sealed to; nil: it did not ask for one, or long ago.
  func key(of listener: ParticipantID) -> HybridPublicKey? { voices.first { $0.id == listener }?.key }

  /// nil: it is not believed, was said before, or is more than one listener, or all, may say.
  mutating func take(_ envelope: [UInt8], now: HostTime) -> ListenerNews? {
    guard let sender = (try? EnvelopeHeader(envelope: envelope))?.sender else { return nil }
    // Each of both words once in a while, and what a path held up comes together. Judged before anything is verified.
    let index = voices.lastIndex { $0.id == sender }
    let fresh = TokenBucket(rate: 2e9 / Double(HandMessage.pause), burst: 4, now: now)
    var voice = index.map { voices[$0] } ?? Voice(id: sender, pace: fresh)
    guard !voice.pace.isEmpty(now: now), all.spend(now: now), let said = try? opener.open(envelope), said.hand.number > voice.number
    else { return nil }
    voice.pace.charge(1, now: now)
    voice.number = said.hand.number
    if let key = said.key {
      voice.key = key
      asking.removeAll { $0 == sender }
      asking.append(sender)
      if asking.count > Self.askers { forget(asking.removeFirst()) }
    }
    if let index { voices.remove(at: index) } else if voices.count == Self.voices { voices.removeFirst() }
    voices.append(voice)
    return ListenerNews(listener: sender, word: said.hand.word, text: VisibleText.plain(lines: said.hand.text))
  }

  /// It asked long ago.
  private mutating func forget(_ asker: ParticipantID) {
    if let index = voices.firstIndex(where: { $0.id == asker }) { voices[index].key = nil }
  }
}
