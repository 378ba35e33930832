import UnisonoBase
import UnisonoCrypto
import UnisonoReplica
import UnisonoWire

/// All audiences of a hub (wire 3.14): who may speak and listen in which, what of what they say is taken, and who gets it when.
///
/// Phases of one: it is opened by a publisher's entry; open, while one is here and for 10 min after; at rest, until somebody publishes
/// again or its programme is too old; over. Of what is open at other hubs of the set it knows what somebody here asked for (`learn`), for
/// as long as somebody is here.
///
/// Each call may leave something to be done, which the hub takes with `next` until there is nothing; `endHandingOut` says when to `tick`.
/// What everybody who listens gets goes out in turns, so that what is said in rooms goes in between.
struct Audiences {
  /// Receivers in one turn, and from one turn to the next.
  static let perTurn = 256
  static let pause = Nanoseconds.microseconds(50)
  /// At rest with nobody in them, at most.
  static let resting = 256
  /// Numbers of audiences begin here: none is a room's, too.
  private static let numbers: UInt64 = 1 << 63

  /// Why somebody is turned down.
  enum Refusal: Equatable {
    /// The room is of another kind.
    case auth
    /// Nobody published there lately.
    case notOpen
    case replaced
  }

  /// Something that the hub is to do.
  enum Effect {
    case deliver(Delivery)
    /// A publisher here said something: for other hubs.
    case said(topic: [UInt8], ParticipantID, to: [ParticipantID]?, slot: AudienceSlot?, envelope: [UInt8])
    /// A listener here said something to publishers: for other hubs.
    case hand(topic: [UInt8], envelope: [UInt8])
    /// For other hubs, an audience stands so; nil: it is none any more.
    case stand(topic: [UInt8], AudienceStanding?)
  }

  /// Something to be sent.
  struct Delivery {
    let audience: UInt64
    let text: RecordText
    let receivers: [HubConnection]
    /// Left out for who has much waiting.
    let mayDrop: Bool
    let slot: AudienceSlot?
  }

  private var limits: HubLimits
  private var numbers: [[UInt8]: UInt64] = [:]
  private var audiences: [UInt64: Audience] = [:]
  private var lastNumber = numbers
  /// Audiences with something on its way, in turn.
  private var sending: [UInt64] = []
  private var work: ArraySlice<Effect> = []
  /// Names of those that other hubs are to be told of that they are none any more, and numbers of those of which how they stand.
  private var removed: ArraySlice<[UInt8]> = []
  private var standing: Set<UInt64> = []
  private var isHandingOut = false
  private var hasNews = false
  /// When the hub ticks next.
  private var alarm = HostTime.max
  /// Names of those that were removed.
  private var forgotten: [[UInt8]] = []
  private(set) var listeners = 0
  /// Those that have to be looked at whether what they were told of how many listen is right.
  private var counting: Set<UInt64> = []

  init(limits: HubLimits) { self.limits = limits }

  mutating func setLimits(_ new: HubLimits) { limits = new }

  /// Also those at rest.
  var count: Int { audiences.count }
  /// Ascending.
  var all: [UInt64] { audiences.keys.sorted() }
  /// In audiences, in all.
  var people: Int { listeners + audiences.values.reduce(0) { $0 + $1.publisherCount } }

  func topic(of number: UInt64) -> [UInt8]? { audiences[number]?.topic }

  /// Whether a publisher is there, or was within 10 min.
  func isOpen(_ topic: [UInt8], now: HostTime) -> Bool { audience(of: topic)?.isOpen(now: now) ?? false }

  /// Whether somebody may be let in who listens.
  func mayListen(now: HostTime) -> Bool { audiences.values.contains { $0.isOpen(now: now) } }

  private func audience(of topic: [UInt8]) -> Audience? { numbers[topic].flatMap { audiences[$0] } }

  // MARK: Entry

