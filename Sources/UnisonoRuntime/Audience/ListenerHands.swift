import UnisonoBase
import UnisonoCrypto
import UnisonoWire

/// What a listener says to publishers (wire 8.28): words that wait for a link, at most one of each, and the numbers of those that were said.
struct ListenerHands {
  typealias Hand = (word: HandMessage.Word, text: String)

  private var waiting: [Hand] = []
  private(set) var lastNumber: UInt32 = 0
  private var lastAt: HostTime?
  /// Its person asked to speak, and may be invited.
  private(set) var hasAsked = false

  /// What waits longest.
  var first: Hand? { waiting.first }

  /// Host time before which no more may be said; nil: nothing was said yet.
  var pauseEnd: HostTime? { lastAt?.adding(HandMessage.pause) }

  mutating func add(_ word: HandMessage.Word, _ text: String) {
    waiting.removeAll { $0.word == word }
    waiting.append((word, text))
    if word == .asks { hasAsked = true }
  }

  mutating func removeFirst() { waiting.removeFirst() }

  /// The next one; it counts once it was `sent`.
  func message(_ word: HandMessage.Word, _ text: String, by identity: Identity) -> HandMessage {
    HandMessage(
      key: identity.signing.publicKey.bytes, word: word, text: text, number: lastNumber + 1,
      inviteKey: word == .asks ? identity.hybrid.publicKey.bytes : nil)
  }

  mutating func sent(now: HostTime) {
    lastNumber += 1
    lastAt = now
  }
}
