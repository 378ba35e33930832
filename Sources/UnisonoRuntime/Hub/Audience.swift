import UnisonoBase
import UnisonoReplica
import UnisonoWire

/// One audience at a hub: who speaks and who listens there, what its slots have, and what is on its way to those who listen. Knows who is
/// to get what; that it is sent is somebody else's affair. Of other hubs of the set it knows what it was told: who publishes there, how
/// many listen, and what the slots have.
struct Audience {
  /// What a slot has.
  struct Shown {
    let text: RecordText
    let envelope: [UInt8]
    /// At whichever hub.
    let at: HostTime
    let until: HostTime
  }

  /// What is known of an audience before it is here.
  struct Elsewhere {
    var publishers: [Member] = []
    /// Of who listens, and of what they said.
    var count = AudienceCount(listeners: 0)
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
  /// With more, what other hubs' publishers say in no slot is left out: these cannot be made to rest.
  private static let mostBacklog = 64
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
    let connection: HubConnection
  }

  private struct Listener {
    let id: ParticipantID
    /// Its place among the connections.
    var index: Int
    var words: TokenBucket
    var recalled: HostTime = .min
    /// Slots of which it was not sent the newest, as much waited for it.
    var missed: Set<AudienceSlot> = []
  }

  private struct Told {
    var count = AudienceCount(listeners: 0)
    var at: HostTime = .min
  }

  let topic: [UInt8]
  /// Who opened it; nil: it was opened at another hub.
  let opener: AddressKey?
  /// Who publishes at any hub, with their turns.
  private var present: [ParticipantID: UInt32]
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
  /// Of whom publishers here were given something, of the last 5 s, the oldest first.
  private var heard: ArraySlice<(id: ParticipantID, at: HostTime)> = []
  /// What listeners here said and publishers were not given, and what of other hubs' was left out here.
  private var leftOut: UInt32 = 0
  private var leftOutOfOthers: UInt32 = 0
  /// At other hubs.
  private var elsewhere: AudienceCount
  private var tallies = ListenerTallies()
  /// What most listeners have counted, at all hubs.
  private var greatest: (ready: [Tally], reactions: [Tally]) = ([], [])
  private var rounds: [Round] = []
  private var toldPublishers = Told()
  private var toldListeners = Told()
  /// When the last publisher, at any hub, went; nil: one is there.
  private var leftAlone: HostTime?

  /// `alone`: when the last publisher went, where nobody publishes elsewhere.
  init(topic: [UInt8], opener: AddressKey?, elsewhere: Elsewhere, alone: HostTime, now: HostTime) {
    self.topic = topic
    self.opener = opener
    self.elsewhere = elsewhere.count
    present = Dictionary(elsewhere.publishers.map { ($0.id, UInt32(clamping: $0.connection)) }, uniquingKeysWith: max)
    let (frameRate, byteRate) = (HubLimits.publisherFrames, HubLimits.publisherBytes)
    frames = TokenBucket(rate: frameRate, burst: 2 * frameRate, now: now)
    bytes = TokenBucket(rate: byteRate, burst: 2 * byteRate, now: now)
    leftAlone = present.isEmpty ? alone : nil
    addUp()
  }

  var count: Int { listeners.count }
  var publisherCount: Int { publishers.count }
  var publisherConnections: [HubConnection] { publishers.map(\.connection) }
  var isEmpty: Bool { publishers.isEmpty && listeners.isEmpty }

  /// A publisher is there, or was a moment ago.
  func isOpen(now: HostTime) -> Bool { leftAlone.map { now < $0.adding(Self.openAfter) } ?? true }

  /// Nobody will miss it: where a publisher is, at another hub, who comes finds it.
  func isOver(now: HostTime) -> Bool {
    isEmpty && (leftAlone == nil || !isOpen(now: now) && shown(.programme, now: now) == nil)
  }

  /// Whether who comes with this turn is the newest of its id.
  func isNewest(_ id: ParticipantID, turn: UInt32) -> Bool { newest[id].map { $0.turn < turn } ?? true }

  // MARK: Who is here

  /// Whoever judged that it may has seen to its turn. Returns the older connection of the same participant.
  mutating func enter(_ connection: HubConnection, _ id: ParticipantID, turn: UInt32, role: EntryRole, now: HostTime) -> HubConnection? {
    let replaced = newest[id]?.connection
    if let replaced { _ = remove(replaced, id, now: now) }
    newest[id] = (connection, turn)
    if role == .publisher {
      publishers.insert(Publisher(id: id, connection: connection), at: publishers.firstIndex { $0.id > id } ?? publishers.count)
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
      tallies.forget(connection.number)
      let last = listeners.removeLast()
      if last !== connection {
        listeners[listener.index] = last
        places[last.number]?.index = listener.index
      }
      return false
    }
    publishers.removeAll { $0.connection === connection }
    return true
  }

  /// Somebody publishes, at whichever hub. Returns an older connection of the same participant that listens here.
  mutating func joined(_ id: ParticipantID, turn: UInt32) -> HubConnection? {
    present[id] = turn
    leftAlone = nil
    guard let known = newest[id], known.turn < turn, places[known.connection.number] != nil else { return nil }
    return known.connection
  }

