import UnisonoBase
import UnisonoReplica

/// What a new link brings while the one before it, to another hub of the same room, is still read: it waits, so that what each participant
/// said comes in order. Envelopes that both bring come twice, and their receiver drops the second.
///
/// Phases: none; from `begin` to `end`.
struct HubOverlap {
  /// The hub before closes its link as replaced as soon as it hears of the entry. So long it is waited for at most.
  static let longest = Nanoseconds.seconds(1)
  /// Bytes of envelopes that wait at most.
  static let mostBytes = 1 << 20

  enum Word {
    case presence(_ joined: [Member], _ gone: [Departure])
    case delivered([UInt8])
    case missed([ParticipantID])
  }

  private var words: [Word] = []
  private var bytes = 0

  mutating func begin() { (words, bytes) = ([], 0) }

  /// Keeps what the new link brought; false: no more has room.
  mutating func add(_ word: Word) -> Bool {
    words.append(word)
    if case .delivered(let envelope) = word { bytes += envelope.count }
    return bytes <= Self.mostBytes
  }

  /// Removes what waited, in its order.
  mutating func end() -> [Word] {
    defer { begin() }
    return words
  }
}
