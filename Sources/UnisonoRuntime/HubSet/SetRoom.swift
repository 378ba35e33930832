import UnisonoBase
import UnisonoReplica
import UnisonoWire

/// One room of a set, as one run sees it: who is in it, its own feed, and those of the other runs that have it (hubs 7).
///
/// It is kept while the run has somebody in the room, or an audience of that name, or looks into it, and a while longer. Each call puts
/// what is to be done into the outbox.
///
/// An audience is a room whose members are its publishers; of who listens it knows the numbers (hubs 7.7). It is of one kind at a time, and
/// what runs say who have another kind under its name is not heard.
final class SetRoom {
  enum Kind {
    /// Nobody said yet.
    case unknown
    case room
    case audience
  }

  /// It is kept so long after the last own member left, as who comes back comes soon.
  static let linger = Nanoseconds.seconds(5)
  /// A run that has nobody in the room, and asked nothing, is forgotten after this; later than it forgets the room itself.
  private static let idle = Nanoseconds.seconds(6)
  /// The same of an audience, in which each run that has it says so every 15 s.
  private static let idleAudience = Nanoseconds.seconds(40)
  /// That a connection here is over which another hub's replaced is said so much later.
  private static let replacement = Nanoseconds.seconds(1)

  private struct Peer {
    var intake: FeedIntake
    /// When it last had somebody in the room, or asked for it.
    var active: HostTime
    /// Of who listens there, and what they said.
    var count = AudienceCount(listeners: 0)

    init(now: HostTime) {
      intake = FeedIntake(now: now)
      active = now
    }
  }

  let number: UInt64
  let topic: [UInt8]
  let tag: UInt64
  let subjects: [String]
  private(set) var kind = Kind.unknown
  private let run: HubRunID
  private let outbox: HubSetOutbox
  private var claims = RoomClaims()
  private var feed: RoomFeed
  private var opening: Opening
  private var peers: [HubRunID: Peer] = [:]
  /// Those who have a room of another kind under this name.
  private var foreign: Set<HubRunID> = []
  /// The own audience; nil: there is none.
  private var standing: AudienceStanding?
  private var telling = AudienceTelling()
  /// How many listen at other runs, and what of their words was left out there, as was said last.
  private(set) var elsewhere = AudienceCount(listeners: 0)
  /// Ends of own connections that were replaced at other hubs, which are still to be said, the oldest first.
  private var replaced: ArraySlice<(word: HubFeed.Word, at: HostTime)> = []
  /// Host time at which this run began to say that it has it.
  private let opened: HostTime
  /// Since when it has no own member.
  private var empty: HostTime
  /// When it is to be looked after, as is scheduled outside.
  private var scheduled = HostTime.max

  init(
    number: UInt64, topic: [UInt8], tag: UInt64, run: HubRunID, head: UInt64, outbox: HubSetOutbox, now: HostTime
  ) {
    self.number = number
    self.topic = topic
    self.tag = tag
    self.run = run
    self.outbox = outbox
    subjects = outbox.subjects(of: topic)
    feed = RoomFeed(above: head, now: now)
    opening = Opening(at: outbox.isOpen ? now : .max)
    opened = now
    empty = now
    for subject in subjects { outbox.add(.subscribe(subject)) }
    if outbox.isOpen { outbox.add(.flush) }
  }

  /// Another run has it.
  var isShared: Bool { !peers.isEmpty }
  var count: Int { claims.count }
  var head: UInt64 { feed.head }
  /// Own members.
  var own: Int { claims.count(of: run) }

  func contains(_ id: ParticipantID) -> Bool { claims.contains(id) }
  func turn(of id: ParticipantID) -> UInt32? { claims.newest(of: id)?.turn }

  /// Everybody in it, as frames name them.
  func members(now: HostTime) -> [Member] {
    claims.members.map { Member(id: $0.id, connection: UInt64($0.claim.turn), age: Self.age(of: $0.claim, now: now)) }
  }

  /// Members of a run.
  func count(of run: HubRunID) -> Int { claims.count(of: run) }

  // MARK: Own members

  /// Somebody is in it here, or an audience is kept.
  private var isHad: Bool { own > 0 || standing != nil }

  /// It is of this kind here: what was heard of another one does not count.
  func become(_ new: Kind, now: HostTime) {
    guard kind != new else { return }
    if kind != .unknown {
      for run in peers.keys.sorted() { remove(run, now: now) }
      opening.restart(at: outbox.isOpen ? now : .max)
    }
    foreign = []
    kind = new
  }

