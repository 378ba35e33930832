import UnisonoBase
import UnisonoReplica
import UnisonoWire

/// One audience at a hub: who speaks and who listens there, what its slots have, and what is on its way to those who listen. Knows who is
/// to get what; that it is sent is somebody else's affair.
struct Audience {
  /// What a slot has.
  struct Shown {
    let text: RecordText
    let until: HostTime
  }

  /// A frame that is on its way to everybody who listens.
  struct Round {
    var text: RecordText
    /// nil: it is in no slot, and gone for who has much waiting.
    let slot: AudienceSlot?
    /// Those who listened when it began; nil: it has not.
    var receivers: [HubConnection]?
    var next = 0
  }

  /// Frames that wait behind each other for those who listen; with more the publishers rest.
  static let backlog = 8
  private static let rest = Nanoseconds.milliseconds(10)
  /// It is open so long after the last publisher went.
  static let openAfter = Nanoseconds.seconds(600)
  private static let programmeLifetime = Nanoseconds.seconds(86_400)
  private static let recallPause = Nanoseconds.seconds(5)
  /// Who was heard gives way for so long to who was not, once there is more than publishers are given.
  private static let wordPause = Nanoseconds.seconds(5)
  private static let publisherCountPause = Nanoseconds.milliseconds(500)
  private static let listenerCountPause = Nanoseconds.seconds(10)

  private struct Publisher {
    let id: ParticipantID
    let turn: UInt32
    let connection: HubConnection
    let since: HostTime
  }

  private struct Listener {
    let id: ParticipantID
    /// Its place among the connections.
    var index: Int
    var words: TokenBucket
    var recalled: HostTime = .min
    /// When publishers were given something that it said.
    var heard: HostTime = .min
    /// Slots of which it was not sent the newest, as much waited for it.
    var missed: Set<AudienceSlot> = []
  }

  private struct Told {
    var count = AudienceCount(listeners: 0)
    var at: HostTime = .min
  }

  let topic: [UInt8]
  /// Who opened it.
  let opener: AddressKey
  /// Ascending by id.
  private var publishers: [Publisher] = []
  private(set) var listeners: [HubConnection] = []
  /// By the number of the connection.
  private var places: [UInt64: Listener] = [:]
  /// Which connection is the newest of each, and its turn.
  private var newest: [ParticipantID: (connection: HubConnection, turn: UInt32)] = [:]
  private var slots: [AudienceSlot: Shown] = [:]
  private var frames: TokenBucket
  private var bytes: TokenBucket
  /// When publishers were given what listeners said, the last so many times, the oldest first.
  private var heard: [HostTime] = []
  /// What listeners said and publishers were not given.
  private var leftOut: UInt32 = 0
  private var rounds: [Round] = []
  private var toldPublishers = Told()
  private var toldListeners = Told()
  /// When the last publisher went; nil: one is here.
  private var leftAlone: HostTime?

  init(topic: [UInt8], opener: AddressKey, now: HostTime) {
    self.topic = topic
    self.opener = opener
    let (frameRate, byteRate) = (HubLimits.publisherFrames, HubLimits.publisherBytes)
    frames = TokenBucket(rate: frameRate, burst: 2 * frameRate, now: now)
    bytes = TokenBucket(rate: byteRate, burst: 2 * byteRate, now: now)
    leftAlone = now
  }

  var count: Int { listeners.count }
  var publisherCount: Int { publishers.count }
  var publisherConnections: [HubConnection] { publishers.map(\.connection) }
  var isEmpty: Bool { publishers.isEmpty && listeners.isEmpty }

  func members(now: HostTime) -> [Member] {
    publishers.map {
      Member(id: $0.id, connection: UInt64($0.turn), age: UInt32(clamping: now.subtracting($0.since) / .milliseconds(1)))
    }
  }

  /// A publisher is here, or was a moment ago.
  func isOpen(now: HostTime) -> Bool { leftAlone.map { now < $0.adding(Self.openAfter) } ?? true }

