import UnisonoBase
import UnisonoCoordination
import UnisonoCrypto
import UnisonoReplica
import UnisonoWire

/// A participant's place in a room: connects to one of the room's hubs, to the next when that one is lost, and looks at
/// the others while somebody is missing.
///
/// It is the router between rooms of its own, each with its state to itself: `HubSearch` (whose turn it is, and when), `HubLinks`
/// (the link that is up and those on their way), `Refusals` (shut out for good?), `OtherMembers` (who is here), `HubPeeks` (who is
/// in the room at other hubs) and `RoomChoice` (whether to go there). They know nothing of each other; what one
/// finds out is carried to the others here.
///
/// Phases: searching, from `init` and after every loss; in a room, from `entered` on; shut out, when every hub
/// refused one who was never in; closed, by
/// `leave` or `close`. Its owner, a session, calls it and is called through `HubClientEvents`, never inside its own call. All on the
/// loop's thread of its environment.
package final class HubClient {
  private let this = WeakReference<HubClient>()
  private let environment: any Environment
  private let local: ParticipantID
  private let events: HubClientEvents
  /// In the order that everybody in the session shares.
  private(set) var candidates: [HubCandidate]
  /// Group whose members are looked for at the other hubs.
  private(set) var group: HubGroup
  /// Somebody else is in the room at the hub of this process.
  package private(set) var isOwnHubVisited = false
  private(set) var isClosed = false

  private var search = HubSearch()
  private var budget: DialBudget
  private var refusals = Refusals()
  private var choice = RoomChoice()
  private var handover = HubHandover()
  private var members: OtherMembers
  /// Both nil: closed.
  private var links: HubLinks?
  private var peeks: HubPeeks?
  private var timer: (any LoopTimer)?
  /// Of one who listens, whose hub is about to end.
  private var moveTimer: (any LoopTimer)?
  private var wasMember = false
  /// Of an audience that this client is in, as its hub said last.
  private var listeners: UInt32 = 0
  private let role: EntryRole
  /// Ids of sets, as hubs of an audience that were entered by them proved; members' directories know of theirs.
  private var sets: Set<[UInt8]> = []
  /// Those who were in the room when its hub was lost: their hubs lived a moment ago.
  private var companions: Set<ParticipantID> = []
  /// Since when there is an entry, or none.
  private var since: HostTime
  /// Time when one who is missing made us look last: two who look at each other do it in turns for ever.
  private var lastPeekAgain: HostTime = .min

  /// Time that an attempt may take up to entry: with other hubs to turn to, not long.
  static let patience = Nanoseconds.seconds(3)
  private static let patienceAlone = Nanoseconds.seconds(10)
  /// Peeks at one hub: in the first seconds, when halves of a group are apart that know of each other; later, while nobody is here,
  /// and while somebody is.
  private static let firstPace = Nanoseconds.seconds(1)
  private static let lonePace = Nanoseconds.seconds(2)
  private static let pace = Nanoseconds.seconds(4)
  /// A search that does not find a hub at once looks at all of them after this.
  private static let peekAfter = Nanoseconds.milliseconds(200)
  /// A hub that says "replaced" is left alone for so long.
  private static let replacedPause = Nanoseconds.seconds(5)

  /// Connects to the first of `addresses` at once (none: when `setCandidates` brings one); `door` names the room and opens it.
  package convenience init(
    environment: any Environment, addresses: [HubAddress], door: Door, identity: Identity,
    passes: [[UInt8]: [UInt8]] = [:], turns: Turns = Turns(), events: HubClientEvents
  ) {
    self.init(
      environment: environment, candidates: addresses.map { HubCandidate($0) },
      credentials: RoomCredentials(access: .member(of: door), identity: identity, passes: passes, turns: turns), events: events)
  }

  /// The same for an audience, in which nobody is looked for: a hub that lets in has it. Who listens takes addresses that have one id,
  /// which may be a set's, in an order of its own, so that many come to all hubs of a set.
  package convenience init(
    environment: any Environment, addresses: [HubAddress], audience: AudienceSeat, identity: Identity,
    passes: [[UInt8]: [UInt8]] = [:], turns: Turns = Turns(), events: HubClientEvents
  ) {
    self.init(
      environment: environment, candidates: addresses.map { HubCandidate($0) },
      credentials: RoomCredentials(access: audience.access, identity: identity, passes: passes, turns: turns), events: events)
  }

  init(
    environment: any Environment, candidates: [HubCandidate], group: HubGroup = .none, credentials: RoomCredentials,
    events: HubClientEvents
  ) {
    self.environment = environment
    self.candidates = candidates
    self.group = group
    local = credentials.identity.id
    role = credentials.access.role
    self.events = events
    members = OtherMembers(local: credentials.identity.id)
    since = environment.now
    budget = DialBudget(now: environment.now)
    search.begin(order(candidates), isNewcomer: group.isNewcomer)
    this.point(to: self)
    timer = environment.makeTimer { [this] in this.object?.alarmRang() }
    links = HubLinks(
      environment: environment, credentials: credentials,
      events: HubLinks.Events(
        entered: { [this] in this.object?.entered($0) },
        presence: { [this] in this.object?.presence($0, $1) },
        delivered: events.delivered, probed: events.probed, drained: events.drained, triedBack: events.triedBack,
        missed: events.missed, clocks: events.clocks,
        counted: { [this] in this.object?.counted($0) },
        ending: { [this] in this.object?.handOver($0) },
        isSameRoom: { [this] in this.object?.isSameRoom($0) ?? false },
        stayed: { [this] in this.object?.moveOn() },
        lost: { [this] in this.object?.lost($0, $1) },
        failed: { [this] in this.object?.failed($0, $1, isLatest: $2) }))
    peeks = HubPeeks(
      environment: environment, credentials: credentials,
      mayDial: { [this] candidate in
        guard let client = this.object, candidate.isListed else { return nil }
        return client.spendDial()
      },
      found: { [this] candidate, found, end in this.object?.peeked(at: candidate, found, end) })
    search.setAlarm(environment.now)
    setTimer()
    peeks?.begin(after: Self.peekAfter)
    aimPeeks()
  }

  deinit { this.cut() }

  /// Spends one of the attempts for a peek; when there is none left: when there will be.
  private func spendDial() -> HostTime? {
    budget.spend(now: environment.now, keeping: isAtOwnHub || others.isEmpty ? 0 : DialBudget.reserve)
  }

  // MARK: For the owner

  /// nil while there is no link.
  package var current: RoomEntry? { links?.entry }
  /// In the room to fetch who waits there, not to stay.
  var isOnErrand: Bool { current != nil && choice.isOnErrand }
  /// Bytes that wait to be sent.
  package var queuedBytes: Int { link?.queuedBytes ?? 0 }
  /// Participants in the room besides us, with their connections.
  var others: [ParticipantID: UInt64] { members.connections }

  func setGroup(_ new: HubGroup) {
    let wasNewcomer = group.isNewcomer
    guard new != group else { return }
    group = new
    if isClosed { return }
    if new.isNewcomer != wasNewcomer, current == nil { changeOrder() }
    aimPeeks()
  }

  /// Says whether somebody else is in the room at the hub of this process; repeated while somebody comes there.
  package func setOwnHubVisited(_ isVisited: Bool) {
    isOwnHubVisited = isVisited
    guard isVisited, !isClosed, !group.isNewcomer else { return }
    if current != nil { return aimPeeks() }
    search.preferStandby(wasMember: wasMember, now: environment.now)
    setTimer()
  }

  /// The hubs to try, in the order that everybody shares; the link that is up stays, and its hub is asked first after a loss.
  package func setCandidates(_ new: [HubCandidate]) {
    guard !isClosed, new != candidates else { return }
    let isOther = !new.elementsEqual(candidates) { $0.isSame(as: $1) }
    candidates = new
    // Who was here last decides about peeks alone: a search in progress does not begin anew for it.
    if current == nil, isOther { changeOrder() }
    aimPeeks()
  }

  package func setAddresses(_ addresses: [HubAddress]) { setCandidates(addresses.map { marked(HubCandidate($0)) }) }

  private func marked(_ candidate: HubCandidate) -> HubCandidate {
    var candidate = candidate
    candidate.isOfSet = candidate.isOfSet || sets.contains(candidate.address.hub)
    return candidate
  }

  /// Sends a sealed envelope; `to` nil: to all others. false: no link, or the hub does not read; nothing was sent.
  @discardableResult
  package func send(_ envelope: [UInt8], to: [ParticipantID]? = nil) -> Bool {
    link?.send(envelope, to: to) ?? false
  }

  /// Asks the hub for its time; the answer comes as `probed`, or not at all.
  package func probe(_ ways: ProbeWays) { link?.probe(ways) }

  /// Asks the hub to try whether it reaches this machine; one that does not know how says nothing.
  package func tryBack(_ ask: TryBackFrame) { link?.tryBack(ask) }

  /// Forgets all open probes, after this machine slept: they are not answered any more.
  package func forgetProbes() { link?.forgetProbes() }

  /// Asks the hub to keep a sealed envelope for those who come later; the newest counts.
  package func keep(_ envelope: [UInt8]) { link?.keep(envelope) }

  /// Shows a sealed envelope to everybody in an audience, and to who enters later, in place of what the slot had: 0 the programme, at most
  /// 32,768 bytes, 1 the line, at most 2,048. false: no link, or the hub does not read; nothing was sent.
  @discardableResult
  package func show(_ envelope: [UInt8], slot: UInt8) -> Bool { link?.show(envelope, slot: slot) ?? false }

  /// Asks for what an audience's slots have, as DELIVER; the hub answers once in 5 s.
  package func recall() { link?.recall() }

  /// Has something counted of who listens; without a link nothing.
  package func tally(_ kind: TallyKind, _ tag: UInt64) { link?.tally(kind, tag) }

  /// One who is missing may be at any of the hubs just now.
  func peekAgain() {
    let now = environment.now
    guard !isClosed, members.isMissingSomebody(of: group), now >= lastPeekAgain.adding(Self.firstPace) else { return }
    lastPeekAgain = now
    peeks?.begin(after: 0)
  }

  /// Who listens, and hears nothing where it is, goes to another hub, if one lets it in.
  package func lookElsewhere() {
    guard isListener, let entry = current,
      handover.begin(at: entry, candidates: order(candidates), named: [], now: environment.now)
    else { return }
    moveOn()
  }

  /// Leaves the room for good, on purpose. Nothing is called afterwards.
  package func leave() {
    link?.leave()
    close()
  }

  /// Ends without a word to the room. Nothing is called afterwards.
  package func close() {
    isClosed = true
    links?.close()
    links = nil
    peeks?.close()
    peeks = nil
    timer?.close()
    timer = nil
    moveTimer?.close()
    moveTimer = nil
  }

  private var link: HubLink? { links?.current }

  private var isListener: Bool { role == .listener }

  /// In the room at the hub of this process, which does not die before this one: no attempt has to be kept for then.
  private var isAtOwnHub: Bool {
    guard let entry = current else { return false }
    return candidates.contains { $0.isOwn && $0.address.isHub(of: entry) }
  }

  // MARK: Searching

  /// Brings the timer up to date with the search.
  private func setTimer() {
    if let time = search.resetAlarm() { timer?.arm(at: time) }
  }

  /// Hubs that nobody keeps or that were there a moment ago before those of who was gone by then, each in the order that everybody
  /// shares; those in doubt come last.
  private func likelyFirst(_ all: [HubCandidate]) -> [HubCandidate] {
    guard !companions.isEmpty else { return all }
    let isLikely = { (candidate: HubCandidate) in
      !candidate.isDoubted && (candidate.isOwn || candidate.isPublic || candidate.keeper.map(self.companions.contains) ?? false)
    }
    return all.filter(isLikely) + all.filter { !isLikely($0) }
  }

  /// The order in which hubs are tried.
  private func order(_ all: [HubCandidate]) -> [HubCandidate] {
    guard isListener else { return likelyFirst(all) }
    var (order, ids) = (all, [[UInt8]]())
    for hub in all.map({ $0.address.hub }) where !ids.contains(hub) {
      ids.append(hub)
      let places = all.indices.filter { all[$0].address.hub == hub }
      for (place, candidate) in zip(places, shuffled(places.map { all[$0] })) { order[place] = candidate }
    }
    return order
  }

  private func shuffled<Element>(_ all: [Element]) -> [Element] {
    var all = all
    for index in all.indices.dropFirst() { all.swapAt(index, Int(environment.dice * Double(index + 1))) }
    return all
  }

  private func changeOrder() {
    search.change(to: order(candidates), isNewcomer: group.isNewcomer, now: environment.now)
    setTimer()
  }

  private func alarmRang() {
    guard !isClosed, current == nil else { return }
    let facts = HubSearch.Facts(
      local: local, group: group, isOwnHubVisited: isOwnHubVisited, wasMember: wasMember, since: since)
    let step = search.alarmRang(facts, budget: &budget, now: environment.now, random: environment.dice)
    setTimer()
    switch step {
    case .wait: break
    case .peekEverywhere: peeks?.begin(after: 0)
    case .attempt(let candidate): attempt(candidate)
    }
  }

  private func attempt(_ candidate: HubCandidate) {
    links?.attempt(candidate, patience: search.hasChoice ? Self.patience : Self.patienceAlone)
  }

  /// Nothing listens there.
  private func recordGone(_ candidate: HubCandidate) {
    guard current == nil else { return }
    search.recordGone(candidate, now: environment.now)
    setTimer()
  }

  // MARK: Links

  private func entered(_ entry: RoomEntry) {
    wasMember = true
    since = environment.now
    if role != .member, entry.isOfSet, sets.insert(entry.pinned).inserted { candidates = candidates.map { marked($0) } }
    handover.end()
    refusals.entered()
    timer?.arm(at: nil)
    search.entered()
    members.enter(with: entry.members)
    budget.setRoom(size: others.count + 1, now: since)
    choice.entered(entry.hubID, now: since)
    peeks?.begin(
      after: choice.isOnErrand
        ? RoomChoice.errand : group.isNewcomer ? (others.isEmpty ? 0 : RoomChoice.welcome) : moment)
    events.entered(entry)
    aimPeeks()
  }

  /// Whether an entry is into the room where this client is, at another hub of its set: both are known by the set's id, or somebody is in
  /// both by one connection.
  private func isSameRoom(_ entry: RoomEntry) -> Bool {
    // Of one who listens no hub knows that it is elsewhere, so that none closes the link before; and what is shown next is all there is.
    guard let here = current, !isListener else { return false }
    if here.isOfSet, entry.isOfSet, here.pinned == entry.pinned { return true }
    return entry.members.contains { $0.id != local && members.connections[$0.id] == $0.connection }
  }

  private func presence(_ joined: [Member], _ gone: [Departure]) {
    let isLoss = members.update(joined: joined, gone: gone)
    budget.setRoom(size: others.count + 1, now: environment.now)
    events.presence(joined, gone)
    guard !isClosed else { return }
    // It may be at another hub by now.
    if isLoss { peeks?.begin(after: moment) }
    aimPeeks()
  }

  private func failed(_ candidate: HubCandidate, _ end: HubLinkEnd, isLatest: Bool) {
    setAside(
      candidate.address, refusals.record(end, at: candidate.address, wasMember: wasMember, now: environment.now), after: end,
      isListed: candidate.isListed)
    guard wasMember || !refusals.isShutOut(by: end, order: search.order) else {
      return stop(refusals.last ?? end)
    }
    // An older one that the next was begun beside changes nothing of when that goes on.
    if isLatest, !search.isAtStandby { scheduleNext(after: end, wasEntered: false) }
    if case .gone = end { recordGone(candidate) }
    events.lost(end, search.nextAttempt)
  }

  private func lost(_ entry: RoomEntry, _ end: HubLinkEnd) {
    companions = Set(others.keys)
    handover.end()
    members.clear()
    since = environment.now
    var pause: Nanoseconds = 0
    if end.isReplaced {
      setAside(
        HubAddress(address: entry.address, hub: entry.pinned), refusals.recordReplacement(now: since), after: end,
        isListed: false)
      pause = Self.replacedPause
    }
    // The lost hub once more, then the others; its further addresses lead to the same process. One in doubt is not missed.
    let isSameHub = { (candidate: HubCandidate) in candidate.address.isHub(of: entry) }
    let isSame = { (candidate: HubCandidate) in candidate.address.address == entry.address && isSameHub(candidate) }
    let same = candidates.filter(isSame)
    let elsewhere = candidates.filter { !isSame($0) }
    let further = elsewhere.filter(isSameHub)
    let isDoubted = same.contains { $0.isDoubted }
    // All who listened come back: not at once, and no faster than a hub lets them in.
    if isListener { pause = max(pause, spread(from: entry).scaled(by: environment.dice)) }
    let once = same.map { HubCandidate($0.address) }
    let others = order(elsewhere.filter { !isSameHub($0) })
    search.begin(isDoubted ? others + same + further : once + others + further, isNewcomer: group.isNewcomer)
    scheduleNext(after: end, wasEntered: !same.isEmpty || isDoubted, pause: pause)
    peeks?.begin(after: max(Self.peekAfter, pause))
    aimPeeks()
    events.lost(end, search.nextAttempt)
  }

  /// Time over which listeners that lost their hub come back, to all the hubs that they know.
  private func spread(from entry: RoomEntry) -> Nanoseconds {
    let needed = Nanoseconds.seconds(Int64(listeners)) / HubLimits.listenerEntries / Int64(countHubs(with: entry))
    return max(.milliseconds(500), min(ReconnectPolicy.longest, needed))
  }

  /// Hubs that are known; of a set that is known by its id, as many as addresses.
  private func countHubs(with entry: RoomEntry) -> Int {
    let ofSet = entry.isOfSet ? candidates.count { $0.address.hub == entry.pinned } : 0
    let others = Set(candidates.map { $0.address.hub }).filter { !entry.isOfSet || $0 != entry.pinned }
    return max(1, ofSet + others.count)
  }

  private func counted(_ count: AudienceCount) {
    listeners = count.listeners
    events.counted(count)
  }

  /// `isListed`: a member told the address, which may be anybody's.
  private func setAside(
    _ address: HubAddress, _ consequence: Refusals.Consequence, after end: HubLinkEnd, isListed: Bool
  ) {
    let until: HostTime
    switch consequence {
    case .none: return
    case .address(let time):
      until = environment.now.adding(time)
      search.setAside([address], until: until)
    case .hub(let time):
      until = environment.now.adding(time)
      let further = candidates.filter { $0.address.hub == address.hub && !$0.isOfSet }
      search.setAside(further.map { $0.address } + [address], until: until)
    }
    if !isListed { events.setAside(address, end, until) }
  }

  private func scheduleNext(after end: HubLinkEnd, wasEntered: Bool, pause: Nanoseconds = 0) {
    search.scheduleNext(
      after: end, wasEntered: wasEntered, pause: pause, now: environment.now, random: environment.dice)
    setTimer()
  }

  /// Shut out: no hub is turned to any more.
  private func stop(_ end: HubLinkEnd) {
    links?.closeAttempts()
    peeks?.aim(at: [], pace: Self.pace)
    timer?.arm(at: nil)
    events.lost(end, nil)
  }

  // MARK: Handover

  /// The hub in use is about to end: the next one is entered while it still is there.
  private func handOver(_ next: NextFrame) {
    guard let entry = current else { return }
    companions = Set(others.keys)
    let order = order(candidates).filter { !group.isNewcomer || !$0.isStandby }
    let named = isListener ? shuffled(next.hubs) : next.hubs
    guard handover.begin(at: entry, candidates: order, named: named, now: environment.now) else { return }
    let within = Nanoseconds.milliseconds(Int64(next.within))
    events.ending(within)
    guard isListener else { return moveOn() }
    // All who listen are told at once, and other hubs let in so many a second.
    if moveTimer == nil { moveTimer = environment.makeTimer { [this] in this.object?.moveOn() } }
    moveTimer?.arm(at: environment.now.adding(min(spread(from: entry), within / 2).scaled(by: environment.dice)))
  }

  /// The next of the hubs that are left to hand over to, if no move is under way.
  private func moveOn() {
    let now = environment.now
    while let links, !links.isMoving, let candidate = handover.next() {
      guard !search.isAside(candidate.address, now: now), !candidate.isListed || budget.spend(now: now) == nil else { continue }
      links.move(to: candidate, patience: Self.patience)
    }
  }

  // MARK: Peeks

  /// Wait before a peek, with a random part: who is missing may be on its way here.
  private var moment: Nanoseconds { Nanoseconds.milliseconds(500).scaled(by: 0.5 + environment.dice) }

  private func aimPeeks() {
    guard !isClosed, !group.known.isEmpty else { return }
    let entry = current
    let isHere = { (candidate: HubCandidate) in entry.map { candidate.address.isHub(of: $0) } ?? false }
    var targets = candidates.filter { !isHere($0) }
    if group.isNewcomer || entry == nil {
      targets.removeAll { $0.isOwn }
    } else {
      // Who comes with an old invite waits there for somebody of the group.
      let isMissing = members.isMissingSomebody(of: group)
      targets.removeAll { candidate in
        if candidate.isOwn { return !isOwnHubVisited }
        // At all hubs of a set are the same people, but while these do not hear each other.
        if candidate.isOfSet, !isMissing, candidate.address.hub == entry?.pinned { return true }
        // Whoever is here looks at its own hub.
        return !isMissing && !candidate.isPublic || candidate.keeper.map { members.connections[$0] != nil } ?? false
      }
    }
    let isLone = entry == nil || others.isEmpty
    let isNews = environment.now < since.adding(Self.firstPace * 5)
    peeks?.aim(at: targets, pace: isNews ? Self.firstPace : isLone ? Self.lonePace : Self.pace)
  }

  /// `found` nil: nobody answers there.
  private func peeked(at candidate: HubCandidate, _ found: RoomEntry?, _ end: HubLinkEnd?) {
    guard !isClosed else { return }
    aimPeeks()
    if case .gone = end { recordGone(candidate) }
    guard let found, let links, !links.isMoving, !search.isAside(candidate.address, now: environment.now) else { return }
    let here = RoomChoice.Here(entry: current, others: Set(others.keys), since: since)
    guard
      choice.goes(
        to: found, through: candidate, from: here, of: group, local: local, now: environment.now)
    else {
      if choice.expects(at: found.hubID) { peeks?.hasten(candidate, within: Self.firstPace) }
      return
    }
    if current != nil {
      if !choice.isErrand(to: found.hubID), !others.isEmpty { events.moves(candidate.address) }
      return links.move(to: candidate, patience: Self.patience)
    }
    // This way works: the others into the same room are not needed.
    links.closeAttempts(at: found.hubID, except: candidate.address)
    attempt(candidate)
  }
}