  /// An audience is here, and stands so.
  func stand(_ new: AudienceStanding, now: HostTime) {
    become(.audience, now: now)
    standing = new
  }

  /// It is not kept here any more.
  func unstand(now: HostTime) {
    guard standing != nil else { return }
    let leftOut = standing?.count.leftOut ?? 0
    standing?.count = AudienceCount(listeners: 0, leftOut: leftOut)
    if isShared { tell(now: now) }
    standing = nil
    if own == 0 { empty = now }
  }

  func enter(_ id: ParticipantID, turn: UInt32, now: HostTime) -> HubFeed {
    show(claims.set(id, RoomClaims.Claim(run: run, turn: turn, since: now)), now: now)
    return say(.entered(id, turn: turn, age: 0), now: now)
  }

  /// nil: it is not here with this turn, or that is said later: who hears of the end of what was replaced before it hears of what
  /// replaced it, by another hub's feed, would show somebody gone who is there.
  func leave(_ id: ParticipantID, turn: UInt32, left: Bool, now: HostTime) -> HubFeed? {
    let isReplaced = claims.newest(of: id)?.run != run
    guard let change = claims.remove(id, turn: turn, by: run, left: left) else { return nil }
    if !isHad { empty = now }
    show(change, now: now)
    let word = HubFeed.Word.gone(id, turn: turn, left: left)
    guard isReplaced, isShared else { return say(word, now: now) }
    replaced.append((word, now.adding(Self.replacement)))
    return nil
  }

  /// Says what was put off, as far as it is due; for the ring.
  func sayReplaced(now: HostTime) -> [HubFeed] {
    var words: [HubFeed] = []
    while let first = replaced.first, first.at <= now {
      replaced.removeFirst()
      words.append(say(first.word, now: now))
    }
    return words
  }

  /// Numbers a word and tells it to the runs that have the room; it is returned for the ring.
  func say(_ word: HubFeed.Word, now: HostTime) -> HubFeed {
    let word = HubFeed(tag: tag, number: feed.add(now: now), word: word)
    if isShared { publish(.feed(word)) }
    return word
  }

  // MARK: Other runs

  /// OPENED, or the answer to it. `isAnswer`: STATE.
  func receive(_ state: HubRoomState, from run: HubRunID, isAnswer: Bool, now: HostTime) {
    let theirs = state.audience != nil ? Kind.audience : state.members.isEmpty ? .unknown : .room
    if kind == .unknown { kind = theirs }
    guard theirs == kind || theirs == .unknown else {
      remove(run, now: now)
      foreign.insert(run)
      return
    }
    foreign.remove(run)
    var peer = peers[run] ?? Peer(now: now)
    if !state.members.isEmpty || state.audience != nil || !isAnswer { peer.active = now }
    peer.count = state.audience?.count.judged ?? AudienceCount(listeners: 0)
    let verdict = peer.intake.judge(head: state.head, now: now)
    var words: [HubFeed.Word] = []
    if case .replaces = verdict { words = peer.intake.restart(after: state.head, now: now) }
    peers[run] = peer
    if case .replaces(let lost) = verdict { replace(by: state, of: run, lost: lost, now: now) }
    if let audience = state.audience {
      outbox.add(.audience(topic: topic, AudienceStanding(audience, now: now), isOld: verdict == .old))
    }
    countElsewhere()
    for word in words { apply(word, of: run, now: now) }
    ask(run)
    if !isAnswer, isHad { answer(run, now: now) }
  }

  func receive(_ word: HubFeed, from run: HubRunID, now: HostTime) {
    guard !foreign.contains(run) else { return }
    var peer = peers.removeValue(forKey: run) ?? Peer(now: now)
    let words = peer.intake.receive(word, now: now)
    if kind == .audience { peer.active = now }
    peers[run] = peer
    for word in words { apply(word, of: run, now: now) }
    ask(run)
  }

  /// `count`: of an audience.
  func receiveTick(head: UInt64, count: AudienceCount?, from run: HubRunID, now: HostTime) {
    guard !foreign.contains(run) else { return }
    peers[run, default: Peer(now: now)].intake.tick(head: head, now: now)
    if kind == .audience, let count {
      peers[run]?.active = now
      peers[run]?.count = count.judged
      countElsewhere()
    }
    ask(run)
  }