  /// Nobody will miss it.
  func isOver(now: HostTime) -> Bool { isEmpty && !isOpen(now: now) && shown(.programme, now: now) == nil }

  /// Whether who comes with this turn is the newest of its id.
  func isNewest(_ id: ParticipantID, turn: UInt32) -> Bool { newest[id].map { $0.turn < turn } ?? true }

  // MARK: Who is here

  /// Whoever judged that it may has seen to its turn. Returns the older connection of the same participant.
  mutating func enter(_ connection: HubConnection, _ id: ParticipantID, turn: UInt32, role: EntryRole, now: HostTime) -> HubConnection? {
    let replaced = newest[id]?.connection
    if let replaced { _ = remove(replaced, id, now: now) }
    newest[id] = (connection, turn)
    if role == .publisher {
      let publisher = Publisher(id: id, turn: turn, connection: connection, since: now)
      publishers.insert(publisher, at: publishers.firstIndex { $0.id > id } ?? publishers.count)
      leftAlone = nil
    } else {
      let words = TokenBucket(rate: HubLimits.listenerFrames / 10, burst: HubLimits.listenerFrames, now: now)
      places[connection.number] = Listener(id: id, index: listeners.count, words: words)
      listeners.append(connection)
    }
    return replaced
  }

  /// A connection is over; true: it was a publisher's newest, and the others are to be told.
  mutating func leave(_ connection: HubConnection, _ id: ParticipantID, now: HostTime) -> Bool {
    guard newest[id]?.connection === connection else { return false }
    newest[id] = nil
    return remove(connection, id, now: now)
  }

  private mutating func remove(_ connection: HubConnection, _ id: ParticipantID, now: HostTime) -> Bool {
    if let listener = places.removeValue(forKey: connection.number) {
      let last = listeners.removeLast()
      if last !== connection {
        listeners[listener.index] = last
        places[last.number]?.index = listener.index
      }
      return false
    }
    publishers.removeAll { $0.connection === connection }
    if publishers.isEmpty { leftAlone = now }
    return true
  }

  /// Connections of these, where they are here.
  func connections(of ids: [ParticipantID]) -> [HubConnection] { ids.compactMap { newest[$0]?.connection } }

  // MARK: What is said

  /// Until when publishers are not read; nil: they are.
  mutating func mustRest(now: HostTime) -> HostTime? {
    if frames.isEmpty(now: now) { return frames.time(now: now) }
    if bytes.isEmpty(now: now) { return bytes.time(now: now) }
    return rounds.count >= Self.backlog ? now.adding(Self.rest) : nil
  }

  mutating func chargePublisher(_ length: Int, now: HostTime) {
    frames.charge(1, now: now)
    bytes.charge(Double(length), now: now)
  }

  /// A listener says something other than that it is there; false: it did so too often.
  mutating func chargeListener(_ connection: HubConnection, now: HostTime) -> Bool {
    places[connection.number]?.words.spend(now: now) ?? false
  }

  /// Whether publishers are given one thing more, of this listener: so many in any second, the second half of them only of who was not
  /// heard lately. What is not given is counted.
  mutating func chargeHeard(_ connection: HubConnection, now: HostTime) -> Bool {
    heard.removeAll { now >= $0.adding(.seconds(1)) }
    let wasHeard = places[connection.number].map { now.subtracting($0.heard) < Self.wordPause } ?? true
    guard heard.count < (wasHeard ? HubLimits.listenerWordsInAll / 2 : HubLimits.listenerWordsInAll) else {
      leftOut = leftOut == .max ? .max : leftOut + 1
      return false
    }
    heard.append(now)
    places[connection.number]?.heard = now
    return true
  }

  /// Whether a listener is answered what the slots have.
  mutating func mayRecall(_ connection: HubConnection, now: HostTime) -> Bool {
    guard let listener = places[connection.number], now.subtracting(listener.recalled) >= Self.recallPause else { return false }
    places[connection.number]?.recalled = now
    return true
  }

