import UnisonoBase
import UnisonoCrypto
import UnisonoWire

/// One connection to a hub: its stage, what it has used up of its limits, and what waits in both directions.
///
/// Phases: `silent`, from the first byte on; `challenged`, once it said OPEN, from where on everything is sealed; `entered`, in a room; then
/// closed, for good.
/// Beside these reading may rest (`rest`, `resume`) while its limits are used up. It judges itself alone (`checkLiveness`,
/// `mustRest`); what follows from that is up to the `HubServer`, which is the only one to call it, on the loop's thread.
///
/// A class, because it is a socket's owner: its place in the hub's tables and in timers must be one and the same.
final class HubConnection {
  enum Stage {
    /// Has said nothing that makes sense yet; gets no byte before it does.
    case silent
    /// Was asked to prove itself.
    case challenged(HubHandshake)
    /// In a room.
    case entered(Membership)
  }

  /// Place of a connection in a room.
  struct Membership {
    let room: UInt64
    /// The room's name.
    let topic: [UInt8]
    let id: ParticipantID
    /// Which of the participant's entries this is: what others know the connection by.
    let turn: UInt32
    /// Names the connection in clock probes.
    let token: UInt64
    /// What it is there as; `room` is the number of an audience for who is no member of a room.
    let role: EntryRole
  }

  /// What becomes of a frame that is to be sent.
  enum Acceptance {
    /// It waits to be sealed, the first one to do so.
    case first
    /// It waits behind others.
    case queued
    /// Left out: the connection is closed, or much waits already.
    case omitted
    /// Left out: so much waits that the other side cannot be reading.
    case overflow
  }

  /// Result of the check once a second.
  enum Liveness: Equatable {
    case alive
    /// Took too long to enter.
    case neverEntered
    /// Sent more than it may for so long that reading rested for too long.
    case floods
    /// Began a frame and did not complete it in time.
    case incompleteFrame
    /// Silent for a while: to be asked by PING.
    case silent
    /// Silent for too long.
    case dead
  }

  /// Counts up with every connection of this hub.
  let number: UInt64
  let stream: HubStream
  /// Listening socket that it came through.
  let socket: HubSocket
  /// Whom its limits are for.
  private(set) var address: AddressKey
  private(set) var stage = Stage.silent
  private(set) var isClosed = false
  /// What the gate counts it as.
  private(set) var place = EntryGate.Place.unentered
  /// Frames that came before entry, the present one included.
  private(set) var unenteredFrames = 0

  private var accepted: HostTime
  private var assembler = FrameAssembler(limit: HubLimits.unenteredBytes)
  private var bytes: TokenBucket
  private var frames: TokenBucket
  /// All bytes that came.
  private var receivedBytes = 0
  private var lastHeard: HostTime
  /// Time of the last PING that answered silence.
  private var pinged: HostTime?
  /// Since when a frame is begun and not complete.
  private var frameBegun: HostTime?
  /// Since when reading rests.
  private var restingSince: HostTime?

  /// nil: what comes and goes is in clear yet.
  private var opener: RecordOpener?
  private var sealer: RecordSealer?

  /// What waits to be sealed, and the sizes of what was and waits in the stream.
  private var unsealed = UnsealedQueue()
  private var sealed = OutboundQueue()
  /// With more that waits it is closed, bytes.
  private var longestQueue = HubLimits.outboundBytes
  /// Whether anything waited in the stream when it was looked at last.
  private var isBehind = false
  /// Shares of this connection in the budgets, as accounted last, bytes.
  private(set) var inboundShare = 0
  private(set) var outboundShare = 0

  init(
    number: UInt64, stream: HubStream, socket: HubSocket, address: AddressKey, limits: HubLimits, now: HostTime
  ) {
    self.number = number
    self.stream = stream
    self.socket = socket
    self.address = address
    accepted = now
    lastHeard = now
    bytes = TokenBucket(rate: Double(limits.bytesPerSecond), burst: 2 * Double(limits.bytesPerSecond), now: now)
    frames = TokenBucket(rate: limits.framesPerSecond, burst: limits.framesBurst, now: now)
  }

  /// nil: not in a room.
  var membership: Membership? {
    if case .entered(let membership) = stage { membership } else { nil }
  }

  /// Name for the log: the participant if it is known, else the address.
  var name: String { membership.map { "participant \($0.id)" } ?? "connection from \(stream.peer.host)" }

  // MARK: Phases

  /// Sends CHALLENGE in clear, and IDENTITY as the first record.
  func challenge(_ handshake: HubHandshake, through buffer: SealingBuffer) {
    stage = .challenged(handshake)
    writeInClear(.challenge(handshake.challenge))
    opener = handshake.opener
    sealer = handshake.sealer
    assembler.limit = HubLimits.unenteredBytes
    unsealed.append(RecordText(.identity(handshake.identity)))
    _ = flush(through: buffer)
  }

  /// It turned out to be of another address, before it entered.
  func move(to address: AddressKey) { self.address = address }

  /// The gate counts it among those from now on, whether it finds a place in the room or not.
  func count(as role: EntryRole) { place = role == .listener ? .listening : .entered }

  func enter(_ membership: Membership, now: HostTime) {
    stage = .entered(membership)
    assembler.limit = RecordText.greatestRecord
    guard membership.role == .listener else { return }
    assembler.limit = HubLimits.listenerRecord
    bytes = TokenBucket(rate: HubLimits.listenerBytes, burst: 4 * HubLimits.listenerBytes, now: now)
    longestQueue = HubLimits.listenerQueue
  }

  /// Nothing is read from it or written to it any more; the stream is its owner's to close.
  func markClosed() {
    isClosed = true
    unsealed = UnsealedQueue()
  }

  // MARK: Reading