  /// nil: who proved that may be where it wants to. `isRoom`: somebody is in the ordinary room of the same name, at any hub.
  func refusal(of entry: HubEntry, isRoom: Bool, now: HostTime) -> Refusal? {
    let known = audience(of: entry.topic)
    guard entry.role != .member else { return known.map { $0.isOpen(now: now) || !$0.isEmpty } ?? false ? .auth : nil }
    if isRoom { return .auth }
    if entry.role == .listener, !(known?.isOpen(now: now) ?? false) { return .notOpen }
    return known.map { $0.isNewest(entry.participant, turn: entry.turn) } ?? true ? nil : .replaced
  }

  /// Opens an audience for who publishes, if there is none; false: there are too many, `rooms` ordinary ones among them.
  mutating func open(
    _ topic: [UInt8], by address: AddressKey, elsewhere: Audience.Elsewhere, rooms: Int, now: HostTime
  ) -> Bool {
    sweep(now: now)
    guard numbers[topic] == nil else { return true }
    for key in address.all {
      let others = audiences.filter { $0.value.opener?.all.contains(key) ?? false }
      guard others.count >= limits.roomsPerAddress * key.shares else { continue }
      guard let oldest = others.filter({ $0.value.isEmpty }).keys.min() else { return false }
      remove(oldest)
    }
    guard rooms + audiences.count < limits.rooms else { return false }
    add(Audience(topic: topic, opener: address, elsewhere: elsewhere, alone: now, now: now))
    return true
  }

  private mutating func add(_ audience: Audience) {
    lastNumber += 1
    numbers[audience.topic] = lastNumber
    audiences[lastNumber] = audience
    changed(lastNumber)
  }

  /// Lets somebody in whom nothing refuses; nil: the audience is gone. `older` is the connection of the same participant before.
  mutating func enter(_ entry: HubEntry, _ connection: HubConnection, now: HostTime) -> (number: UInt64, older: HubConnection?)? {
    guard let number = numbers[entry.topic], let before = audiences[number]?.count else { return nil }
    let older = audiences[number]?.enter(connection, entry.participant, turn: entry.turn, role: entry.role, now: now)
    listeners += (audiences[number]?.count ?? 0) - before
    changed(number)
    return (number, older)
  }

  /// After a newcomer was shown who publishes: what the slots have, and how many listen.
  mutating func welcome(_ connection: HubConnection, role: EntryRole, to number: UInt64, now: HostTime) {
    guard let audience = audiences[number] else { return }
    if role == .listener { sendSlots(of: number, to: connection, now: now) }
    add(RecordText(.count(audience.count(for: role))), to: [connection], of: number)
  }

  /// A connection is over; true: it was a publisher's newest here.
  mutating func leave(_ connection: HubConnection, _ member: HubConnection.Membership, now: HostTime) -> Bool {
    guard let before = audiences[member.room]?.count else { return false }
    let wasPublisher = audiences[member.room]?.leave(connection, member.id, now: now) ?? false
    listeners += (audiences[member.room]?.count ?? 0) - before
    changed(member.room)
    return wasPublisher
  }

  /// Publishers, or everybody, may have to be told another count, and other hubs how it stands.
  private mutating func changed(_ number: UInt64) {
    counting.insert(number)
    standing.insert(number)
    hasNews = true
  }

  // MARK: Who publishes, and other hubs

  /// The connection here of somebody in an audience; nil: it has none.
  func connection(of id: ParticipantID, in topic: [UInt8]) -> HubConnection? { audience(of: topic)?.connections(of: [id]).first }

  /// Somebody publishes, at whichever hub: the other publishers here are told. Returns its connection here that is older, if it listens.
  mutating func joined(_ member: Member, in topic: [UInt8]) -> HubConnection? {
    guard let number = numbers[topic] else { return nil }
    let older = audiences[number]?.joined(member.id, turn: UInt32(clamping: member.connection))
    standing.insert(number)
    let own = connection(of: member.id, in: topic)
    tell(.presence(joined: [member], gone: []), publishersOf: number, except: own)
    return older
  }

