import UnisonoBase
import UnisonoCoordination
import UnisonoReplica
import UnisonoWire

/// Seals what this participant says, in the order in which it is said: lanes, counters, and a message to many that takes several turns, for
/// which everything else waits (wire 4.2, 5.4).
struct OrderedSealing {
  /// A message that waits until another is sealed.
  enum Queued {
    case all([ParticipantID]?, unordered: Bool, under: RecordID?, content: (EnvelopeHeader) -> [UInt8]?)
    case some(InnerMessage, [ParticipantID], unordered: Bool)
  }

  private(set) var lane = Lane(index: 0, random: 0)
  private var orderedCounter: UInt64 = 0
  private var unorderedCounter: UInt64 = 0
  private var doorCounter: UInt64 = 0
  /// Message to many that is being sealed.
  private var many: PrivateSealing?
  private var queue: [Queued] = []
  private let author: Identity

  init(author: Identity) { self.author = author }

  // MARK: Lanes

  /// Draws a new lane; a message that was being sealed goes first on it.
  mutating func beginLane(random: (Int) -> [UInt8]) {
    if let current = many {
      many = nil
      queue.insert(.some(current.message, current.everybody, unordered: current.header.kind == .unordered), at: 0)
    }
    lane = Lane(index: lane.index &+ 1, random: random(8).reduce(0) { $0 << 8 | UInt64($1) })
    orderedCounter = 0
    unorderedCounter = 0
    doorCounter = 0
  }

  /// The next lane's number comes after this one.
  mutating func beginLanes(after index: UInt32) { lane = Lane(index: index, random: 0) }

  /// What waits is lost with the link.
  mutating func forgetWaiting() {
    many = nil
    queue = []
  }

  // MARK: Sealing

  /// A message to many is being sealed: what is said meanwhile waits in `enqueue`.
  var isBusy: Bool { many != nil }

  /// Host time since which the next slice is due.
  var since: HostTime? { many?.since }

  mutating func enqueue(_ message: Queued) { queue.append(message) }

  /// The messages that waited, in order.
  mutating func popQueue() -> [Queued] {
    defer { queue = [] }
    return queue
  }

  private func header(_ record: RecordID, unordered: Bool) -> EnvelopeHeader {
    EnvelopeHeader(
      kind: unordered ? .unordered : .ordered, epoch: record.epoch, sender: author.id, lane: lane,
      counter: unordered ? unorderedCounter : orderedCounter)
  }

  private mutating func count(unordered: Bool) {
    if unordered { unorderedCounter += 1 } else { orderedCounter += 1 }
  }

  /// Seals a message under a record. `content` may need to know the header that it travels under; nil: it cannot be said.
  mutating func seal(
    under record: RecordID, _ chain: Secret, scope: Scope, to: [ParticipantID]?, unordered: Bool,
    content: (EnvelopeHeader) -> [UInt8]?
  ) -> [ChannelEffect] {
    let header = header(record, unordered: unordered)
    guard let content = content(header) else { return [] }
    do {
      let envelope = try Envelope.seal(
        content, header: header, scope: scope, key: SendKey(chain: chain, scope: scope, header: header), author: author.signing)
      count(unordered: unordered)
      return [.transmit(envelope: envelope, to: to)]
    } catch {
      return [.log(.error, "a message could not be sealed: \(error)")]
    }
  }

  /// Seals HELLO, WELCOME and notices with what the invite gives.
  mutating func sealAtDoor(_ content: [UInt8], _ door: Door) throws(EnvelopeError) -> [UInt8] {
    let header = EnvelopeHeader(kind: .door, epoch: .none, sender: author.id, lane: lane, counter: doorCounter)
    let envelope = try Envelope.seal(
      content, header: header, scope: door.scope, key: SendKey(chain: door.chain, scope: door.scope, header: header),
      author: author.signing)
    doorCounter += 1
    return envelope
  }

  /// Reserves the next counter for a message to many; further messages wait, so that counters stay in order.
  mutating func begin(
    _ message: InnerMessage, _ text: [UInt8], key: Secret, to recipients: [(id: ParticipantID, key: AgreementPublicKey)],
    under record: RecordID, _ chain: Secret, scope: Scope, unordered: Bool, now: HostTime
  ) {
    many = PrivateSealing(
      text: text, key: key, scope: scope, recipients: recipients, message: message, header: header(record, unordered: unordered),
      chain: chain, since: now)
    count(unordered: unordered)
  }

  /// Seals one slice more of the message to many; at the end it goes out. False: there is more to seal, and what waits goes on waiting.
  mutating func goOn(_ effects: inout [ChannelEffect], now: HostTime) -> Bool {
    guard var current = many else { return true }
    let slice = current.recipients.prefix(PrivateSealing.slice)
    current.recipients = current.recipients.dropFirst(slice.count)
    current.since = now
    guard let wraps = PrivateSeal.wraps(of: current.key, header: current.header, scope: current.scope, recipients: slice) else {
      many = nil
      effects.append(.log(.error, "a message to some could not be sealed"))
      return true
    }
    current.wraps += wraps
    many = current
    guard current.recipients.isEmpty else { return false }
    many = nil
    if let message = PrivateSeal.close(current.text, header: current.header, key: current.key, wraps: current.wraps),
      let envelope = try? Envelope.seal(
        InnerMessage.private(message).encoded, header: current.header, scope: current.scope,
        key: SendKey(chain: current.chain, scope: current.scope, header: current.header), author: author.signing)
    {
      effects.append(.transmit(envelope: envelope, to: current.everybody))
    } else {
      effects.append(.log(.error, "a message to some could not be sealed"))
    }
    return true
  }
}