  /// Accepts bytes of the stream; false: more than a connection may send before it has entered.
  func receive(_ new: [UInt8], now: HostTime) -> Bool {
    lastHeard = now
    pinged = nil
    receivedBytes += new.count
    if membership == nil, receivedBytes > HubLimits.unenteredBytes { return false }
    bytes.charge(Double(new.count), now: now)
    assembler.append(new)
    return true
  }

  /// The next complete frame; nil: none. After an error nothing more can be read.
  func nextFrame(now: HostTime) throws(RecordError) -> RawFrame? {
    let content: [UInt8]?
    do { content = try assembler.nextContent() } catch { throw .malformed(error) }
    guard let content else { return nil }
    let frame = try opener?.open(content) ?? RawFrame(type: content[0], body: Array(content[1...]))
    frames.charge(1, now: now)
    if membership == nil { unenteredFrames += 1 }
    return frame
  }

  /// Until when it may not be read by its own limits; nil: it may.
  func mustRest(now: HostTime) -> HostTime? {
    if bytes.isEmpty(now: now) { return bytes.time(now: now) }
    return frames.isEmpty(now: now) ? frames.time(now: now) : nil
  }

  /// Ends a round of reading: bounds the time that a frame which is begun may take. `handled`: frames were.
  func finishReading(handled: Bool, rests: Bool, now: HostTime) {
    // While it rests, time for a begun frame does not run: the rest has its own bound.
    if rests || assembler.pending == 0 {
      frameBegun = nil
    } else if handled || frameBegun == nil {
      frameBegun = now
    }
  }

  /// Reading stops, if it had not.
  func rest(now: HostTime) {
    guard restingSince == nil else { return }
    restingSince = now
    stream.setReading(false)
  }

  /// Reading goes on; false: it had not stopped.
  func resume(now: HostTime) -> Bool {
    guard restingSince != nil else { return false }
    restingSince = nil
    lastHeard = now
    stream.setReading(true)
    return true
  }

  // MARK: Liveness

  /// The hub itself stood still for so long: it could hear nothing of what was said meanwhile, so none of it counts.
  func excuse(_ length: Nanoseconds, now: HostTime) {
    func later(_ time: HostTime) -> HostTime { min(now, time.adding(length)) }
    accepted = later(accepted)
    lastHeard = later(lastHeard)
    frameBegun = frameBegun.map(later)
    restingSince = restingSince.map(later)
  }

  /// Result of a check now. `silent` comes once in `HubLimits.pingAfter`: the caller sends PING.
  func checkLiveness(now: HostTime) -> Liveness {
    guard membership != nil else {
      return now.subtracting(accepted) >= HubLimits.unenteredTime ? .neverEntered : .alive
    }
    if let since = restingSince { return now.subtracting(since) > HubLimits.stoppedTime ? .floods : .alive }
    if let begun = frameBegun, now.subtracting(begun) > HubLimits.frameTime { return .incompleteFrame }
    let silence = now.subtracting(lastHeard)
    if silence >= HubLimits.deadAfter { return .dead }
    guard silence >= HubLimits.pingAfter, now.subtracting(pinged ?? .min) >= HubLimits.pingAfter else { return .alive }
    pinged = now
    return .silent
  }

  // MARK: Writing and memory

  /// Bytes that wait to be sent, sealed or not.
  private var queuedBytes: Int { unsealed.bytes + (isBehind ? stream.queuedBytes : 0) }

  /// Sends a frame that comes before the link has keys.
  func writeInClear(_ frame: HubFrame) {
    let bytes = frame.encoded
    stream.write(bytes)
    sealed.wrote(bytes.count)
    isBehind = true
  }

  /// Has a record wait until `flush`. `mayDrop`: it is left out where much waits.
  func accept(_ text: RecordText, mayDrop: Bool) -> Acceptance {
    if isClosed { return .omitted }
    let queued = queuedBytes
    if mayDrop && queued > HubLimits.unorderedBytes { return .omitted }
    if queued + text.recordLength > longestQueue { return .overflow }
    let isFirst = unsealed.isEmpty
    unsealed.append(text)
    return isFirst ? .first : .queued
  }

  /// Seals what waits, not far ahead of the socket, and sends it. False: this link carried 2^32 records, and is at its end.
  func flush(through buffer: SealingBuffer) -> Bool {
    var isAlive = true
    var queued = isBehind ? stream.queuedBytes : 0
    while isAlive, !unsealed.isEmpty, queued < HubLimits.sealedAhead {
      buffer.removeAll()
      while isAlive, queued + buffer.count < HubLimits.sealedAhead, let text = unsealed.popFirst() {
        guard let head = stream.head(of: text.recordLength) else { continue }
        isAlive = sealer?.seal(text, into: buffer.room(for: text.recordLength, behind: head)) ?? false
        if isAlive { buffer.add(text.recordLength, behind: head) }
      }
      queued = stream.send(buffer.bytes)
      // Where the socket took all of it there are no books to keep.
      if queued > 0 { for length in buffer.lengths { sealed.wrote(length) } }
    }
    isBehind = queued > 0
    return isAlive
  }

  /// Brings `budget` up to date with the bytes received here that wait; none once it is closed.
  func account(inbound budget: inout ByteBudget) { budget.change(&inboundShare, to: isClosed ? 0 : assembler.held) }

  /// Brings `budget` up to date with what it costs to keep what waits to be sent; nothing once it is closed.
  func account(outbound budget: inout ByteBudget) {
    if outboundShare == 0, !isBehind, unsealed.isEmpty { return }
    let waiting = isBehind ? stream.queuedBytes : 0
    let cost = sealed.cost(queued: waiting) + unsealed.bytes + unsealed.count * HubLimits.frameCost
    budget.change(&outboundShare, to: isClosed ? 0 : cost)
  }
}