  /// A publisher's connection is over, at whichever hub. `isTold`: the publishers here are told.
  mutating func gone(_ departure: Departure, in topic: [UInt8], isTold: Bool, now: HostTime) {
    guard let number = numbers[topic] else { return }
    audiences[number]?.gone(departure.id, turn: departure.connection, now: now)
    standing.insert(number)
    hasNews = true
    if isTold { tell(.presence(joined: [], gone: [departure]), publishersOf: number) }
  }

  /// Another hub has an audience, which stands so there. It is known here from now on, where there is a place for it, if it was or
  /// `isAwaited`. `isOld`: what came here is newer.
  mutating func learn(
    _ topic: [UInt8], _ there: AudienceStanding, isOld: Bool, elsewhere: Audience.Elsewhere, isAwaited: Bool, rooms: Int, now: HostTime
  ) {
    if numbers[topic] == nil {
      let audience = Audience(topic: topic, opener: nil, elsewhere: elsewhere, alone: there.alone ?? now, now: now)
      guard isAwaited, audience.isOpen(now: now), rooms + audiences.count < limits.rooms else { return }
      add(audience)
    }
    guard let number = numbers[topic] else { return }
    audiences[number]?.wasAlone(since: there.alone ?? now)
    for kept in there.kept where audiences[number]?.isNews(kept, isOld: isOld) ?? false {
      show(kept.envelope, in: kept.slot, of: number, at: min(now, kept.at))
    }
    standing.insert(number)
    hasNews = true
  }

  /// Other hubs said how many listen there.
  mutating func setElsewhere(_ count: AudienceCount, of topic: [UInt8]) {
    guard let number = numbers[topic] else { return }
    audiences[number]?.setElsewhere(count)
    counting.insert(number)
    hasNews = true
  }

  /// A publisher at another hub said something; that one enforced the limits of who said it.
  mutating func deliver(_ envelope: [UInt8], to: [ParticipantID]?, slot: AudienceSlot?, in topic: [UInt8], now: HostTime) {
    guard let number = numbers[topic] else { return }
    if let slot { return show(envelope, in: slot, of: number, at: now) }
    let text = RecordText(.deliver(envelope: envelope))
    if let to { return add(text, to: audiences[number]?.connections(of: to) ?? [], of: number, mayDrop: true) }
    send(text, toPublishersOf: number)
    guard audiences[number]?.hasPlaceForRound ?? false else { return }
    audiences[number]?.add(text)
    begin(number)
  }

  /// A listener at another hub said something to the publishers: of all that listeners say these are given so much.
  mutating func hear(_ envelope: [UInt8], in topic: [UInt8], now: HostTime) {
    guard let number = numbers[topic], let sender = (try? EnvelopeHeader(envelope: envelope))?.sender else { return }
    guard audiences[number]?.chargeHeard(sender, isHere: false, now: now) ?? false else {
      counting.insert(number)
      hasNews = true
      return
    }
    add(RecordText(.deliver(envelope: envelope)), to: audiences[number]?.publisherConnections ?? [], of: number, mayDrop: true)
  }

  private mutating func show(
    _ envelope: [UInt8], in slot: AudienceSlot, of number: UInt64, at: HostTime, except connection: HubConnection? = nil
  ) {
    let text = RecordText(.deliver(envelope: envelope))
    audiences[number]?.show(envelope, as: text, in: slot, at: at)
    standing.insert(number)
    begin(number)
    send(text, toPublishersOf: number, except: connection)
    hasNews = true
  }

  // MARK: What is said

  /// Until when one in an audience is not read by that audience's limits; nil: it is.
  mutating func mustRest(_ member: HubConnection.Membership, now: HostTime) -> HostTime? {
    member.role == .publisher ? audiences[member.room]?.mustRest(now: now) : nil
  }