  /// A publisher's connection is over, at whichever hub.
  mutating func gone(_ id: ParticipantID, turn: UInt64, now: HostTime) {
    guard present[id].map({ UInt64($0) == turn }) ?? false else { return }
    present[id] = nil
    if present.isEmpty { leftAlone = now }
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

  /// A listener has something counted; false: too soon after the last time.
  mutating func add(_ kind: TallyKind, _ tag: UInt64, from connection: HubConnection, now: HostTime) -> Bool {
    guard places[connection.number] != nil else { return false }
    return tallies.add(kind, tag, from: connection.number, now: now)
  }

  /// Whether publishers are given one thing more, of this listener: so many in any second, the second half of them only of who was not
  /// heard lately. What is not given is counted. `isHere`: it listens at this hub, else at another.
  mutating func chargeHeard(_ id: ParticipantID, isHere: Bool, now: HostTime) -> Bool {
    while let first = heard.first, now >= first.at.adding(Self.wordPause) { heard.removeFirst() }
    // No more than five seconds' worth.
    let count = heard.reversed().prefix(while: { now < $0.at.adding(.seconds(1)) }).count
    guard count < HubLimits.listenerWordsInAll / 2 || count < HubLimits.listenerWordsInAll && !heard.contains(where: { $0.id == id })
    else {
      if isHere {
        leftOut = UInt32(clamping: UInt64(leftOut) + 1)
      } else {
        leftOutOfOthers = UInt32(clamping: UInt64(leftOutOfOthers) + 1)
      }
      return false
    }
    heard.append((id, now))
    return true
  }

  /// Whether a listener is answered what the slots have.
  mutating func mayRecall(_ connection: HubConnection, now: HostTime) -> Bool {
    guard let listener = places[connection.number], now.subtracting(listener.recalled) >= Self.recallPause else { return false }
    places[connection.number]?.recalled = now
    return true
  }

  /// `at`: when, at whichever hub, it was shown.
  mutating func show(_ envelope: [UInt8], as text: RecordText, in slot: AudienceSlot, at: HostTime) {
    let until = slot == .programme ? at.adding(Self.programmeLifetime) : .max
    slots[slot] = Shown(text: text, envelope: envelope, at: at, until: until)
    add(text, slot)
  }

  /// Whether what another hub keeps in a slot is newer than what is here. `isOld`: that hub did not know all that came here.
  func isNews(_ kept: AudienceStanding.Kept, isOld: Bool) -> Bool {
    guard let shown = slots[kept.slot] else { return true }
    return !isOld && shown.at < kept.at && shown.envelope != kept.envelope
  }

  /// Another hub knows when the last publisher went.
  mutating func wasAlone(since time: HostTime) {
    if let known = leftAlone { leftAlone = max(known, time) }
  }

  /// For other hubs.
  func standing(now: HostTime) -> AudienceStanding {
    let kept = AudienceSlot.allCases.compactMap { slot -> AudienceStanding.Kept? in
      guard let shown = slots[slot], isGood(shown, in: slot, now: now) else { return nil }
      return AudienceStanding.Kept(slot: slot, at: shown.at, envelope: shown.envelope)
    }
    let here = AudienceCount(
      listeners: UInt32(clamping: count), leftOut: leftOut, ready: tallies.ready, reactions: tallies.reactions)
    return AudienceStanding(count: here, alone: leftAlone, kept: kept)
  }

  private func isGood(_ shown: Shown, in slot: AudienceSlot, now: HostTime) -> Bool {
    now < shown.until && (slot == .programme || isOpen(now: now))
  }

  /// What a slot has; nil: nothing that is still good.
  func shown(_ slot: AudienceSlot, now: HostTime) -> RecordText? {
    guard let shown = slots[slot], isGood(shown, in: slot, now: now) else { return nil }
    return shown.text
  }

  // MARK: Rounds

  var hasRounds: Bool { !rounds.isEmpty }
  /// There is a place for what is in no slot.
  var hasPlaceForRound: Bool { rounds.count < Self.mostBacklog }

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
  private var exact: AudienceCount {
    AudienceCount(
      listeners: UInt32(clamping: UInt64(count) + UInt64(elsewhere.listeners)),
      leftOut: UInt32(clamping: UInt64(leftOut) + UInt64(leftOutOfOthers) + UInt64(elsewhere.leftOut)),
      ready: greatest.ready, reactions: greatest.reactions)
  }
  /// For listeners.
  private var round: AudienceCount {
    let reactions = exact.reactions.map { Tally(tag: $0.tag, count: Self.rounded($0.count)) }
    return AudienceCount(listeners: Self.rounded(exact.listeners), reactions: reactions)
  }

  /// Other hubs said how many listen there.
  mutating func setElsewhere(_ new: AudienceCount) {
    elsewhere = new
    addUp()
  }

  /// Counts what listeners here have counted, if that is due; true: it is another result.
  mutating func countTallies(now: HostTime) -> Bool {
    guard tallies.count(now: now) else { return false }
    addUp()
    return true
  }

  private func sum(_ here: [Tally], _ elsewhere: [Tally]) -> [Tally] {
    Tally.greatest(of: Tally.sum([here, elsewhere]), atMost: Tally.most)
  }

  private mutating func addUp() {
    greatest = (sum(tallies.ready, elsewhere.ready), sum(tallies.reactions, elsewhere.reactions))
  }

  /// What a newcomer is told.
  func count(for role: EntryRole) -> AudienceCount { role == .publisher ? exact : round }

  /// When something is to be counted or told next; nil: what was told is right.
  var countDue: HostTime? {
    let forPublishers =
      publishers.isEmpty || toldPublishers.count == exact ? nil : toldPublishers.at.adding(Self.publisherCountPause)
    let forListeners =
      listeners.isEmpty || toldListeners.count == round ? nil : toldListeners.at.adding(Self.listenerCountPause)
    return [forPublishers, forListeners, tallies.due].compactMap { $0 }.min()
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