  /// A listener at another run says something.
  func receiveHand(_ envelope: [UInt8], from run: HubRunID) {
    guard kind == .audience, peers[run] != nil, own > 0 else { return }
    outbox.add(.hand(topic: topic, envelope: envelope))
  }

  /// What a listener here says goes to the runs where publishers are.
  func hand(_ envelope: [UInt8]) {
    for other in peers.keys.sorted() where claims.count(of: other) > 0 {
      outbox.publish(.hand(tag: tag, envelope: envelope), to: .run(other))
    }
  }

  /// A run asks who is here: it is told also if nobody is.
  func receiveQuery(from run: HubRunID, now: HostTime) {
    peers[run, default: Peer(now: now)].active = now
    answer(run, now: now)
  }

  /// A run is gone, or has not been heard of here for long.
  func remove(_ gone: HubRunID, now: HostTime) {
    foreign.remove(gone)
    guard peers.removeValue(forKey: gone) != nil else { return }
    for id in claims.ids(of: gone) { forget(id, of: gone, left: false, now: now) }
    countElsewhere()
    // Whoever has what was kept there says so now that no publisher is known.
    if let standing, standing.kept.isEmpty, claims.count == 0, isShared { opening.restart(at: now) }
  }

  /// How many listen at other runs may have changed.
  private func countElsewhere() {
    let sum = peers.values.reduce(AudienceCount(listeners: 0)) { $0.adding($1.count) }
    guard sum != elsewhere else { return }
    elsewhere = sum
    outbox.add(.counted(topic: topic, sum))
  }

  // MARK: Time

  /// Whether all that answer who is here have had the time for it.
  func isSettled(after patience: Nanoseconds, now: HostTime) -> Bool { isHad && opened.adding(patience) <= now }

  /// It is kept for whoever looks into it.
  func keep(now: HostTime) { if !isHad { empty = now } }

  /// Says from `start` on, as on the first day, that this run has the room.
  func reopen(at start: HostTime) { opening.restart(at: start) }

  /// What is due.
  func tick(now: HostTime) {
    if opening.isDue(now: now) { publish(.opened(state(now: now))) }
    if isShared, min(feed.nextTick, telling.due(standing?.count)) <= now { tell(now: now) }
    for run in peers.keys.sorted() {
      peers[run]?.intake.ask(now: now)
      ask(run)
    }
    for run in peers.keys.sorted() where idleEnd(of: run) <= now { remove(run, now: now) }
  }

  /// It can be forgotten. `linger`: how long it is kept when nobody is in it.
  func isOver(linger: Nanoseconds, now: HostTime) -> Bool { !isHad && empty.adding(linger) <= now }

  /// When something is due next.
  func wake(linger: Nanoseconds) -> HostTime {
    var wake = min(opening.next, isHad ? .max : empty.adding(linger), replaced.first?.at ?? .max)
    if isShared { wake = min(wake, feed.nextTick, telling.due(standing?.count)) }
    for (run, peer) in peers { wake = min(wake, peer.intake.wake, idleEnd(of: run)) }
    return wake
  }

  /// nil: nothing is to be scheduled, as it will be looked after by `wake` anyhow.
  func schedule(linger: Nanoseconds) -> HostTime? {
    let wake = wake(linger: linger)
    guard wake < scheduled else { return nil }
    scheduled = wake
    return wake
  }

  /// It is looked after now; false: that was scheduled for another time.
  func beginTurn(at time: HostTime) -> Bool {
    guard time == scheduled else { return false }
    scheduled = .max
    return true
  }

  /// It is kept by nobody any more: its subjects are not heard.
  func close() { for subject in subjects { outbox.add(.unsubscribe(subject)) } }

  // MARK: Inside

  private func idleEnd(of run: HubRunID) -> HostTime {
    guard let peer = peers[run], claims.count(of: run) == 0 else { return .max }
    return peer.active.adding(kind == .audience ? Self.idleAudience : Self.idle)
  }

  /// Says which word is the newest, and how many listen.
  private func tell(now: HostTime) {
    feed.tick(now: now)
    telling.tell(standing?.count, now: now)
    publish(.tick(tag: tag, head: feed.head, count: standing?.count))
  }

