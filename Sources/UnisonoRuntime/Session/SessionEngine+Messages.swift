import UnisonoCore

/// What the application and people say: messages, notices, asking to the front, speaking (wire 4.6, 11.3).
extension SessionEngine {
  /// Above this the link has enough to do: what waits here leaves room for commands.
  private static let linkQueue = 65_536

  /// Sends the application's bytes, for which `outgoing` gave room. `to` nil: to all others.
  public func send(_ bytes: [UInt8], isReliable: Bool, to: [ParticipantID]?) {
    guard state.status == .joined, to != [] else { return release(bytes.count) }
    messenger.take(Messenger.Outgoing(bytes, isReliable: isReliable, to: to))
    pumpMessages()
  }

  public func post(_ notice: NoticeMessage) {
    guard state.status == .joined else { return }
    transmit(.notice(notice), to: nil)
  }

  public func requestForeground() {
    guard state.status == .joined else { return }
    transmit(.foreground(startedInBackground), to: nil)
  }

  public func setSpeaking(_ speaking: Bool) {
    guard state.status == .joined, speaking != isSpeaking, canSpeak || !speaking else { return }
    isSpeaking = speaking
    transmit(.speaking(speaking), to: nil)
  }

  /// Hands to the link what it can take now.
  func pumpMessages() {
    guard let client else { return }
    guard canSpeak else {
      // Nobody waits for it.
      for length in messenger.dropUnreliable() { release(length) }
      return
    }
    let audience = directory.known.subtracting([identity.id])
    while client.queuedBytes < Self.linkQueue, let message = messenger.next(audience: audience, now: environment.now) {
      let data = InnerMessage.data(number: message.number, bytes: message.bytes, previous: message.previous)
      // Who left meanwhile hears nothing, and keeps nobody else from it.
      let to = (message.again ?? message.to)?.filter(audience.contains)
      if to != [] { transmit(data, to: to, isPrivate: message.to != nil, unordered: !message.isReliable) }
      if message.again == nil { release(message.bytes.count) }
    }
  }

  private func release(_ length: Int) {
    if outgoing.release(length) { deliver(.writable) }
  }

  /// The session is over for this participant: nothing that waits will be sent.
  func dropMessages() {
    for length in messenger.dropAll() { release(length) }
  }

  // MARK: Receiving

  func take(_ message: InnerMessage, from sender: ParticipantID) {
    switch message {
    case .bye:
      directory.forget(sender)
      isDirectoryStale = true
      handle(.presence(joined: [], gone: [Departure(id: sender, connection: .max, left: true)]))
    case _ where state.status != .joined: return
    case .data(0, let bytes, _): deliver(.message(bytes, sender: sender, isReliable: false))
    case .data(let number, let bytes, let previous):
      let message = MessageInbox.Message(sender: sender, number: number, bytes: bytes)
      tell(inbox.take(message, previous: previous, now: environment.now))
    case .notice(let notice): deliver(.notice(notice, originator: sender))
    case .foreground: deliver(.foregroundRequested(sender))
    case .speaking(let speaking): note(sender, speaks: speaking)
    case .request(let number, let request): take(number, request, from: sender)
    case .answer(let asker, let number, let isGranted):
      take(answerTo: asker, number, isGranted: isGranted, from: sender)
    case .ignoring(let message):
      if let ignored = ignoredBy.note(message, from: sender, now: environment.now) { tell(ignored) }
    default: return
    }
  }

  func tickMessages() {
    let (messages, lost) = inbox.tick(now: environment.now)
    pumpMessages()
    for id in lost { deliver(.log(.warning, "messages of participant \(id) were lost with its link")) }
    tell(messages)
  }

  private func tell(_ messages: [MessageInbox.Message]) {
    for message in messages { deliver(.message(message.bytes, sender: message.sender, isReliable: true)) }
  }

  func tell(_ ignored: Ignored) {
    deliver(.log(.warning, ignored.sentence))
    deliver(.ignored(ignored))
  }

  private func note(_ id: ParticipantID, speaks: Bool) {
    let changes = speaks ? speakers.insert(id).inserted : speakers.remove(id) != nil
    if changes { deliver(.speaking(id, speaks)) }
  }

  // MARK: The link

  /// Content keys are there: what an old link may have swallowed is said again first.
  func beginSpeaking() {
    canSpeak = true
    messenger.repeatAll(now: environment.now)
    pumpMessages()
  }

  func ceaseSpeaking() {
    canSpeak = false
    isSpeaking = false
    for id in speakers.sorted() { note(id, speaks: false) }
  }

  /// In a room: who is not there yet has lost its link as well.
  func noteAbsent(since lost: HostTime?, members: [Member]) {
    let now = environment.now
    let present = Set(members.map(\.id))
    for id in directory.known where id != identity.id && !present.contains(id) {
      lostAt[id] = lostAt[id] ?? lost ?? now
    }
    if let lost, now.subtracting(lost) > Messenger.memory { inbox.forgetOrder() }
  }

  func notePresence(joined: [Member], gone: [Departure]) {
    let now = environment.now
    for departure in gone {
      note(departure.id, speaks: false)
      lostAt[departure.id] = departure.left ? nil : now
    }
    for member in joined {
      guard let lost = lostAt.removeValue(forKey: member.id) else { continue }
      if now.subtracting(lost) <= Messenger.memory {
        messenger.repeatFor(member.id, lostAt: lost, now: now)
      } else {
        inbox.forgetOrder(of: member.id)
      }
    }
    pumpMessages()
  }

  /// Newcomers hear that we speak, once they can hear.
  func greet(_ change: ParticipantsChange) {
    for view in change.left { greeted.remove(view.id) }
    let ids = (change.joined + change.updated).filter { !$0.isLocal && $0.connection == .connected }.map(\.id)
    let new = ids.filter { greeted.insert($0).inserted }
    if isSpeaking, !new.isEmpty { transmit(.speaking(true), to: new) }
  }

  /// The activity's lifetime may be its initiator's.
  func endWithInitiator(_ left: [ParticipantView]) {
    guard let initiator, initiator.endsSession, let gone = left.first(where: { $0.id == initiator.id }) else { return }
    let name = gone.displayName.isEmpty ? gone.id.description : gone.displayName
    invalidate(.ended, "ended with \(name), who began the activity")
  }

  /// Says something inside the group's envelope; nothing while there is no link or no key. `isPrivate`: the others
  /// cannot read it.
  func transmit(_ message: InnerMessage, to: [ParticipantID]?, isPrivate: Bool = false, unordered: Bool = false) {
    let now = environment.now
    guard isPrivate, let to else { return carryOut(room.send(message, to: to, unordered: unordered, now: now)) }
    carryOut(room.sendPrivately(message, to: to, unordered: unordered, now: now))
  }
}
