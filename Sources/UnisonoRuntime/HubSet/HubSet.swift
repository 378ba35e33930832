import HeapModule
import UnisonoBase
import UnisonoCrypto
import UnisonoReplica
import UnisonoWire

/// The hubs of one operator that serve the same rooms, as one start of one of them (a *run*) sees them (hubs 1).
///
/// It is the router between rooms of its own, each with its state to itself: `HubRuns` (who is there), `RunClocks` (how far their clocks
/// are ahead), `ToldClocks` (what members know of that), `SetRoom` (who is in a room and what is said there, with `RoomClaims`, `RoomFeed`,
/// `FeedIntake` and `Opening`), `FeedRing` (what was said, for who lacks it), `DoorNotices`, `PassCounts` (what strangers have open), and
/// `HubSetOutbox` (the way out).
///
/// Pure: time comes with every call, and what is to be done is taken with `takeEffects`, in order. Two sides call it: the way to other hubs
/// (`connected`, `disconnected`, `message`, `waiting`), and the hub (the rest). One timer, at `nextWake`, calls `tick`. A hub alone is a
/// set of one, by the same code: it has no keys, so that nothing is published and nobody is heard.
final class HubSet {
  /// Between two ALIVE.
  private static let beat = Nanoseconds.milliseconds(500)
  /// What a look waits for those who answer it.
  static let lookTime = Nanoseconds.milliseconds(300)
  /// Rooms a second that are said to be had, when all are.
  private static let openingsPerSecond: Int64 = 5_000
  /// Bytes that wait to be sent to other hubs: above the first, senders rest; above the second, the connection is made anew.
  private static let congestion = 4 << 20
  private static let overflow = 16 << 20
  /// Without any of it sent, the same after this.
  private static let standstill = Nanoseconds.seconds(2)
  /// A tick that comes so late shows that this process stood still.
  private static let late = Nanoseconds.seconds(1)
  /// How long after its start a run that finds no place ends.
  private static let arrival = Nanoseconds.seconds(5)
  /// Questions for its clock that a run answers, a second.
  private static let answers = 2_000.0
  /// Runs that a new one asks for notices.
  private static let noticeSources = 3
  /// How often it is looked whether what was told of the others' clocks is right still.
  private static let clockCheck = Nanoseconds.seconds(2)
  /// Hubs that are named to those in a room, and to those in an audience, which are many.
  private static let namedToRoom = 2
  private static let namedToAudience = 8
  /// Of four: where more of a hub's places are taken, others are named for people to go to.
  private static let fullQuarters: UInt64 = 3

  private enum Place: Equatable {
    case all
    case own
    case room([UInt8])
  }

  private struct Wake: Comparable {
    let at: HostTime
    let number: UInt64
    let topic: [UInt8]

    static func < (one: Self, other: Self) -> Bool { (one.at, one.number) < (other.at, other.number) }
    static func == (one: Self, other: Self) -> Bool { one.at == other.at && one.number == other.number }
  }

  private let run: HubRunID
  private let hub: [UInt8]
  private let started: HostTime
  private let outbox: HubSetOutbox
  private let keys: HubSetKeys?
  private var opener: HubSetOpener?
  private var runs = HubRuns()
  private var clocks: RunClocks
  private var toldClocks = ToldClocks()
  /// `RunClocks.changes` when it was looked last, and when it is looked at the latest.
  private var seenClockChanges = 0
  private var nextClockCheck: HostTime
  private var clock: ClockID
  private var addresses: [String]
  private var load = HubLoad()
  private var isDraining = false
  private var rooms: [[UInt8]: SetRoom] = [:]
  private var places: [String: Place] = [:]
  private var topics: [UInt64: [UInt8]] = [:]
  private var ring: FeedRing
  private var wakes = Heap<Wake>()
  private var looks: [(topic: [UInt8], until: HostTime)] = []
  private var notices = DoorNotices()
  private var passes: PassCounts
  private var askedForNotices = 0
  private var answerBudget: TokenBucket
  private var lastRoom: UInt64 = 0
  /// Greatest number in the feed of a room that was forgotten: those of rooms that come begin above it.
  private var greatestHead: UInt64 = 0
  private var nextBeat: HostTime
  private var lastReconnect = HostTime.min
  private var refused: UInt64 = 0
  private var isWaiting = false
  /// When `tick` is to be called; `HostTime.max`: never.
  private(set) var nextWake: HostTime