  mutating func show(_ text: RecordText, in slot: AudienceSlot, now: HostTime) {
    slots[slot] = Shown(text: text, until: slot == .programme ? now.adding(Self.programmeLifetime) : .max)
    add(text, slot)
  }

  /// What a slot has; nil: nothing that is still good.
  func shown(_ slot: AudienceSlot, now: HostTime) -> RecordText? {
    guard let shown = slots[slot], now < shown.until, slot == .programme || isOpen(now: now) else { return nil }
    return shown.text
  }

  // MARK: Rounds

  var hasRounds: Bool { !rounds.isEmpty }

  /// A frame for everybody who listens. What is in a slot takes the place of what was there before and has not begun.
  mutating func add(_ text: RecordText, _ slot: AudienceSlot? = nil) {
    guard !listeners.isEmpty else { return }
    if let slot, let index = rounds.firstIndex(where: { $0.slot == slot && $0.receivers == nil }) {
      rounds[index].text = text
    } else {
      rounds.append(Round(text: text, slot: slot))
    }
  }

  /// The next receivers of the frame that is on its way, at most so many; nil: there is none.
  mutating func next(atMost most: Int) -> (text: RecordText, slot: AudienceSlot?, receivers: [HubConnection])? {
    guard var round = rounds.first else { return nil }
    let receivers = round.receivers ?? listeners
    let end = min(receivers.count, round.next + most)
    let some = receivers[round.next..<end].filter { !$0.isClosed }
    round.receivers = receivers
    round.next = end
    if end == receivers.count { rounds.removeFirst() } else { rounds[0] = round }
    return (round.text, round.slot, some)
  }

  /// Much waits for a listener: it gets what the slot has once it has read.
  mutating func miss(_ slot: AudienceSlot, _ connection: HubConnection) { places[connection.number]?.missed.insert(slot) }

  /// A listener has read what waited: what it was not sent meanwhile and is still there, in the slots' order.
  mutating func catchUp(_ connection: HubConnection, now: HostTime) -> [(text: RecordText, slot: AudienceSlot)] {
    guard let missed = places[connection.number]?.missed, !missed.isEmpty else { return [] }
    places[connection.number]?.missed = []
    return AudienceSlot.allCases.filter(missed.contains).compactMap { slot in shown(slot, now: now).map { ($0, slot) } }
  }

  // MARK: Counts

  /// In two significant digits.
  static func rounded(_ count: UInt32) -> UInt32 {
    var unit: UInt64 = 1
    while UInt64(count) / unit >= 100 { unit *= 10 }
    return UInt32(clamping: (UInt64(count) + unit / 2) / unit * unit)
  }

  /// For publishers.
  private var exact: AudienceCount { AudienceCount(listeners: UInt32(clamping: count), leftOut: leftOut) }
  /// For listeners.
  private var round: AudienceCount { AudienceCount(listeners: Self.rounded(exact.listeners)) }

  /// What a newcomer is told.
  func count(for role: EntryRole) -> AudienceCount { role == .publisher ? exact : round }

  /// When a count is to be told next; nil: what was told is right.
  var countDue: HostTime? {
    let forPublishers =
      publishers.isEmpty || toldPublishers.count == exact ? nil : toldPublishers.at.adding(Self.publisherCountPause)
    let forListeners =
      listeners.isEmpty || toldListeners.count == round ? nil : toldListeners.at.adding(Self.listenerCountPause)
    return [forPublishers, forListeners].compactMap { $0 }.min()
  }

  /// The count that publishers are to be told now. Listeners' goes on its way as a round.
  mutating func tellCount(now: HostTime) -> AudienceCount? {
    if toldListeners.count != round, now >= toldListeners.at.adding(Self.listenerCountPause) {
      toldListeners = Told(count: round, at: now)
      add(RecordText(.count(round)))
    }
    guard toldPublishers.count != exact, now >= toldPublishers.at.adding(Self.publisherCountPause) else { return nil }
    toldPublishers = Told(count: exact, at: now)
    return exact
  }
}
