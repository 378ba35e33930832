import UnisonoBase
import UnisonoCrypto
import UnisonoWire

/// What listeners say to this publisher (wire 8.28): judged, at a rate that nobody can exceed, and who of them asked to be invited.
struct HandsHeard {
  enum Heard: Equatable {
    case said(ListenerNews)
    /// It asks when this came, in group time.
    case asksForTime(ParticipantID, number: UInt32)
  }

  private struct Voice {
    let id: ParticipantID
    var number: UInt32 = 0
    var pace: TokenBucket
    /// That an invite is sealed to; nil: it did not ask for one, or long ago.
    var key: HybridPublicKey?
  }

  /// Listeners who are known; what the longest silent of more said may be repeated by the hub.
  private struct Voices {
    private static let most = 4_096
    /// The longest silent first.
    private var all: [Voice] = []

    func voice(of id: ParticipantID) -> Voice? { all.last { $0.id == id } }

    /// It was heard just now.
    mutating func heard(_ voice: Voice) {
      if let index = all.lastIndex(where: { $0.id == voice.id }) {
        all.remove(at: index)
      } else if all.count == Self.most {
        all.removeFirst()
      }
      all.append(voice)
    }

    mutating func forgetKey(of id: ParticipantID) {
      if let index = all.firstIndex(where: { $0.id == id }) { all[index].key = nil }
    }
  }

  /// Who asked, the newest.
  private static let askers = 256
  /// In all a second; the hub passes 50.
  private static let rate = 50.0

  private var voices = Voices()
  /// Who asks for the time, which everybody does now and then: nobody who said something is forgotten for it.
  private var questioners = Voices()
  /// Who may be invited, the first who asked first.
  private(set) var asking: [ParticipantID] = []

  private var all: TokenBucket
  private var times: TokenBucket

  init(now: HostTime) {
    all = TokenBucket(rate: Self.rate, burst: 2 * Self.rate, now: now)
    let timeRate = Double(GroupTimeCheck.rate)
    times = TokenBucket(rate: timeRate, burst: timeRate, now: now)
  }

  /// That an invite for a listener is sealed to; nil: it did not ask for one, or long ago.
  func key(of listener: ParticipantID) -> HybridPublicKey? { voices.voice(of: listener)?.key }

  /// nil: it is not believed, was said before, or is more than one listener, or all, may say. `opener`: of the link by which it came.
  mutating func take(_ envelope: [UInt8], by opener: HandOpener, now: HostTime) -> Heard? {
    guard let sender = (try? EnvelopeHeader(envelope: envelope))?.sender else { return nil }
    // Each word once in a while, and what a path held up comes together. Judged before anything is verified.
    let fresh = TokenBucket(rate: 2e9 / Double(HandMessage.pause), burst: 4, now: now)
    var voice = voices.voice(of: sender) ?? Voice(id: sender, pace: fresh)
    var questioner = questioners.voice(of: sender) ?? Voice(id: sender, pace: fresh)
    guard !voice.pace.isEmpty(now: now), !questioner.pace.isEmpty(now: now), all.spend(now: now), let said = try? opener.open(envelope)
    else { return nil }
    guard said.hand.word != .time else {
      guard said.hand.number > questioner.number, times.spend(now: now) else { return nil }
      questioner.pace.charge(1, now: now)
      questioner.number = said.hand.number
      questioners.heard(questioner)
      return .asksForTime(sender, number: said.hand.number)
    }
    guard said.hand.number > voice.number else { return nil }
    voice.pace.charge(1, now: now)
    voice.number = said.hand.number
    if let key = said.key {
      voice.key = key
      asking.removeAll { $0 == sender }
      asking.append(sender)
      if asking.count > Self.askers { voices.forgetKey(of: asking.removeFirst()) }
    }
    voices.heard(voice)
    return .said(ListenerNews(listener: sender, word: said.hand.word, text: VisibleText.plain(lines: said.hand.text)))
  }
}