  init(_ options: HubSetOptions, now: HostTime) {
    run = options.run
    hub = options.hub
    clock = options.clock
    addresses = options.addresses
    keys = options.keys
    started = now
    outbox = HubSetOutbox(options, now: now)
    opener = options.keys.map { HubSetOpener($0) }
    clocks = RunClocks(zero: options.clockZero)
    passes = PassCounts(now: now)
    ring = FeedRing(isKept: options.keys != nil)
    answerBudget = TokenBucket(rate: Self.answers, burst: Self.answers, now: now)
    nextBeat = options.keys == nil ? .max : now
    nextClockCheck = nextBeat
    nextWake = nextBeat
    guard let keys = options.keys else { return }
    for subject in keys.hubs { listen(to: subject, as: .all) }
    for subject in keys.hub(run) { listen(to: subject, as: .own) }
  }

  /// Removes what is to be done.
  func takeEffects() -> [HubSetEffect] { outbox.takeEffects() }

  var hasEffects: Bool { !outbox.isEmpty }

  // MARK: For the way to other hubs

  func connected(now: HostTime) {
    outbox.connect()
    passes.sayAll()
    beat(now: now)
    reopenRooms(now: now)
  }

  func disconnected(now: HostTime) { outbox.disconnect(now: now) }

  /// Something came on a subject; `at`: host time at which it was read.
  func message(_ bytes: [UInt8], on subject: String, at: HostTime, now: HostTime) {
    guard let place = places[subject], let opened = opener?.open(bytes, on: subject), opened.run != run else {
      refused += 1
      return
    }
    let verdict = runs.accept(opened.run, number: opened.number, onHubs: place == .all)
    guard verdict != .refused, let message = try? HubSetMessage.decode(opened.text) else {
      refused += 1
      return
    }
    switch (place, message) {
    case (.all, .alive(let alive)): hear(alive, from: opened.run, number: opened.number, now: now)
    case (.own, .probe(let probe)): receive(probe, from: opened.run, number: opened.number, at: at, now: now)
    default:
      guard verdict == .known else {
        refused += 1
        return
      }
      receive(message, on: place, from: opened.run, now: now)
    }
  }

  /// So much waits to be sent to other hubs; `since`: from when on nothing of it could be.
  func waiting(bytes: Int, since: HostTime?, now: HostTime) {
    isWaiting = bytes > Self.congestion
    guard bytes > Self.overflow || since.map({ now.subtracting($0) >= Self.standstill }) ?? false,
      now.subtracting(lastReconnect) >= Self.standstill
    else { return }
    lastReconnect = now
    outbox.add(.log(.warning, "\(bytes) bytes for other hubs could not be sent: the connection to them is made anew"))
    outbox.add(.reconnect)
  }

  /// Does what is due, at `nextWake` or later.
  func tick(now: HostTime) {
    let late = now.subtracting(nextWake)
    if late >= Self.late { runs.excuse(late) }
    if nextBeat <= now { beat(now: now) }
    for (gone, wasKnown) in runs.removeGone(now: now) {
      if wasKnown { end(gone, why: "is not heard of any more", now: now) } else { clocks.end(gone, now: now) }
    }
    askClocks(now: now)
    tellClocks(now: now)
    while let wake = wakes.min, wake.at <= now {
      wakes.removeMin()
      guard let room = rooms[wake.topic], room.number == wake.number, room.beginTurn(at: wake.at) else { continue }
      for word in room.sayReplaced(now: now) { ring.add(word, of: room.number, now: now) }
      room.tick(now: now)
      follow(room, now: now)
    }
    let due = looks.filter { $0.until <= now }
    looks.removeAll { $0.until <= now }
    for look in due { outbox.add(.looked(topic: look.topic)) }
    nextWake = .max
    wake(at: nextBeat, now: now)
    if keys != nil {
      wake(at: runs.nextEnd, now: now)
      wake(at: clocks.nextQuestion, now: now)
      wake(at: nextClockCheck, now: now)
    }
    if let room = wakes.min { wake(at: room.at, now: now) }
    for look in looks { wake(at: look.until, now: now) }
  }

  // MARK: For the hub: who is where

  /// The greatest turn with which a participant is in a room, at any hub; nil: it is not.
  func turn(of id: ParticipantID, in topic: [UInt8]) -> UInt32? { rooms[topic]?.turn(of: id) }

