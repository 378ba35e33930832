import UnisonoCore

/// Words for some of the room that the rest cannot read (wire 5.4).
extension SecureRoom {
  /// Sends a message that only `recipients` can open; nothing where there is no link or no key yet, or where one of them was
  /// not introduced. Costs 96 bytes and one key agreement for each.
  public mutating func sendPrivately(
    _ message: InnerMessage, to recipients: [ParticipantID], unordered: Bool = false, now: HostTime
  ) -> [RoomEffect] {
    let others = Set(recipients).subtracting([local])
    let keys = others.compactMap { id in roster[id].map { (id: id, key: $0.agreementKey) } }
    guard !keys.isEmpty, keys.count == others.count, keys.count <= WireLimits.participants else {
      return [.log(.warning, "a message to some was not sent: one of them is not known here")]
    }
    guard sealing == nil else {
      behind.append(.some(message, recipients, unordered: unordered))
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
    return send(to: keys.map(\.id).sorted(), unordered: unordered, now: now) { header in
      PrivateSeal.seal(text, header: header, scope: scope, key: key, recipients: keys)
        .map { InnerMessage.private($0).encoded }
    }
  }

  /// Takes the next counter for a message to many, and seals the first slice; what else is said waits behind it, so that
  /// counters stay in order.
  private mutating func begin(_ new: PrivateSealing, unordered: Bool, now: HostTime) -> [RoomEffect] {
    guard isLinked, keyring != nil else { return [] }
    let beginning = orderedCounter == 0 ? introduceSelf(now: now) : []
    keyring?.advanceIfOld(now: now)
    guard let epoch = keyring?.newest else { return [] }
    var new = new
    new.epoch = epoch
    new.header = EnvelopeHeader(
      kind: unordered ? .unordered : .ordered, epoch: epoch.id, generation: epoch.generation, sender: local, lane: lane,
      counter: unordered ? unorderedCounter : orderedCounter)
    if unordered { unorderedCounter += 1 } else { orderedCounter += 1 }
    new.since = now
    sealing = new
    return beginning + continueSealing(now: now)
  }

  /// One slice more; at the end the message goes, and what waited behind it.
  mutating func continueSealing(now: HostTime) -> [RoomEffect] {
    guard var current = sealing, let header = current.header, let epoch = current.epoch else {
      return sendBehind(now: now)
    }
    let slice = current.recipients.prefix(PrivateSealing.slice)
    current.recipients = current.recipients.dropFirst(slice.count)
    current.since = now
    guard let wraps = PrivateSeal.wraps(of: current.key, header: header, scope: current.scope, recipients: slice) else {
      sealing = nil
      return [.log(.error, "a message to some could not be sealed")] + sendBehind(now: now)
    }
    current.wraps += wraps
    sealing = current
    guard current.recipients.isEmpty else { return [] }
    sealing = nil
    var effects: [RoomEffect] = []
    if let message = PrivateSeal.close(current.text, header: header, key: current.key, wraps: current.wraps),
      let envelope = try? Envelope.seal(
        InnerMessage.private(message).encoded, header: header, scope: current.scope,
        key: SendKey(chain: epoch.chain, scope: current.scope, header: header), author: identity.signing)
    {
      effects.append(.transmit(envelope: envelope, to: current.everybody))
    } else {
      effects.append(.log(.error, "a message to some could not be sealed"))
    }
    return effects + sendBehind(now: now)
  }

  /// What was said meanwhile, in its order; a further message to many makes the rest wait again.
  private mutating func sendBehind(now: HostTime) -> [RoomEffect] {
    let waiting = behind
    behind = []
    return waiting.reduce(into: []) { effects, next in
      switch next {
      case .all(let to, let unordered, let content):
        effects += send(to: to, unordered: unordered, now: now, content: content)
      case .some(let message, let recipients, let unordered):
        effects += sendPrivately(message, to: recipients, unordered: unordered, now: now)
      }
    }
  }

  /// The lane ended under it: it is said anew on the next, before what waited behind it.
  mutating func restartSealing() {
    guard let current = sealing, let header = current.header else { return }
    sealing = nil
    behind.insert(.some(current.message, current.everybody, unordered: header.kind == .unordered), at: 0)
  }

  /// What is inside is taken as if it had come by itself, but only what an application or a person says.
  mutating func takePrivate(_ message: PrivateMessage, _ header: EnvelopeHeader, now: HostTime) -> [RoomEffect] {
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
