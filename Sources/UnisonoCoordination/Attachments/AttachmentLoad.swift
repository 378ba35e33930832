import UnisonoBase
import UnisonoReplica

/// One attachment on its way here, from whoever has it, piece by piece (wire 8.17).
///
/// It asks one member at a time, in order; pieces come in the order in which they were asked for. Who is silent, refuses or goes is
/// left, and another one asked from there on. When all is here the whole is compared with its hash. What an earlier load left in the
/// file counts as come, of nobody knows whom, until then.
struct AttachmentLoad: Sendable {
  enum Phase: Equatable, Sendable {
    /// Others are loaded before it.
    case waiting
    /// Its file is made.
    case opening
    case fetching
    /// All bytes are to be thrown away, once those that are being written are.
    case restarting
    case checking
  }

  enum Step: Equatable, Sendable {
    case open
    case fetch(offset: UInt64, count: UInt8, from: ParticipantID)
    case write(offset: UInt64, [UInt8])
    case restart
    case check
    case progress
    /// Nobody who was asked has it.
    case giveUp
  }

  /// Who is silent for so long is left.
  static let patience: Nanoseconds = .seconds(4)
  /// Before all are asked again.
  static let pause: Nanoseconds = .seconds(3)
  /// Without any byte.
  static let limit: Nanoseconds = .seconds(60)
  static let progressInterval: Nanoseconds = .milliseconds(250)
  /// A piece that takes longer, or less, to come makes the window smaller, or larger.
  static let slow: Nanoseconds = .milliseconds(600)
  static let quick: Nanoseconds = .milliseconds(300)
  private static let piece = UInt64(WireLimits.attachmentChunk)

  let number: UInt64
  let offer: AttachmentOffer
  private(set) var phase = Phase.waiting
  private(set) var received: UInt64 = 0
  private var written: UInt64 = 0
  private var requested: UInt64 = 0
  private var window: UInt64 = 2
  private(set) var source: ParticipantID?
  /// The last one that was left as it was silent, and what it was asked for: where many ask one, pieces come late.
  private var late: (id: ParticipantID, requested: UInt64)?
  /// Asked in vain since all were asked.
  private var asked: Set<ParticipantID> = []
  /// Whose bytes did not match.
  private var liars: Set<ParticipantID> = []
  /// Whose bytes are here.
  private(set) var givers: Set<ParticipantID> = []
  /// Some bytes were there before it began.
  private(set) var isResumed = false
  /// All bytes are to be of one member.
  private var isPinned = false
  private var sourceUntil: HostTime = .max
  private var askAgainAt: HostTime = .min
  private var lastByteAt: HostTime
  private var toldAt: HostTime = .min
  private var gapUntil: HostTime = .min
  private var measured: (offset: UInt64, at: HostTime)?

  init(number: UInt64, offer: AttachmentOffer, now: HostTime) {
    self.number = number
    self.offer = offer
    lastByteAt = now
  }

  var id: AttachmentID { offer.value.id }
  var size: UInt64 { offer.value.size }
  /// Bytes of somebody did not match, and nobody else has it.
  var wasLiedTo: Bool { !liars.isEmpty }

  var nextWake: HostTime? {
    guard phase == .fetching else { return nil }
    let next = source == nil ? askAgainAt : sourceUntil
    return min(next, lastByteAt.adding(Self.limit))
  }

  mutating func begin(now: HostTime) -> [Step] {
    phase = .opening
    lastByteAt = now
    return [.open]
  }

  /// Its file is there, and so many bytes in it.
  mutating func opened(present: UInt64, now: HostTime) -> [Step] {
    phase = .fetching
    lastByteAt = now
    guard present > 0 else { return [] }
    isResumed = true
    (received, written, requested) = (present, present, present)
    toldAt = now
    return [.progress]
  }

  /// The bytes come of another place.
  mutating func fill() {
    phase = .checking
    (received, written, requested) = (size, size, size)
  }

  /// In a room anew: what was asked for may be lost.
  mutating func entered(now: HostTime) {
    asked = []
    requested = received
    source = nil
    late = nil
    measured = nil
    askAgainAt = now
    lastByteAt = now
  }

  /// `candidates`: who is there, in the order in which they are asked.
  mutating func settle(_ candidates: [ParticipantID], now: HostTime) -> [Step] {
    guard phase == .fetching else { return [] }
    if received == size { return written == size ? check() : [] }
    guard now.subtracting(lastByteAt) < Self.limit else { return [.giveUp] }
    if let source, !candidates.contains(source) || now >= sourceUntil {
      late = (source, requested)
      asked.insert(source)
      self.source = nil
      askAgainAt = now
    }
    if source == nil, !choose(candidates, now) { return [] }
    if phase == .restarting { return restartIfPossible() }
    return ask(now)
  }