  /// Participants in a room, over all hubs.
  func count(of topic: [UInt8]) -> Int { rooms[topic]?.count ?? 0 }

  /// What is under a name, as far as is known: somebody may be there who was heard of before anybody said in what.
  func kind(of topic: [UInt8]) -> SetRoom.Kind { rooms[topic]?.kind ?? .unknown }

  /// Whether `id` may come into a room that takes `limit` participants.
  func hasPlace(for id: ParticipantID, in topic: [UInt8], limit: Int) -> Bool {
    guard let room = rooms[topic], !room.contains(id) else { return true }
    return room.count < limit && (keys == nil || room.own < HubSetLimits.members)
  }

  /// Everybody in a room, over all hubs, ascending by id.
  func members(of topic: [UInt8], now: HostTime) -> [Member] { rooms[topic]?.members(now: now) ?? [] }

  /// Another hub has the room.
  func isShared(_ topic: [UInt8]) -> Bool { rooms[topic]?.isShared ?? false }

  /// Looks who is in a room at other hubs; `looked` says when all had the time to answer, within this call where nobody can.
  func look(_ topic: [UInt8], now: HostTime) {
    guard outbox.isConnected, !runs.known.isEmpty, rooms[topic]?.isSettled(after: Self.lookTime, now: now) != true else {
      return outbox.add(.looked(topic: topic))
    }
    // Who is asked already answers to this, too.
    if looks.contains(where: { $0.topic == topic }) { return }
    if let room = rooms[topic] {
      room.keep(now: now)
      room.reopen(at: now)
      room.tick(now: now)
      follow(room, now: now)
    } else {
      _ = open(topic, now: now)
    }
    looks.append((topic, now.adding(Self.lookTime)))
    wake(at: now.adding(Self.lookTime), now: now)
  }

  /// A participant entered a room here, with a turn greater than `turn(of:in:)`.
  func entered(_ topic: [UInt8], _ id: ParticipantID, turn: UInt32, as kind: SetRoom.Kind = .room, now: HostTime) {
    let known = rooms[topic]
    let room = known ?? make(topic, now: now)
    room.become(kind, now: now)
    let word = room.enter(id, turn: turn, now: now)
    ring.add(word, of: room.number, now: now)
    if known == nil { room.tick(now: now) }
    follow(room, now: now)
  }

  /// Its connection here is over. `left`: on purpose.
  func gone(_ topic: [UInt8], _ id: ParticipantID, turn: UInt32, left: Bool, now: HostTime) {
    guard let room = rooms[topic] else { return }
    if let word = room.leave(id, turn: turn, left: left, now: now) { ring.add(word, of: room.number, now: now) }
    follow(room, now: now)
  }

  /// A participant here said something; `to` nil: to all in the room. `slot`: of an audience, in which it is kept.
  func said(
    _ topic: [UInt8], from id: ParticipantID, to: [ParticipantID]?, mayDrop: Bool, slot: AudienceSlot? = nil, envelope: [UInt8],
    now: HostTime
  ) {
    guard let room = rooms[topic] else { return }
    let word = room.say(.said(id, to: to, mayDrop: mayDrop, slot: slot, envelope: envelope), now: now)
    ring.add(word, of: room.number, now: now)
    if room.isShared { follow(room, now: now) }
  }

  /// An audience is here, and stands so; nil: it is not kept here any more.
  func stand(_ topic: [UInt8], _ standing: AudienceStanding?, now: HostTime) {
    guard let standing else {
      guard let room = rooms[topic] else { return }
      room.unstand(now: now)
      return follow(room, now: now)
    }
    let known = rooms[topic]
    let room = known ?? make(topic, now: now)
    room.stand(standing, now: now)
    if known == nil { room.tick(now: now) }
    follow(room, now: now)
  }

  /// How many listen to an audience at other hubs, and what of their words was left out there.
  func elsewhere(of topic: [UInt8]) -> AudienceCount { rooms[topic]?.elsewhere ?? AudienceCount(listeners: 0) }

  /// A listener here says something to the publishers of its audience.
  func hand(_ topic: [UInt8], _ envelope: [UInt8]) { rooms[topic]?.hand(envelope) }

  /// Another hub has an audience that is open, so that some may come here to listen.
  var mayListen: Bool { runs.haveAudiences }

  // MARK: For the hub: the rest