  /// Takes what is said in an audience; false: the frame is one that is answered alike wherever one is. nil: one of a later version.
  /// Throws where it breaks the protocol, of a listener where it says what it may not more than 8 times in 10 s.
  mutating func take(
    _ frame: HubFrame?, from member: HubConnection.Membership, on connection: HubConnection, now: HostTime
  ) throws(WireError) -> Bool {
    switch frame {
    case .ping, .pong, .probe, .leave: return false
    default: break
    }
    guard member.role == .listener else { return try takeFromPublisher(frame, member, connection, now: now) }
    if case .tally(let kind, let tag) = frame, audiences[member.room]?.add(kind, tag, from: connection, now: now) ?? false {
      counting.insert(member.room)
      hasNews = true
      return true
    }
    guard audiences[member.room]?.chargeListener(connection, now: now) ?? false else { throw .count }
    switch frame {
    case .recall:
      if audiences[member.room]?.mayRecall(connection, now: now) ?? false { sendSlots(of: member.room, to: connection, now: now) }
    case .send(nil, let envelope):
      let header = try EnvelopeHeader(envelope: envelope)
      guard header.kind == .listener, header.sender == member.id else { break }
      guard audiences[member.room]?.chargeHeard(member.id, isHere: true, now: now) ?? false else {
        changed(member.room)
        break
      }
      work.append(.hand(topic: member.topic, envelope: envelope))
      hasNews = true
      add(RecordText(.deliver(envelope: envelope)), to: audiences[member.room]?.publisherConnections ?? [], of: member.room, mayDrop: true)
    default: break
    }
    return true
  }

  private mutating func takeFromPublisher(
    _ frame: HubFrame?, _ member: HubConnection.Membership, _ connection: HubConnection, now: HostTime
  ) throws(WireError) -> Bool {
    switch frame {
    case .show(let slot, let envelope):
      guard let slot = AudienceSlot(rawValue: slot) else { throw .range }
      try judge(envelope, by: member, now: now)
      show(envelope, in: slot, of: member.room, at: now, except: connection)
      work.append(.said(topic: member.topic, member.id, to: nil, slot: slot, envelope: envelope))
    case .send(let to, let envelope):
      try judge(envelope, by: member, now: now)
      work.append(.said(topic: member.topic, member.id, to: to, slot: nil, envelope: envelope))
      hasNews = true
      let text = RecordText(.deliver(envelope: envelope))
      if let to {
        let receivers = (audiences[member.room]?.connections(of: to) ?? []).filter { $0 !== connection }
        add(text, to: receivers, of: member.room, mayDrop: true)
      } else {
        send(text, toPublishersOf: member.room, except: connection)
        audiences[member.room]?.add(text)
        begin(member.room)
      }
    case .keep, .recall: throw .range
    default: return false
    }
    return true
  }

  private mutating func judge(_ envelope: [UInt8], by member: HubConnection.Membership, now: HostTime) throws(WireError) {
    let header = try EnvelopeHeader(envelope: envelope)
    guard header.kind == .stage, header.sender == member.id else { throw .range }
    audiences[member.room]?.chargePublisher(envelope.count, now: now)
  }

  /// Says something to everybody in an audience.
  mutating func tell(_ frame: HubFrame, everybodyIn number: UInt64) {
    let text = RecordText(frame)
    send(text, toPublishersOf: number)
    audiences[number]?.add(text)
    begin(number)
  }

  private mutating func tell(_ frame: HubFrame, publishersOf number: UInt64, except connection: HubConnection? = nil) {
    send(RecordText(frame), toPublishersOf: number, except: connection)
  }

  private mutating func send(_ text: RecordText, toPublishersOf number: UInt64, except connection: HubConnection? = nil) {
    add(text, to: (audiences[number]?.publisherConnections ?? []).filter { $0 !== connection }, of: number)
  }

  private mutating func sendSlots(of number: UInt64, to connection: HubConnection, now: HostTime) {
    for slot in AudienceSlot.allCases {
      guard let text = audiences[number]?.shown(slot, now: now) else { continue }
      add(text, to: [connection], of: number, mayDrop: true, slot: slot)
    }
  }

