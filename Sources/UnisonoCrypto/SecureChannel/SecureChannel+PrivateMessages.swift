import UnisonoBase
import UnisonoCoordination
import UnisonoWire

/// Private messages: for some of the room; the rest cannot read them (wire 5.4).
extension SecureChannel {
  /// Sends a message that only `recipients` can open; nothing where there is no link or no key yet, or where one of them was
  /// not introduced. Costs 96 bytes and one key agreement for each.
  package mutating func sendPrivately(
    _ message: InnerMessage, to recipients: [ParticipantID], unordered: Bool = false, now: HostTime
  ) -> [ChannelEffect] {
    let others = Set(recipients).subtracting([local])
    let keys = others.compactMap { id in introductions[id].map { (id: id, key: $0.agreementKey) } }
    guard !keys.isEmpty, keys.count == others.count, keys.count <= WireLimits.participants else {
      return [.log(.warning, "a message to some was not sent: one of them is not known here")]
    }
    guard sealing == nil else {
      sealingQueue.append(.some(message, recipients, unordered: unordered))
      return []
    }
    let key = Secret(random: random)
    let text = message.encoded
    let scope = door.scope
    if keys.count > PrivateSealing.slice {
      return begin(
        PrivateSealing(text: text, key: key, scope: scope, recipients: keys.sorted { $0.id < $1.id }, message: message),
        unordered: unordered, now: now)
    }
    return send(to: keys.map { $0.id }.sorted(), unordered: unordered, now: now) { header in
      PrivateSeal.seal(text, header: header, scope: scope, key: key, recipients: keys)
        .map { InnerMessage.private($0).encoded }
    }
  }

  /// Reserves the next counter for a message to many, and seals the first slice; further messages wait, so that counters stay in
  /// order.
  private mutating func begin(_ new: PrivateSealing, unordered: Bool, now: HostTime) -> [ChannelEffect] {
    guard isLinked, let record = speaking.current, let chain = keys[record] else { return [] }
    var new = new
    new.chain = chain
    new.header = EnvelopeHeader(
      kind: unordered ? .unordered : .ordered, epoch: record.epoch, sender: local, lane: lane,
      counter: unordered ? unorderedCounter : orderedCounter)
    if unordered { unorderedCounter += 1 } else { orderedCounter += 1 }
    new.since = now
    sealing = new
    return continueSealing(now: now)
  }

  /// Seals one slice more; at the end sends the message, and those that waited for it.
  mutating func continueSealing(now: HostTime) -> [ChannelEffect] {
    guard var current = sealing, let header = current.header, let chain = current.chain else {
      return sendQueued(now: now)
    }
    let slice = current.recipients.prefix(PrivateSealing.slice)
    current.recipients = current.recipients.dropFirst(slice.count)
    current.since = now
    guard let wraps = PrivateSeal.wraps(of: current.key, header: header, scope: current.scope, recipients: slice) else {
      sealing = nil
      return [.log(.error, "a message to some could not be sealed")] + sendQueued(now: now)
    }
    current.wraps += wraps
    sealing = current
    guard current.recipients.isEmpty else { return [] }
    sealing = nil
    var effects: [ChannelEffect] = []
    if let message = PrivateSeal.close(current.text, header: header, key: current.key, wraps: current.wraps),
      let envelope = try? Envelope.seal(
        InnerMessage.private(message).encoded, header: header, scope: current.scope,
        key: SendKey(chain: chain, scope: current.scope, header: header), author: identity.signing)
    {
      effects.append(.transmit(envelope: envelope, to: current.everybody))
    } else {
      effects.append(.log(.error, "a message to some could not be sealed"))
    }
    return effects + sendQueued(now: now)
  }

  /// Sends the messages that waited, in order; a further message to many makes the rest wait again.
  private mutating func sendQueued(now: HostTime) -> [ChannelEffect] {
    let waiting = sealingQueue
    sealingQueue = []
    return waiting.reduce(into: []) { effects, next in
      switch next {
      case .all(let to, let unordered, let record, let content):
        effects += send(to: to, unordered: unordered, under: record, now: now, content: content)
      case .some(let message, let recipients, let unordered):
        effects += sendPrivately(message, to: recipients, unordered: unordered, now: now)
      }
    }
  }

  /// The lane ended during sealing: the message goes first on the next one.
  mutating func restartSealing() {
    guard let current = sealing, let header = current.header else { return }
    sealing = nil
    sealingQueue.insert(.some(current.message, current.everybody, unordered: header.kind == .unordered), at: 0)
  }

  /// Opens a private message. Only what an application or a person says may be inside.
  mutating func receivePrivate(_ message: PrivateMessage, _ header: EnvelopeHeader, now: HostTime) -> [ChannelEffect] {
    guard
      let text = PrivateSeal.open(
        message, header: header, scope: door.scope, recipient: local, key: identity.agreement)
    else { return refuse(header.sender, .notAddressed, now: now) }
    guard let inner = try? InnerMessage.decode(text) else { return refuse(header.sender, .malformed, now: now) }
    switch inner {
    case .data where inner.fits(header.kind): return [.other(inner, from: header.sender)]
    case .notice, .foreground, .speaking, .request, .answer: return [.other(inner, from: header.sender)]
    default: return refuse(header.sender, .malformed, now: now)
    }
  }
}