  /// Keeps a notice for a room, here and at all hubs. `address`: names who leaves it. Of one that is not kept here the others hear nothing.
  func keep(_ envelope: [UInt8], for topic: [UInt8], by address: [UInt8], now: HostTime) {
    let keeper = keys?.keeper(address)
    guard notices.keep(envelope, for: topic, by: keeper.map(Self.bytes) ?? address, now: now), let keeper else { return }
    outbox.publish(.notice(HubNotice(topic: topic, age: 0, keeper: keeper, envelope: envelope)), to: .all)
  }

  func notice(for topic: [UInt8], now: HostTime) -> [UInt8]? { notices.notice(for: topic, now: now) }

  var noticeCount: Int { notices.count }

  /// The others' clocks, as far as they are known.
  func clockReport(now: HostTime) -> ClockReport { clocks.report(of: runs.known, except: clock, now: now) }

  /// A group has so many rooms open here that it opened with its pass.
  func opened(_ group: PassGroup, rooms: Int) {
    if keys != nil { passes.set(group, rooms: rooms) }
  }

  /// Rooms that each group of a serial has open at other hubs.
  func openedElsewhere(_ serial: UInt64, now: HostTime) -> [UInt64: Int] { passes.elsewhere(serial, now: now) }

  func setLoad(_ new: HubLoad) { load = new }

  /// This hub's clock has another name, and shows another time.
  func setClock(_ new: ClockID, now: HostTime) {
    clock = new
    clocks.forget(now: now)
    toldClocks.forget()
    beat(now: now)
  }

  /// Where clients reach this hub from now on.
  func setAddresses(_ new: [String]) { addresses = new }

  /// This hub is about to end: nobody is to be sent to it.
  func drain(now: HostTime) {
    isDraining = true
    beat(now: now)
  }

  /// This run ends.
  func close() { outbox.publish(.bye, to: .all) }

  /// Hubs of the set that people in a room may go to, best first: who has most of the room, where there is place, then who has most place.
  /// Those in an audience, who are many, are named as many hubs as there are places for, by how much place they have.
  func successors(of topic: [UInt8]) -> [HubAddress] {
    let room = rooms[topic]
    let isAudience = room?.kind == .audience
    let serving = runs.known.compactMap { run -> (members: Int, filled: UInt64, hub: HubAlive)? in
      guard let alive = runs[run]?.alive, alive.state == .serving, !alive.addresses.isEmpty else { return nil }
      let (taken, limit) = isAudience ? (alive.listening, alive.listeningLimit) : (alive.connections, alive.limit)
      let filled = limit == 0 ? 10_000 : UInt64(taken) * 10_000 / UInt64(limit)
      return (isAudience || filled > Self.fullQuarters * 2_500 ? 0 : room?.count(of: run) ?? 0, filled, alive)
    }
    let best = serving.sorted { ($1.members, $0.filled) < ($0.members, $1.filled) }
      .prefix(isAudience ? Self.namedToAudience : Self.namedToRoom)
    return best.flatMap { entry in entry.hub.addresses.prefix(2).map { HubAddress(address: $0, hub: entry.hub.hub) } }
  }

  /// Whether clients may be sent here: a hub that does not reach the others shows only its own part of a room.
  func isServiceReady(now: HostTime) -> Bool {
    !isDraining && (keys == nil || outbox.isConnected || now.subtracting(outbox.disconnected) < HubRuns.patience)
  }

  /// So much waits for other hubs that who sends most in rooms that they have is to rest.
  var isCongested: Bool { isWaiting }

  /// Other hubs that are known, rooms that some of them have, and messages sent to and not taken from them.
  var counts: (hubs: Int, shared: Int, published: UInt64, refused: UInt64) {
    (runs.known.count, rooms.values.count { $0.isShared }, outbox.published, refused)
  }

  // MARK: Runs

  private func hear(_ alive: HubAlive, from other: HubRunID, number: UInt64, now: HostTime) {
    guard runs.hear(alive, from: other, number: number, now: now) else { return }
    clocks.ask(other, clock: alive.clock, now: now)
    if runs.isKnown(other) { passes.hear(alive.opened, from: other, now: now) } else { clocks.hurry(other, now: now) }
    askClocks(now: now)
    wake(at: runs.nextEnd, now: now)
  }