  private mutating func add(
    _ text: RecordText, to receivers: [HubConnection], of number: UInt64, mayDrop: Bool = false, slot: AudienceSlot? = nil
  ) {
    guard !receivers.isEmpty else { return }
    work.append(.deliver(Delivery(audience: number, text: text, receivers: receivers, mayDrop: mayDrop, slot: slot)))
    hasNews = true
  }

  private mutating func begin(_ number: UInt64) {
    guard audiences[number]?.hasRounds ?? false, !sending.contains(number) else { return }
    sending.append(number)
    hasNews = true
  }

  // MARK: Sending

  /// Something is to be sent, or another time to tick holds.
  mutating func beginHandingOut() -> Bool {
    guard hasNews, !isHandingOut else { return false }
    isHandingOut = true
    return true
  }

  /// Removes what is to be done next; nil: nothing is left.
  mutating func next(now: HostTime) -> Effect? {
    if let topic = removed.popFirst() { return .stand(topic: topic, nil) }
    // Before what was said since: who asks for the slots is answered as of the newest word.
    while let number = standing.min() {
      standing.remove(number)
      guard let audience = audiences[number] else { continue }
      return .stand(topic: audience.topic, audience.standing(now: now))
    }
    return work.popFirst()
  }

  /// When to tick next, host time, if that is earlier than it was.
  mutating func endHandingOut(now: HostTime) -> HostTime? {
    isHandingOut = false
    hasNews = false
    let counts = counting.compactMap { audiences[$0]?.countDue }.min().map { max($0, now) } ?? .max
    let wake = sending.isEmpty ? counts : now.adding(Self.pause)
    guard wake < alarm else { return nil }
    alarm = wake
    return wake
  }

  /// Those did not get it, as much waits for them.
  mutating func omitted(_ delivery: Delivery, for connections: [HubConnection]) {
    guard let slot = delivery.slot else { return }
    for connection in connections { audiences[delivery.audience]?.miss(slot, connection) }
  }

  /// What waited for a listener has left.
  mutating func drained(_ connection: HubConnection, _ member: HubConnection.Membership, now: HostTime) {
    guard member.role == .listener else { return }
    for (text, slot) in audiences[member.room]?.catchUp(connection, now: now) ?? [] {
      add(text, to: [connection], of: member.room, mayDrop: true, slot: slot)
    }
  }

  /// One turn: counts that are due, and the next receivers of what is on its way.
  mutating func tick(now: HostTime) {
    hasNews = true
    alarm = .max
    for number in counting.sorted() {
      if audiences[number]?.countTallies(now: now) ?? false { standing.insert(number) }
      if let count = audiences[number]?.tellCount(now: now) { tell(.count(count), publishersOf: number) }
      if audiences[number]?.countDue == nil { counting.remove(number) }
      begin(number)
    }
    var left = Self.perTurn
    while left > 0, let number = sending.first {
      sending.removeFirst()
      guard let some = audiences[number]?.next(atMost: left) else { continue }
      left -= max(1, some.receivers.count)
      add(some.text, to: some.receivers, of: number, mayDrop: true, slot: some.slot)
      begin(number)
    }
  }

  /// Forgets those that nobody will miss.
  mutating func sweep(now: HostTime) {
    guard !audiences.isEmpty else { return }
    for number in audiences.filter({ $0.value.isOver(now: now) }).keys { remove(number) }
    let atRest = audiences.filter { $0.value.isEmpty && !$0.value.isOpen(now: now) }.keys.sorted()
    for number in atRest.dropLast(Self.resting) { remove(number) }
  }

  /// Names of those that are not open, or are forgotten since this was asked last.
  mutating func closed(now: HostTime) -> [[UInt8]] {
    sweep(now: now)
    defer { forgotten = [] }
    return forgotten + audiences.values.filter { !$0.isOpen(now: now) }.map(\.topic)
  }

  private mutating func remove(_ number: UInt64) {
    guard let audience = audiences.removeValue(forKey: number) else { return }
    numbers[audience.topic] = nil
    standing.remove(number)
    removed.append(audience.topic)
    hasNews = true
    forgotten.append(audience.topic)
  }
}