  private func state(now: HostTime) -> HubRoomState {
    let members = claims.ids(of: run).compactMap { id -> HubRoomState.Member? in
      guard let claim = claims.claim(of: id, by: run) else { return nil }
      return HubRoomState.Member(id: id, turn: claim.turn, age: Self.age(of: claim, now: now))
    }
    // What the slots have says where a publisher is, or all while none is known.
    let audience = (standing ?? (kind == .audience && own > 0 ? AudienceStanding() : nil))?
      .state(isWhole: own > 0 || claims.count == 0, now: now)
    return HubRoomState(topic: topic, head: feed.head, members: members, audience: audience)
  }

  private func answer(_ run: HubRunID, now: HostTime) { outbox.publish(.state(state(now: now)), to: .run(run)) }

  private func publish(_ message: HubSetMessage) {
    if let subject = subjects.first { outbox.publish(message, to: .subject(subject)) }
  }

  private func ask(_ run: HubRunID) {
    for question in peers[run]?.intake.takeQuestions() ?? [] {
      switch question {
      case .again(let first, let last): outbox.publish(.again(tag: tag, first: first, last: last), to: .run(run))
      case .query: outbox.publish(.query(topic: topic), to: .run(run))
      }
    }
  }

  private func replace(by state: HubRoomState, of run: HubRunID, lost: Bool, now: HostTime) {
    let before = claims.ids(of: run)
    let after = state.members.map(\.id)
    // In an audience what the slots have is all there is.
    if lost, kind == .room {
      let ids = Set(before).union(after).sorted()
      if !ids.isEmpty { outbox.add(.lost(topic: topic, ids)) }
    }
    let stay = Set(after)
    for id in before where !stay.contains(id) { forget(id, of: run, left: false, now: now) }
    for member in state.members where claims.claim(of: member.id, by: run)?.turn != member.turn {
      claim(member.id, turn: member.turn, age: member.age, of: run, now: now)
    }
  }

  private func apply(_ word: HubFeed.Word, of run: HubRunID, now: HostTime) {
    switch word {
    case .entered(let id, let turn, let age): claim(id, turn: turn, age: age, of: run, now: now)
    case .gone(let id, let turn, let left):
      if claims.claim(of: id, by: run)?.turn == turn { forget(id, of: run, left: left, now: now) }
    case .said(let id, let to, let mayDrop, let slot, let envelope):
      guard isOfKind(envelope, by: id, of: run, slot: slot) else { return }
      outbox.add(.deliver(topic: topic, envelope: envelope, to: to, mayDrop: mayDrop, slot: slot))
    }
  }

  /// Whether a word is what may be said in a room like this; in an audience by who publishes there.
  private func isOfKind(_ envelope: [UInt8], by id: ParticipantID, of run: HubRunID, slot: AudienceSlot?) -> Bool {
    guard let kind = try? EnvelopeHeader(envelope: envelope).kind else { return false }
    guard self.kind == .audience else { return slot == nil && kind.isOfRoom }
    return kind == .stage && claims.claim(of: id, by: run) != nil
  }

  private func claim(_ id: ParticipantID, turn: UInt32, age: UInt32, of run: HubRunID, now: HostTime) {
    let most = kind == .audience ? HubLimits.publishers : HubSetLimits.members
    guard claims.count(of: run) < most || claims.claim(of: id, by: run) != nil else { return }
    let since = now.subtracting(.milliseconds(Int64(age)))
    show(claims.set(id, RoomClaims.Claim(run: run, turn: turn, since: since)), now: now)
    if let own = claims.claim(of: id, by: self.run), own.turn < turn {
      outbox.add(.replaced(topic: topic, id, turn: own.turn))
    }
  }

  private func forget(_ id: ParticipantID, of run: HubRunID, left: Bool, now: HostTime) {
    guard let turn = claims.claim(of: id, by: run)?.turn else { return }
    peers[run]?.active = now
    if let change = claims.remove(id, turn: turn, by: run, left: left) { show(change, now: now) }
  }

  private func show(_ change: RoomClaims.Change, now: HostTime) {
    if let gone = change.gone { outbox.add(.gone(topic: topic, gone)) }
    if let (id, claim) = change.joined {
      outbox.add(.joined(topic: topic, Member(id: id, connection: UInt64(claim.turn), age: Self.age(of: claim, now: now))))
    }
  }

  private static func age(of claim: RoomClaims.Claim, now: HostTime) -> UInt32 {
    UInt32(clamping: max(0, now.subtracting(claim.since)) / .milliseconds(1))
  }
}