  private func askClocks(now: HostTime) {
    for (other, number) in clocks.due(now: now) { outbox.publish(.probe(HubProbe(number: number)), to: .run(other)) }
    wake(at: clocks.nextQuestion, now: now)
  }

  /// Where a clock came or went, and every so often: whether members have to be told.
  private func tellClocks(now: HostTime) {
    guard clocks.changes != seenClockChanges || nextClockCheck <= now else { return }
    seenClockChanges = clocks.changes
    nextClockCheck = now.adding(Self.clockCheck)
    wake(at: nextClockCheck, now: now)
    let report = clockReport(now: now)
    if toldClocks.tell(report) { outbox.add(.clocks(report)) }
  }

  private func receive(_ probe: HubProbe, from other: HubRunID, number: UInt64, at: HostTime, now: HostTime) {
    guard let answer = probe.answer else {
      guard answerBudget.spend(now: now) else { return }
      let answer = HubProbe.Answer(received: clocks.time(at: at), sent: clocks.time(at: max(at, now)))
      return outbox.publish(.probe(HubProbe(number: probe.number, answer: answer)), to: .run(other))
    }
    guard clocks.receive(answer, number: probe.number, from: other, at: at) else { return }
    if !runs.isKnown(other), runs.isFull, now.subtracting(started) < Self.arrival {
      return outbox.add(.fail("this set has \(HubRuns.capacity + 1) hubs already"))
    }
    if runs.answered(other, number: number, now: now) { begin(other, now: now) }
    tellClocks(now: now)
  }

  private func begin(_ other: HubRunID, now: HostTime) {
    guard let alive = runs[other]?.alive else { return }
    outbox.add(.log(.info, "another hub of this set is there: \(alive.addresses.first ?? "without an address"), run \(other)"))
    for double in runs.known where double != other && runs[double]?.alive.hub == alive.hub { clocks.hurry(double, now: now) }
    if alive.hub == hub, run < other {
      outbox.add(.fail("another process has this hub's key: run \(other)"))
    }
    reopenRooms(now: now)
    passes.sayAll()
    if askedForNotices < Self.noticeSources {
      askedForNotices += 1
      outbox.publish(.notices, to: .run(other))
    }
    wake(at: runs.nextEnd, now: now)
    askClocks(now: now)
  }

  private func end(_ other: HubRunID, why: String, now: HostTime) {
    clocks.end(other, now: now)
    passes.forget(other)
    for room in rooms.values.sorted(by: { $0.number < $1.number }) where room.isShared {
      room.remove(other, now: now)
      follow(room, now: now)
    }
    outbox.add(.log(.info, "run \(other) of another hub \(why)"))
    tellClocks(now: now)
  }

  private func beat(now: HostTime) {
    guard keys != nil else { return }
    nextBeat = now.adding(Self.beat)
    wake(at: nextBeat, now: now)
    let alive = HubAlive(
      hub: hub, clock: clock, state: isDraining ? .draining : .serving, addresses: addresses,
      connections: UInt32(clamping: load.connections), limit: UInt32(clamping: load.limit),
      listening: UInt32(clamping: load.listening), listeningLimit: UInt32(clamping: load.listeningLimit),
      audiences: UInt32(clamping: load.audiences),
      // What nobody hears is said later.
      opened: outbox.isConnected ? passes.takeWords(now: now) : [])
    outbox.publish(.alive(alive), to: .all)
  }

  // MARK: What known runs say

  private func receive(_ message: HubSetMessage, on place: Place, from other: HubRunID, now: HostTime) {
    switch (place, message) {
    case (.all, .bye):
      runs.remove(other)
      end(other, why: "ended", now: now)
    case (.all, .notice(let notice)), (.own, .notice(let notice)): keep(notice, now: now)
    case (.own, .notices): sendNotices(to: other, now: now)
    case (.room(let topic), .opened(let state)) where state.topic == topic:
      guard runs.mayOpen(other, now: now) else { return }
      use(topic, from: other, now: now) { $0.receive(state, from: other, isAnswer: false, now: now) }
    case (.own, .state(let state)):
      use(state.topic, from: other, now: now) { $0.receive(state, from: other, isAnswer: true, now: now) }
    case (.own, .query(let topic)):
      guard runs.mayOpen(other, now: now) else { return }
      use(topic, from: other, now: now) { $0.receiveQuery(from: other, now: now) }
    case (.room(let topic), .feed(let word)):
      use(topic, from: other, now: now) { if $0.tag == word.tag { $0.receive(word, from: other, now: now) } }
    case (.own, .feed(let word)):
      guard let topic = topics[word.tag] else { return }
      use(topic, from: other, now: now) { $0.receive(word, from: other, now: now) }
    case (.room(let topic), .tick(let tag, let head, let count)):
      use(topic, from: other, now: now) { if $0.tag == tag { $0.receiveTick(head: head, count: count, from: other, now: now) } }
    case (.own, .hand(let tag, let envelope)):
      if let topic = topics[tag] { rooms[topic]?.receiveHand(envelope, from: other) }
    case (.own, .again(let tag, let first, let last)): sendAgain(tag: tag, first: first, last: last, to: other, now: now)
    default: refused += 1
    }
  }

