import UnisonoBase
import UnisonoWire

/// Outbox of the application's messages: their numbers, those that wait, and those to be repeated after a link was lost.
struct Messenger {
  struct Outgoing: Equatable {
    var number: UInt64 = 0
    /// Reliable, to all: the number of the one before, so that a receiver sees what it lacks. Else nil.
    var previous: UInt64?
    let bytes: [UInt8]
    /// What the bytes are.
    let label: MessageLabel?
    /// Where in an item it is delivered; nil: at once.
    let cue: MessageCue?
    let isReliable: Bool
    /// nil: everybody.
    let to: [ParticipantID]?
    /// Repeated for these alone; they know it by its number if it had come.
    var again: [ParticipantID]?
    var sent: HostTime = 0

    init(
      _ bytes: [UInt8], label: MessageLabel? = nil, cue: MessageCue? = nil, isReliable: Bool, to: [ParticipantID]?
    ) {
      self.bytes = bytes
      self.label = label
      self.cue = cue
      self.isReliable = isReliable
      self.to = to
    }
  }

  /// Time for which sent messages are kept: one who lost its link for longer is a newcomer.
  static let memory = Nanoseconds.seconds(30)
  /// Time for which a receiver's link may have been dead before anybody noticed.
  static let slack = Nanoseconds.seconds(16)
  /// Bytes kept to be repeated.
  static let memoryLimit = 1 << 20
  /// Messages a second and at once: fewer than a hub forwards of one connection (200, 400) and receivers check of one sender,
  /// so that commands find room between them and nothing is refused for its number.
  static let perSecond = 150.0
  static let burst = 300.0

  private var pace: TokenBucket?
  /// Until when the pace holds back what waits, as of when it was to go; nil: it does not.
  private var heldUntil: HostTime?
  private var waiting: [Outgoing] = []
  private var repeats: [Outgoing] = []
  private var sent: [Outgoing] = []
  private var sentBytes = 0
  private var lastNumber: UInt64
  private var lastToAll: UInt64 = 0
  /// Audience of each message when it was sent, by number: newcomers get no old ones.
  private var audiences: [UInt64: Set<ParticipantID>] = [:]

  /// - Parameter number: receivers may know those up to this one, of another day.
  init(numbersAfter number: UInt64 = 0) { lastNumber = number }

  /// Queues a message.
  mutating func enqueue(_ message: Outgoing) { waiting.append(message) }

  /// Next message to send; nil: none. Repetitions first, so that the order stays.
  mutating func next(audience: Set<ParticipantID>, now: HostTime) -> Outgoing? {
    heldUntil = nil
    guard !repeats.isEmpty || !waiting.isEmpty else { return nil }
    if pace?.isEmpty(now: now) == true {
      heldUntil = pace?.time(now: now)
      return nil
    }
    pace = pace ?? TokenBucket(rate: Self.perSecond, burst: Self.burst, now: now)
    pace?.charge(1, now: now)
    if !repeats.isEmpty { return repeats.removeFirst() }
    var message = waiting.removeFirst()
    // Number 0: nobody asks whether it came.
    guard message.isReliable else { return message }
    lastNumber += 1
    message.number = lastNumber
    message.sent = now
    if message.to == nil {
      message.previous = lastToAll
      lastToAll = message.number
    }
    remember(message, audience: audience)
    return message
  }

  /// Time at which a message that waits for its pace may go; nil: it waits for something else, or nothing waits.
  var nextWake: HostTime? { repeats.isEmpty && waiting.isEmpty ? nil : heldUntil }

  /// The pace holds back nothing any more whose time has come; it may wait for the link.
  mutating func tick(now: HostTime) {
    if let heldUntil, now >= heldUntil { self.heldUntil = nil }
  }

  /// Gives up messages that need not arrive, as there is no link; returns the lengths.
  mutating func dropUnreliable() -> [Int] {
    defer { waiting.removeAll { !$0.isReliable } }
    return waiting.filter { !$0.isReliable }.map { $0.bytes.count }
  }

  /// Gives up all that waits; returns the lengths.
  mutating func dropAll() -> [Int] {
    defer { waiting = [] }
    return waiting.map { $0.bytes.count }
  }

  private mutating func remember(_ message: Outgoing, audience: Set<ParticipantID>) {
    sent.append(message)
    sentBytes += message.bytes.count
    audiences[message.number] = message.to.map(Set.init) ?? audience
    forget(now: message.sent)
  }

  private mutating func forget(now: HostTime) {
    var count = 0
    while count < sent.count, sentBytes > Self.memoryLimit || now.subtracting(sent[count].sent) > Self.memory {
      sentBytes -= sent[count].bytes.count
      audiences[sent[count].number] = nil
      count += 1
    }
    sent.removeFirst(count)
  }

  /// Repeats what the old link may have swallowed: the own link is new.
  mutating func repeatAll(now: HostTime) {
    forget(now: now)
    repeats = sent.map { message in
      var message = message
      message.again = audiences[message.number].map { $0.sorted() }
      return message
    }
  }

  /// Repeats for a participant, whose link was lost at `lost`, what it may have missed.
  mutating func repeatFor(_ id: ParticipantID, lostAt lost: HostTime, now: HostTime) {
    forget(now: now)
    let since = lost.subtracting(Self.slack)
    repeats += sent.filter { $0.sent >= since && audiences[$0.number]?.contains(id) == true }.map { message in
      var message = message
      message.again = [id]
      return message
    }
  }
}