  /// False: there is nobody to ask now.
  private mutating func choose(_ candidates: [ParticipantID], _ now: HostTime) -> Bool {
    guard now >= askAgainAt else { return false }
    guard let next = candidates.first(where: { !asked.contains($0) && !liars.contains($0) }) else {
      asked = []
      askAgainAt = now.adding(Self.pause)
      return false
    }
    source = next
    sourceUntil = .max
    requested = received
    window = 2
    if isPinned, !givers.isEmpty, givers != [next] {
      phase = .restarting
    }
    return true
  }

  private mutating func ask(_ now: HostTime) -> [Step] {
    guard let source else { return [] }
    // What is not written yet takes up room: a slow disk slows the others down.
    let end = min(size, written + window * Self.piece)
    // In steps of half a window: as few questions as keep the pieces coming.
    guard end > requested, requested - received <= window / 2 * Self.piece || end == size else { return [] }
    let count = (end - requested + Self.piece - 1) / Self.piece
    let offset = requested
    requested = min(size, requested + count * Self.piece)
    if measured == nil { measured = (offset, now) }
    sourceUntil = now.adding(Self.patience)
    return [.fetch(offset: offset, count: UInt8(clamping: count), from: source)]
  }

  /// A piece came. What was not asked for, or not of this one, changes nothing.
  mutating func receive(_ bytes: [UInt8], offset: UInt64, from sender: ParticipantID, now: HostTime) -> [Step] {
    guard phase == .fetching else { return [] }
    if sender != source { takeUp(sender, offset: offset) }
    guard sender == source, offset < requested, offset >= received else { return [] }
    guard offset == received else {
      // One before it is lost: it is asked for again, once for all that are on their way behind it.
      guard now >= gapUntil else { return [] }
      gapUntil = now.adding(Self.slow)
      requested = received
      measured = nil
      return []
    }
    guard bytes.count == Int(min(Self.piece, size - offset)) else { return [] }
    received += UInt64(bytes.count)
    givers.insert(sender)
    asked = []
    lastByteAt = now
    sourceUntil = received < requested ? now.adding(Self.patience) : .max
    adaptWindow(to: offset, now)
    var steps: [Step] = [.write(offset: offset, bytes)]
    if received == size || now.subtracting(toldAt) >= Self.progressInterval {
      toldAt = now
      steps.append(.progress)
    }
    return steps
  }

  /// The next piece comes of who was left as it was silent: it is the one that is asked, again.
  private mutating func takeUp(_ sender: ParticipantID, offset: UInt64) {
    guard let left = late, left.id == sender, offset == received, offset < left.requested, !isPinned else { return }
    source = sender
    requested = left.requested
    late = nil
    measured = nil
  }

  private mutating func adaptWindow(to offset: UInt64, _ now: HostTime) {
    guard let asked = measured, offset >= asked.offset else { return }
    let delay = now.subtracting(asked.at)
    measured = nil
    if delay > Self.slow {
      window = max(1, window / 2)
    } else if delay < Self.quick {
      window = min(UInt64(WireLimits.attachmentWindow), window + 1)
    }
  }

  /// Who was asked has it not, or not now.
  mutating func refused(by sender: ParticipantID, now: HostTime) {
    guard phase == .fetching, sender == source, requested > received else { return }
    asked.insert(sender)
    source = nil
    askAgainAt = now
  }

  mutating func wrote(_ count: Int) -> [Step] {
    written += UInt64(count)
    return phase == .restarting ? restartIfPossible() : []
  }

  private mutating func check() -> [Step] {
    phase = .checking
    return [.check]
  }

  private mutating func restartIfPossible() -> [Step] {
    guard written == received else { return [] }
    (received, written, requested) = (0, 0, 0)
    givers = []
    return [.restart]
  }

  /// The bytes are thrown away.
  mutating func restarted(now: HostTime) {
    phase = .fetching
    lastByteAt = now
  }

  /// The bytes are not those that were offered. Returns who gave them all.
  mutating func doubt() -> (givers: Set<ParticipantID>, steps: [Step]) {
    // What was there before may be what is wrong: nobody is blamed, and all is asked for.
    let all = isResumed ? [] : givers
    if all.count == 1 { liars.formUnion(all) }
    // Of several nobody knows which one it was: the next time all are of one.
    isPinned = !isResumed
    isResumed = false
    phase = .restarting
    source = nil
    asked = []
    askAgainAt = .min
    return (all, restartIfPossible())
  }
}
