import UnisonoBase
import UnisonoWire

/// Those who come along to the next room and are not there yet, and what was said there meanwhile: each is said it again as it comes
/// (wire 6.6). What is true of the moment only, as heartbeats, notices and reactions are, is not.
struct Latecomers: Sendable {
  /// Who takes longer reads what it missed as anybody who was away.
  static let patience = Nanoseconds.seconds(5)
  /// Bytes of what was said; of more the oldest is left to what finds losses.
  static let bytes = 262_144

  /// One thing that was said.
  struct Saying: Sendable {
    let message: InnerMessage
    /// nil: to all.
    let to: [ParticipantID]?
    let isPrivate: Bool
    fileprivate let size: Int
  }

  private var awaited: Set<ParticipantID> = []
  private var until: HostTime = .max
  private var said: [Saying] = []

  init(awaiting ids: some Sequence<ParticipantID> = []) { awaited = Set(ids) }

  /// The room is entered, in which these are.
  mutating func enter(_ here: some Sequence<ParticipantID>, now: HostTime) {
    // Another link than the first: whoever missed something by then finds it as everywhere.
    guard until == .max else { return self = Latecomers() }
    awaited.subtract(here)
    until = now.adding(Self.patience)
    review(now: now)
  }

  /// Keeps what is said, where somebody is to hear it who is not here yet.
  mutating func keep(_ message: InnerMessage, to: [ParticipantID]?, isPrivate: Bool = false, now: HostTime) {
    review(now: now)
    guard !awaited.isEmpty, message.outlastsItsMoment, to.map({ $0.contains(where: awaited.contains) }) ?? true else { return }
    said.append(Saying(message: message, to: to, isPrivate: isPrivate, size: message.encoded.count))
    while said.reduce(0, { $0 + $1.size }) > Self.bytes { said.removeFirst() }
  }

  /// What one missed that comes now, in its order.
  mutating func arrived(_ id: ParticipantID, now: HostTime) -> [Saying] {
    review(now: now)
    guard awaited.remove(id) != nil else { return [] }
    let missed = said.filter { $0.to?.contains(id) ?? true }
    review(now: now)
    return missed
  }

  /// Once nobody is awaited nothing is kept.
  private mutating func review(now: HostTime) {
    guard awaited.isEmpty || until <= now else { return }
    awaited = []
    said = []
  }
}

extension InnerMessage {
  /// It counts for who hears it a second later, and is the same if it is heard twice.
  fileprivate var outlastsItsMoment: Bool {
    switch self {
    case .data(let number, _, _, _, _): number > 0
    case .update, .speaking, .chat, .request, .answer: true
    case .coordinator(let message): message.isUpdate
    default: false
    }
  }
}