  private func use(_ topic: [UInt8], from other: HubRunID, now: HostTime, _ body: (SetRoom) -> Void) {
    guard let room = rooms[topic] else { return }
    body(room)
    follow(room, now: now)
  }

  private func sendAgain(tag: UInt64, first: UInt64, last: UInt64, to other: HubRunID, now: HostTime) {
    guard let room = topics[tag].flatMap({ rooms[$0] }) else { return }
    for word in ring.words(of: room.number, from: first, through: last) {
      guard runs.mayRepeat(word.length, to: other, now: now) else { return }
      outbox.publish(.feed(word), to: .run(other))
    }
  }

  private func keep(_ notice: HubNotice, now: HostTime) {
    notices.keep(
      notice.envelope, for: notice.topic, by: Self.bytes(notice.keeper), age: .milliseconds(Int64(notice.age)), now: now)
  }

  private func sendNotices(to other: HubRunID, now: HostTime) {
    guard runs.mayHaveNotices(other) else { return }
    for notice in notices.all(now: now) {
      let keeper = notice.keeper.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      let age = UInt32(clamping: notice.age / .milliseconds(1))
      outbox.publish(
        .notice(HubNotice(topic: notice.topic, age: age, keeper: keeper, envelope: notice.envelope)), to: .run(other))
    }
  }

  // MARK: Rooms

  private func open(_ topic: [UInt8], now: HostTime) -> SetRoom {
    let room = make(topic, now: now)
    room.tick(now: now)
    follow(room, now: now)
    return room
  }

  private func make(_ topic: [UInt8], now: HostTime) -> SetRoom {
    lastRoom += 1
    let tag = Hash.sha256(topic).prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    let room = SetRoom(number: lastRoom, topic: topic, tag: tag, run: run, head: greatestHead, outbox: outbox, now: now)
    rooms[topic] = room
    topics[tag] = topic
    for subject in room.subjects { places[subject] = .room(topic) }
    return room
  }

  /// A room was changed: it may be over, or is to be looked after.
  private func follow(_ room: SetRoom, now: HostTime) {
    guard !room.isOver(linger: linger, now: now) else { return forget(room) }
    if let at = room.schedule(linger: linger) {
      wakes.insert(Wake(at: at, number: room.number, topic: room.topic))
      wake(at: at, now: now)
    }
  }

  private var linger: Nanoseconds { keys == nil ? 0 : SetRoom.linger }

  private func forget(_ room: SetRoom) {
    greatestHead = max(greatestHead, room.head)
    room.close()
    ring.removeAll(of: room.number)
    rooms[room.topic] = nil
    if topics[room.tag] == room.topic { topics[room.tag] = nil }
    for subject in room.subjects { places[subject] = nil }
  }

  /// Says anew that this run has its rooms: those that others had first, and no more in a second than others take.
  private func reopenRooms(now: HostTime) {
    let all = rooms.values.sorted { ($1.isShared ? 1 : 0, $0.number) < ($0.isShared ? 1 : 0, $1.number) }
    for (index, room) in all.enumerated() {
      room.reopen(at: now.adding(.seconds(Int64(index)) / Self.openingsPerSecond))
      follow(room, now: now)
    }
  }

  private func listen(to subject: String, as place: Place) {
    places[subject] = place
    outbox.add(.subscribe(subject))
  }

  /// Something is due at `time`; what was due before already is due now.
  private func wake(at time: HostTime, now: HostTime) { nextWake = min(nextWake, max(time, now)) }

  private static func bytes(_ keeper: UInt64) -> [UInt8] { withUnsafeBytes(of: keeper.bigEndian) { Array($0) } }
}
