import UnisonoBase
import UnisonoWire

/// Answers on their way to single members, part by part, within what the hub reads of this connection: however much is asked for, what is
/// said to all meanwhile does not wait behind it. Those who are answered take turns (wire 10).
struct PacedAnswers: Sendable {
  /// Bytes that a hub reads a second, until it says another number.
  private static let usualRate = 262_144.0
  /// Seconds' worth of that which go at once. A hub takes two: what is left of them is for all else.
  private static let burst = 1.5
  /// Bytes that wait for one, beside a single answer; it asks again for what is more.
  private static let most = 4_194_304

  private struct Part: Sendable {
    let message: InnerMessage
    let size: Int
  }

  private var queues: [ParticipantID: [Part]] = [:]
  /// Whose turn it is, in order.
  private var turns: [ParticipantID] = []
  private var pace = TokenBucket(rate: PacedAnswers.usualRate, burst: PacedAnswers.usualRate * PacedAnswers.burst)
  /// When the next part may go, host time; nil: none waits, or one may at once.
  private(set) var wake: HostTime?

  /// Another connection, of which the hub reads so many bytes a second.
  mutating func setRate(_ bytesPerSecond: UInt32, now: HostTime) {
    let rate = bytesPerSecond > 0 ? Double(bytesPerSecond) : Self.usualRate
    pace = TokenBucket(rate: rate, burst: rate * Self.burst, now: now)
  }

  /// Takes the parts of one answer in, all of them or none.
  mutating func add(_ answer: [InnerMessage], to id: ParticipantID) {
    guard !answer.isEmpty else { return }
    let parts = answer.map { Part(message: $0, size: $0.encoded.count) }
    let waiting = queues[id] ?? []
    guard waiting.isEmpty || (waiting + parts).reduce(0, { $0 + $1.size }) <= Self.most else { return }
    if waiting.isEmpty { turns.append(id) }
    queues[id] = waiting + parts
  }

  /// Removes the next part that may go now; nil: there is none.
  mutating func next(now: HostTime) -> (message: InnerMessage, to: ParticipantID)? {
    wake = nil
    guard let id = turns.first, var queue = queues[id], let part = queue.first else { return nil }
    let needed = min(Double(part.size), pace.burst)
    guard !pace.isEmpty(needed, now: now) else {
      wake = pace.time(of: needed, now: now)
      return nil
    }
    turns.removeFirst()
    queue.removeFirst()
    queues[id] = queue.isEmpty ? nil : queue
    if !queue.isEmpty { turns.append(id) }
    return (part.message, id)
  }

  /// So many bytes went to the hub, whatever they were.
  mutating func charge(_ bytes: Int, now: HostTime) { pace.charge(Double(bytes), now: now) }

  mutating func forget(_ id: ParticipantID) {
    queues[id] = nil
    turns.removeAll { $0 == id }
  }

  /// What waits is lost with the link.
  mutating func forgetAll() {
    queues = [:]
    turns = []
    wake = nil
  }
}
