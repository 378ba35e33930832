import UnisonoBase
import UnisonoCoordination
import UnisonoWire

/// Delivery of what the application and people say: reliable and unreliable messages, notices, speaking (wire 4.6, 11.3).
///
/// Pure but for `outgoing`, which any thread asks. Messages wait in the `Messenger` until content keys are there and the link
/// has room; those of others pass the `MessageInbox`. Its outputs are to be carried out in their order.
struct MessageDelivery {
  /// Bytes that wait at the link from which on messages wait here: that leaves room for commands.
  static let linkQueue = 65_536

  /// What waits for its place.
  struct Cued {
    var bytes: [UInt8]
    var label: MessageLabel?
  }

  enum Output {
    case transmit(InnerMessage, to: [ParticipantID]?, isPrivate: Bool = false, unordered: Bool = false)
    case deliver(SessionEvent)
  }

  /// Room for messages of the application that wait; asked by any thread.
  let outgoing = OutgoingBudget()
  private var messenger: Messenger
  private var inbox = MessageInbox()
  /// What waits for its place in an item.
  private var cues = CuedMessages<Cued>()
  /// Senders whose messages did not all have room there, and until when that is not said again.
  private var crowded: [ParticipantID: HostTime] = [:]
  /// Content keys are there: something can be said.
  private(set) var canSpeak = false
  /// This participant speaks.
  private(set) var isSpeaking = false
  /// The others who speak.
  private(set) var speakers: Set<ParticipantID> = []
  /// Participants who can hear this one.
  private var greeted: Set<ParticipantID> = []

  init(numbersAfter number: UInt64 = 0) { messenger = Messenger(numbersAfter: number) }

  // MARK: Sending

  /// Queues the application's bytes, for which `outgoing` has reserved room. `to` nil: to all others.
  mutating func send(_ bytes: [UInt8], label: MessageLabel?, isReliable: Bool, to: [ParticipantID]?) {
    messenger.enqueue(Messenger.Outgoing(bytes, label: label, isReliable: isReliable, to: to))
  }

  /// The same, to be delivered at a place of an item. False: too many wait for theirs.
  mutating func send(
    _ bytes: [UInt8], label: MessageLabel?, at cue: MessageCue, to: [ParticipantID]?, by local: ParticipantID, now: HostTime
  ) -> Bool {
    // Others keep as many of this participant's; the own playback says when they are done with.
    let own = CuedMessages<Cued>.Message(
      sender: local, item: cue.item, itemTime: cue.itemTime, content: nil, size: 0, arrived: now)
    guard cues.hasRoom(for: own) else { return false }
    _ = cues.add(own, now: now)
    messenger.enqueue(Messenger.Outgoing(bytes, label: label, cue: cue, isReliable: true, to: to))
    return true
  }

  /// A message of the application that is not sent gives its room back.
  func release(_ length: Int) -> [Output] { outgoing.release(length) ? [.deliver(.writable)] : [] }

  private func release(_ lengths: [Int]) -> [Output] { lengths.flatMap(release) }

  /// While nothing can be said, messages that need not arrive are given up.
  mutating func dropUnreliable() -> [Output] { release(messenger.dropUnreliable()) }

  /// The session is over for this participant: all that waits is given up.
  mutating func dropAll() -> [Output] { release(messenger.dropAll()) }

  /// Outputs of the next message that may go to the link now; nil: none may.
  ///
  /// - Parameter audience: participants who belong to the session, but for this one.
  mutating func next(audience: Set<ParticipantID>, now: HostTime) -> [Output]? {
    guard canSpeak, let message = messenger.next(audience: audience, now: now) else { return nil }
    var outputs: [Output] = []
    // One who left meanwhile hears nothing, and keeps nobody else from it.
    let to = (message.again ?? message.to)?.filter(audience.contains)
    if to != [] {
      let data = InnerMessage.data(
        number: message.number, bytes: message.bytes, previous: message.previous, label: message.label, cue: message.cue)
      outputs.append(.transmit(data, to: to, isPrivate: message.to != nil, unordered: !message.isReliable))
    }
    return message.again == nil ? outputs + release(message.bytes.count) : outputs
  }

  /// Says that this participant begins or ends speaking.
  mutating func setSpeaking(_ speaking: Bool) -> [Output] {
    guard speaking != isSpeaking, canSpeak || !speaking else { return [] }
    isSpeaking = speaking
    return [.transmit(.speaking(speaking), to: nil)]
  }

