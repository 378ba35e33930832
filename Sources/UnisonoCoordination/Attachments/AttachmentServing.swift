import UnisonoBase
import UnisonoReplica

/// Hands attachments that are here to those who ask, within a budget (wire 8.17).
///
/// Each asker has a short queue, and they take turns: who asks without end takes its share and nobody else's. A piece is
/// read only when it may be sent.
struct AttachmentServing: Sendable {
  struct Piece: Equatable, Sendable {
    var id: AttachmentID
    var offset: UInt64
    var length: Int
    var asker: ParticipantID
  }

  /// Who is given something at a time.
  static let askers = 16
  /// Pieces that are read and not sent yet.
  static let reads = 2
  /// A piece on the link: with its envelope, padded.
  static let cost = 36_992.0
  /// Of what a hub reads of this connection a second three quarters; the rest is for commands.
  static let share = 0.75
  static let greatestRate = 4_194_304.0

  /// Contents that are here, with their lengths.
  private(set) var held: [AttachmentID: UInt64] = [:]
  private var queues: [ParticipantID: [Piece]] = [:]
  /// Whose turn it is, in order.
  private var turns: [ParticipantID] = []
  private var reading = 0
  private var pace = TokenBucket(rate: 0, burst: 0)
  /// Refusals cost bytes, too.
  private var refusals = TokenBucket(rate: 16, burst: 64)

  mutating func hold(_ id: AttachmentID, size: UInt64) { held[id] = size }

  mutating func letGo(_ id: AttachmentID) {
    held[id] = nil
    for (asker, queue) in queues { queues[asker] = queue.filter { $0.id != id } }
  }

  /// The hub reads so many bytes a second of this connection.
  mutating func setRate(_ bytesPerSecond: UInt32, now: HostTime) {
    let rate = min(Double(bytesPerSecond) * Self.share, Self.greatestRate)
    guard rate != pace.rate else { return }
    // One piece goes at once also at a hub that reads little.
    pace = TokenBucket(rate: rate, burst: max(rate / 8, Self.cost), now: now)
  }

  /// Takes in what is asked for; what it returns is to be answered.
  mutating func fetch(
    _ id: AttachmentID, offset: UInt64, count: UInt8, from asker: ParticipantID, now: HostTime
  ) -> AttachmentSaying? {
    guard let size = held[id], offset < size else { return refuse(id, .notHere, now) }
    guard queues[asker] != nil || queues.count < Self.askers else { return refuse(id, .busy, now) }
    var queue = queues[asker] ?? []
    var next = offset
    for _ in 0..<count where next < size {
      let piece = Piece(
        id: id, offset: next, length: Int(min(UInt64(WireLimits.attachmentChunk), size - next)), asker: asker)
      // Asked twice is asked once; what is too much is not given.
      if queue.count < Int(WireLimits.attachmentWindow), !queue.contains(piece) { queue.append(piece) }
      next += UInt64(WireLimits.attachmentChunk)
    }
    if queues[asker] == nil { turns.append(asker) }
    queues[asker] = queue
    return nil
  }

  private mutating func refuse(_ id: AttachmentID, _ reason: AttachmentSaying.Reason, _ now: HostTime) -> AttachmentSaying? {
    refusals.spend(now: now) ? .refusal(id, reason) : nil
  }

  /// Nobody is there any more to whom that would go.
  mutating func forget(allBut present: Set<ParticipantID>) {
    turns.removeAll { !present.contains($0) }
    queues = queues.filter { present.contains($0.key) }
  }

  /// The next piece to be read and sent; nil: none now.
  mutating func next(now: HostTime) -> Piece? {
    while reading < Self.reads, let asker = turns.first {
      guard var queue = queues[asker], !queue.isEmpty else {
        turns.removeFirst()
        queues[asker] = nil
        continue
      }
      guard pace.spend(Self.cost, now: now) else { return nil }
      turns.removeFirst()
      let piece = queue.removeFirst()
      queues[asker] = queue.isEmpty ? nil : queue
      if !queue.isEmpty { turns.append(asker) }
      reading += 1
      return piece
    }
    return nil
  }

  /// A piece was read, or could not be.
  mutating func finishedReading() { reading = max(0, reading - 1) }

  var isIdle: Bool { turns.isEmpty }

  /// Time at which the next piece may go; nil: nobody waits.
  mutating func wake(now: HostTime) -> HostTime? {
    guard !turns.isEmpty, reading < Self.reads else { return nil }
    return pace.time(of: Self.cost, now: now)
  }
}