  /// Lets newcomers know that this participant speaks, once they can hear.
  mutating func greet(_ change: ParticipantsChange) -> [Output] {
    for view in change.left { greeted.remove(view.id) }
    let ids = (change.joined + change.updated).filter { !$0.isLocal && $0.connection == .connected }.map { $0.id }
    let new = ids.filter { greeted.insert($0).inserted }
    return isSpeaking && !new.isEmpty ? [.transmit(.speaking(true), to: new)] : []
  }

  // MARK: Receiving

  mutating func receive(
    _ bytes: [UInt8], label: MessageLabel?, cue: MessageCue?, number: UInt64, previous: UInt64?, from sender: ParticipantID,
    now: HostTime
  ) -> [Output] {
    let message = MessageInbox.Message(sender: sender, number: number, bytes: bytes, label: label, cue: cue)
    guard number > 0 else { return deliver(message, isReliable: false, now: now) }
    return inbox.receive(message, previous: previous, now: now).flatMap { deliver($0, isReliable: true, now: now) }
  }

  /// Hands a message to the host, now or at its place.
  private mutating func deliver(_ message: MessageInbox.Message, isReliable: Bool, now: HostTime) -> [Output] {
    guard let cue = message.cue else {
      return [.deliver(.message(message.bytes, label: message.label, cue: nil, sender: message.sender, isReliable: isReliable))]
    }
    let cued = CuedMessages<Cued>.Message(
      sender: message.sender, item: cue.item, itemTime: cue.itemTime, content: Cued(bytes: message.bytes, label: message.label),
      size: message.bytes.count, arrived: now)
    guard cues.hasRoom(for: cued) else { return drop(cued, now: now) }
    return Self.deliver(cues.add(cued, now: now))
  }

  private mutating func drop(_ message: CuedMessages<Cued>.Message, now: HostTime) -> [Output] {
    crowded = crowded.filter { $0.value > now }
    guard crowded[message.sender] == nil else { return [] }
    let until = now.adding(.seconds(60))
    crowded[message.sender] = until
    let ignored = Ignored(participant: message.sender, byOther: false, reason: nil, until: until, part: .cues)
    return [.deliver(.log(.warning, ignored.sentence)), .deliver(.ignored(ignored))]
  }

  /// Where the own playback is and goes by now.
  mutating func follow(_ playback: OwnPlayback?, now: HostTime) -> [Output] {
    Self.deliver(cues.follow(playback, now: now))
  }

  private static func deliver(_ messages: [CuedMessages<Cued>.Message]) -> [Output] {
    messages.compactMap { message in
      message.content.map {
        let cue = MessageCue(item: message.item, itemTime: message.itemTime)
        return .deliver(.message($0.bytes, label: $0.label, cue: cue, sender: message.sender, isReliable: true))
      }
    }
  }

  mutating func recordSpeaking(_ id: ParticipantID, _ speaks: Bool) -> [Output] {
    let changes = speaks ? speakers.insert(id).inserted : speakers.remove(id) != nil
    return changes ? [.deliver(.speaking(id, speaks))] : []
  }

  /// Gives up waiting for messages that are overdue.
  mutating func tick(now: HostTime) -> [Output] {
    messenger.tick(now: now)
    let (messages, lost) = inbox.tick(now: now)
    return lost.map { .deliver(.log(.warning, "messages of participant \($0) were lost with its link")) }
      + messages.flatMap { deliver($0, isReliable: true, now: now) }
  }

  var nextWake: HostTime? { [inbox.nextWake, cues.nextWake, canSpeak ? messenger.nextWake : nil].compactMap { $0 }.min() }

  // MARK: Links

  /// Content keys are there: what an old link may have swallowed is repeated first.
  mutating func secured(now: HostTime) {
    canSpeak = true
    messenger.repeatAll(now: now)
  }

  mutating func linkDown() -> [Output] {
    canSpeak = false
    isSpeaking = false
    defer { speakers = [] }
    return speakers.sorted().map { .deliver(.speaking($0, false)) }
  }

  /// This participant was away since `lost`; after too long what was said meanwhile was not for it.
  mutating func returned(lostAt lost: HostTime, now: HostTime) {
    if now.subtracting(lost) > Messenger.memory { inbox.forgetOrder() }
  }

  /// Another participant is back: what it may have missed is repeated for it, unless it was away too long.
  mutating func returned(_ id: ParticipantID, lostAt lost: HostTime, now: HostTime) {
    if now.subtracting(lost) <= Messenger.memory {
      messenger.repeatFor(id, lostAt: lost, now: now)
    } else {
      inbox.forgetOrder(of: id)
    }
  }

  /// A participant that was lost is not awaited any more.
  mutating func forget(_ id: ParticipantID) { inbox.forgetOrder(of: id) }
}
