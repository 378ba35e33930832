import UnisonoCore
import UnisonoCrypto

/// A participant's place in a room: connects to one of the room's hubs, to the next when that one is lost, and looks at
/// the others while somebody is missing.
///
/// Belongs to the loop's thread of its environment.
public final class HubClient {
  private let environment: any Environment
  private let door: Door
  private let identity: Identity
  private let events: HubClientEvents
  /// In the order that everybody in the session shares.
  private(set) var candidates: [HubCandidate]
  private var budget: DialBudget
  /// nil: closed.
  private var looks: HubLooks?
  private var choice = RoomChoice()
  /// The move to another hub's room in progress.
  private var moving: (link: HubLink, number: Int)?
  /// Who is in the room besides us, by connection.
  private(set) var others: [ParticipantID: UInt64] = [:]

  /// The order of the search in progress.
  private var turn: [HubCandidate] = []
  private var policy: ReconnectPolicy
  private var link: HubLink?
  /// Links on their way, by number: a slow one does not keep the next from being tried beside it.
  private var attempts: [Int: (link: HubLink, candidate: HubCandidate)] = [:]
  /// Tries since the last entry, and of those the ones that were refused for good.
  private var tries: [HubAddress: (all: Int, refused: Int)] = [:]
  /// Where nothing listened since the search began.
  private var gone: Set<HubAddress> = []
  /// The last hub that refused for good.
  private var refusal: HubLinkEnd?
  private var timer: (any LoopTimer)?
  private var nextTry: HostTime = .min
  /// The timer is for trying the next address beside one that takes its time.
  private var isOverlap = false
  /// Counts links, so that words of one that was given up are not taken for those of the present one.
  private var number = 0
  private var upNumber = 0
  private(set) var seat: HubSeat?
  private var wasEntered = false
  /// When a hub said that a newer connection took over, within `replacedSpan`.
  private var replacements: [HostTime] = []
  /// On entering, another way to the same hub was tried as well: it may take this one's place before it is closed.
  private var hadRival = false
  /// Since when there is a seat, or none.
  private var since: HostTime
  /// Since when the standby hub's turn is.
  private var standbyTurn: HostTime?
  private(set) var isClosed = false
  /// When one who is missing made us look last: two who look at each other do it in turns for ever.
  private var lookedAgain: HostTime = .min

  /// How long an attempt may take up to entry: with other hubs to turn to, not long.
  static let patience = Nanoseconds.seconds(3)
  static let patienceAlone = Nanoseconds.seconds(10)
  /// After this the next address is tried as well.
  static let overlap = Nanoseconds.milliseconds(600)
  /// So long a participant waits at its standby hub for others to come.
  static let standbyOverlap = Nanoseconds.seconds(1)
  /// Who looks for nobody, and finds no other hub for so long, enters its standby hub alone.
  static let lonely = Nanoseconds.seconds(30)
  /// A member believes that it is shut out when every hub said so, or did not answer, this often.
  static let refusals = 3
  /// Looks at one hub: while nobody is here, at first and later; while somebody is.
  static let firstPace = Nanoseconds.seconds(1)
  static let lonePace = Nanoseconds.seconds(2)
  static let pace = Nanoseconds.seconds(4)
  /// A search that does not find a hub at once looks at all of them after this.
  static let lookAfter = Nanoseconds.milliseconds(200)
  /// A hub that says "replaced" is left alone for so long; only so many in this span show that somebody has the same key. Anybody
  /// on the path can say it once.
  static let replacedPause = Nanoseconds.seconds(5)
  static let replacedSpan = Nanoseconds.seconds(60)
  static let replacedLimit = 3

  /// Connects to the first of `addresses` at once (none: when `setCandidates` brings one); `door` names the room and opens it.
  public convenience init(
    environment: any Environment, addresses: [HubAddress], door: Door, identity: Identity, events: HubClientEvents
  ) {
    self.init(
      environment: environment, candidates: addresses.map { HubCandidate($0) }, door: door, identity: identity,
      events: events)
  }

  init(
    environment: any Environment, candidates: [HubCandidate], group: HubGroup = .none, door: Door, identity: Identity,
    events: HubClientEvents
  ) {
    self.environment = environment
    self.candidates = candidates
    self.group = group
    self.door = door
    self.identity = identity
    self.events = events
    since = environment.now
    budget = DialBudget(now: environment.now)
    policy = ReconnectPolicy(addresses: 1)
    begin(candidates)
    timer = environment.makeTimer { [weak self] in self?.timerFired() }
    looks = HubLooks(
      environment: environment, door: door, identity: identity,
      mayDial: { [weak self] candidate in
        guard let self, candidate.isListed else { return nil }
        return budget.take(now: environment.now, keeping: DialBudget.reserve)
      },
      found: { [weak self] candidate, found, end in self?.saw(found, at: candidate, end) })
    arm(at: environment.now)
    looks?.begin(after: Self.lookAfter)
    aimLooks()
  }

  /// nil while there is no link.
  public var current: HubSeat? { seat }
  /// Bytes that wait to be sent.
  public var queuedBytes: Int { link?.queuedBytes ?? 0 }

  /// Who is looked for at the other hubs.
  var group: HubGroup {
    didSet {
      guard group != oldValue, !isClosed else { return }
      if group.isNewcomer != oldValue.isNewcomer, seat == nil { setTurn() }
      aimLooks()
    }
  }

  /// Somebody else is in the room at the hub of this process.
  public var isOwnHubVisited = false {
    didSet {
      guard isOwnHubVisited, !isClosed, !group.isNewcomer else { return }
      if seat != nil { return aimLooks() }
      guard let index = turn.firstIndex(where: \.isStandby), wasEntered || standbyTurn != nil else { return }
      policy = ReconnectPolicy(addresses: turn.count, startingAt: index)
      arm(at: environment.now)
    }
  }

  /// Sends a sealed envelope; `to` nil: to all others. false: no link, or the hub does not read; nothing was sent.
  @discardableResult
  public func send(_ envelope: [UInt8], to: [ParticipantID]? = nil) -> Bool {
    link?.send(envelope, to: to) ?? false
  }

  /// Asks the hub for its time; the answer comes as `probed`, or not at all.
  public func probe(_ ways: ProbeWays) { link?.probe(ways) }

  /// This machine slept: what was asked before is not answered any more.
  public func forgetProbes() { link?.forgetProbes() }

  /// The hubs to try, in the order that everybody shares; the link that is up stays, and its hub is asked first after a loss.
  public func setCandidates(_ new: [HubCandidate]) {
    guard !isClosed, new != candidates else { return }
    candidates = new
    if seat == nil { setTurn() }
    aimLooks()
  }

  public func setAddresses(_ addresses: [HubAddress]) { setCandidates(addresses.map { HubCandidate($0) }) }

  /// Asks the hub to keep a sealed envelope for those who come later; the newest counts.
  public func keep(_ envelope: [UInt8]) { link?.keep(envelope) }

  /// One who is missing may be at any of the hubs just now.
  func lookAgain() {
    let now = environment.now
    guard !isClosed, isMissingSomebody, now >= lookedAgain.adding(Self.firstPace) else { return }
    lookedAgain = now
    looks?.begin(after: 0)
  }

  /// Leaves the room for good, on purpose. Nothing is called afterwards.
  public func leave() {
    link?.leave()
    close()
  }

  /// Ends without a word to the room. Nothing is called afterwards.
  public func close() {
    isClosed = true
    number += 1
    seat = nil
    link?.close()
    link = nil
    closeAttempts()
    looks?.close()
    looks = nil
    timer?.close()
    timer = nil
  }

  // MARK: Connecting

  /// Begins a search in this order.
  private func begin(_ order: [HubCandidate]) {
    // A standby hub is for those who have the group's state: nobody else is found there.
    turn = group.isNewcomer ? order.filter { !$0.isStandby } : order
    policy = ReconnectPolicy(addresses: turn.count)
    standbyTurn = nil
  }

  /// The hubs changed during a search: the one whose turn it is stays in front.
  private func setTurn() {
    let hadNone = turn.isEmpty
    let next = turn.indices.contains(policy.current) ? turn[policy.current] : nil
    let isStandbyNext = standbyTurn != nil && next?.isStandby == true
    let began = standbyTurn
    begin(next.map { next in [next] + candidates.filter { $0.address != next.address } } ?? candidates)
    if isStandbyNext { standbyTurn = began }
    if hadNone { arm(at: environment.now) }
  }

  private func arm(at time: HostTime, overlap: Bool = false) {
    nextTry = time
    isOverlap = overlap
    timer?.arm(at: time)
  }

  private func timerFired() {
    guard !isClosed, seat == nil else { return }
    if isOverlap {
      if case .connect(_, let after) = policy.next(after: .failed, random: environment.dice) {
        arm(at: environment.now.adding(after))
      }
    } else {
      connect()
    }
  }

  private func connect() {
    guard turn.indices.contains(policy.current) else { return }
    let candidate = turn[policy.current]
    let now = environment.now
    if candidate.isStandby {
      guard mayEnterStandby(now: now) else { return }
      standbyTurn = nil
    }
    if candidate.isListed, let later = budget.take(now: now) { return arm(at: later) }
    if turn.count > 1 { arm(at: now.adding(Self.overlap), overlap: true) }
    attempt(candidate)
  }

  private func attempt(_ candidate: HubCandidate) {
    guard !attempts.values.contains(where: { $0.candidate.address == candidate.address }) else { return }
    let (link, number) = makeLink(candidate, patience: turn.count > 1 ? Self.patience : Self.patienceAlone) {
      [weak self] number, seat in
      self?.entered(number, seat)
    }
    attempts[number] = (link, candidate)
  }

  /// Whether the standby hub of this process, whose turn it is, is the one to be in; if not, it is seen to what comes next.
  ///
  /// Those who come after it in the common order come to it, so none of their hubs is entered: they are looked at meanwhile.
  private func mayEnterStandby(now: HostTime) -> Bool {
    if isOwnHubVisited || group.known == [identity.id] { return true }
    guard !group.known.isEmpty else {
      if now >= since.adding(Self.lonely), wasEntered { return true }
      arm(at: now.adding(Self.standbyOverlap), overlap: true)
      return false
    }
    let elsewhere = turn.filter { !$0.isStandby }
    if !elsewhere.isEmpty, elsewhere.allSatisfy({ gone.contains($0.address) }) { return true }
    let began = standbyTurn ?? now
    if standbyTurn == nil {
      standbyTurn = now
      looks?.begin(after: 0)
    }
    if now >= began.adding(Self.standbyOverlap) { return true }
    arm(at: began.adding(Self.standbyOverlap))
    return false
  }

  /// Nothing listens there: while the standby hub's turn is, that may have been the last of the others.
  private func note(goneAt address: HubAddress) {
    guard seat == nil else { return }
    gone.insert(address)
    if standbyTurn != nil { arm(at: environment.now) }
  }

  /// A link into the room; its words count while it is the one that is up.
  private func makeLink(
    _ candidate: HubCandidate, patience: Nanoseconds, entered: @escaping (_ number: Int, _ seat: HubSeat) -> Void
  ) -> (HubLink, Int) {
    number += 1
    let mine = number
    let link = HubLink(
      environment: environment, address: candidate.address, door: door, identity: identity, patience: patience,
      events: HubLink.Events(
        entered: { seat in entered(mine, seat) },
        presence: { [weak self] joined, gone in
          guard let self, self.isUp(mine) else { return }
          self.presence(joined, gone)
        },
        delivered: { [weak self] envelope in
          guard let self, self.isUp(mine) else { return }
          self.events.delivered(envelope)
        },
        probed: { [weak self] sample in
          guard let self, self.isUp(mine) else { return }
          self.events.probed(sample)
        },
        drained: { [weak self] in
          guard let self, self.isUp(mine) else { return }
          self.events.drained()
        },
        ended: { [weak self] end in self?.ended(mine, end) }))
    return (link, mine)
  }

  private func isUp(_ number: Int) -> Bool { seat != nil && number == upNumber && !isClosed }

  private func entered(_ number: Int, _ seat: HubSeat) {
    guard !isClosed, let attempt = attempts.removeValue(forKey: number) else { return }
    take(attempt.link, number, seat)
  }

  /// This link is the one from now on.
  private func take(_ new: HubLink, _ number: Int, _ seat: HubSeat) {
    link?.close()
    link = new
    upNumber = number
    self.seat = seat
    hadRival = attempts.contains { $0.key != number && $0.value.candidate.address.hub ?? seat.hubID == seat.hubID }
    wasEntered = true
    since = environment.now
    standbyTurn = nil
    tries = [:]
    gone = []
    refusal = nil
    closeAttempts()
    timer?.arm(at: nil)
    policy.entered()
    others = Dictionary(
      seat.members.filter { $0.id != identity.id }.prefix(WireLimits.members).map { ($0.id, $0.connection) },
      uniquingKeysWith: { max($0, $1) })
    choice.entered(seat.hubID, now: since)
    looks?.begin(
      after: choice.isOnErrand
        ? RoomChoice.errand : group.isNewcomer ? (others.isEmpty ? 0 : RoomChoice.welcome) : moment)
    events.entered(seat)
    aimLooks()
  }

  private func closeAttempts() {
    for attempt in attempts.values { attempt.link.close() }
    attempts = [:]
    moving?.link.close()
    moving = nil
  }

  private func presence(_ joined: [Member], _ gone: [Departure]) {
    for member in joined where member.id != identity.id {
      if others[member.id] != nil || others.count < WireLimits.members { others[member.id] = member.connection }
    }
    var isLoss = false
    for departure in gone where others[departure.id].map({ $0 <= departure.connection }) ?? false {
      others[departure.id] = nil
      if !departure.left { isLoss = true }
    }
    events.presence(joined, gone)
    guard !isClosed else { return }
    // It may be at another hub by now.
    if isLoss { looks?.begin(after: moment) }
    aimLooks()
  }

  private func ended(_ number: Int, _ end: HubLinkEnd) {
    guard !isClosed else { return }
    if let moving, moving.number == number { return self.moving = nil }
    if number == upNumber, let lost = seat { return lose(lost, end) }
    guard let attempt = attempts.removeValue(forKey: number) else { return }
    note(end, of: attempt.candidate)
    guard !isShutOut(end) else { return stop(refusal ?? end) }
    // An older one that the next was begun beside changes nothing of when that goes on.
    if number == self.number, standbyTurn == nil { schedule(after: end, wasEntered: false) }
    if case .gone = end { note(goneAt: attempt.candidate.address) }
    events.lost(end, nextTry)
  }

  private func lose(_ lost: HubSeat, _ end: HubLinkEnd) {
    link = nil
    seat = nil
    others = [:]
    since = environment.now
    closeAttempts()
    var pause: Nanoseconds = 0
    let isReplaced = if case .refused(HubRefusal.replaced.rawValue, _, _) = end { true } else { false }
    // By this client's own second way: the first one is taken once more, alone.
    let isOutdone = isReplaced && hadRival
    if isReplaced, !isOutdone {
      replacements = replacements.filter { since.subtracting($0) < Self.replacedSpan } + [since]
      guard replacements.count < Self.replacedLimit else { return stop(end) }
      pause = Self.replacedPause
    }
    // The lost hub once more, then the others; its further addresses lead to the same process.
    let isSameHub = { (candidate: HubCandidate) in candidate.address.isHub(of: lost) }
    let isSame = { (candidate: HubCandidate) in candidate.address.address == lost.address && isSameHub(candidate) }
    let same = candidates.filter(isSame)
    let elsewhere = candidates.filter { !isSame($0) }
    let further = isOutdone ? [] : elsewhere.filter(isSameHub)
    begin(same.map { HubCandidate($0.address) } + elsewhere.filter { !isSameHub($0) } + further)
    schedule(after: end, wasEntered: !same.isEmpty, pause: pause)
    looks?.begin(after: max(Self.lookAfter, pause))
    aimLooks()
    events.lost(end, nextTry)
  }

  private func schedule(after end: HubLinkEnd, wasEntered: Bool, pause: Nanoseconds = 0) {
    let outcome = end.outcome == .fatal ? ReconnectPolicy.Outcome.failed : end.outcome
    guard case .connect(_, let after) = policy.next(after: outcome, wasEntered: wasEntered, random: environment.dice)
    else { return }
    arm(at: environment.now.adding(max(after, pause)))
  }

  // MARK: Refused for good

  private func note(_ end: HubLinkEnd, of candidate: HubCandidate) {
    tries[candidate.address, default: (0, 0)].all += 1
    guard end.outcome == .fatal else { return }
    tries[candidate.address, default: (0, 0)].refused += 1
    refusal = end
  }

  /// No hub lets this participant in, and one says why. One that refuses alone may be wrong: a stranger at an address
  /// that was a hub's, or one that has not heard of the group's new room.
  private func isShutOut(_ end: HubLinkEnd) -> Bool {
    let enough = wasEntered ? Self.refusals : 1
    guard tries.values.contains(where: { $0.refused >= enough }), end.outcome == .fatal || turn.count > 1 else {
      return false
    }
    return turn.allSatisfy { $0.isStandby || (tries[$0.address]?.all ?? 0) >= enough }
  }

  private func stop(_ end: HubLinkEnd) {
    closeAttempts()
    looks?.aim(at: [], pace: Self.pace)
    timer?.arm(at: nil)
    events.lost(end, nil)
  }

  // MARK: Looking around

  /// Somebody who belongs to the session is not in the room, or nobody of it is known yet.
  private var isMissingSomebody: Bool {
    if group.isNewcomer { return true }
    return group.known.contains { $0 != identity.id && others[$0] == nil }
  }

  /// Who is missing may be on its way here.
  private var moment: Nanoseconds { Nanoseconds.milliseconds(500).scaled(by: 0.5 + environment.dice) }

  private func aimLooks() {
    guard !isClosed, !group.known.isEmpty else { return }
    let isHere = { [seat] (candidate: HubCandidate) in seat.map { candidate.address.isHub(of: $0) } ?? false }
    var targets = candidates.filter { !isHere($0) }
    if group.isNewcomer || seat == nil {
      targets.removeAll(where: \.isOwn)
    } else {
      // Who comes with an old invite waits there for somebody of the group.
      let isMissing = isMissingSomebody
      targets.removeAll { $0.isOwn ? !isOwnHubVisited : !isMissing && !$0.isPublic }
    }
    let isLone = seat == nil || others.isEmpty
    let isNews = environment.now < since.adding(Self.firstPace * 5)
    looks?.aim(at: targets, pace: isLone ? (isNews ? Self.firstPace : Self.lonePace) : Self.pace)
  }

  /// `found` nil: nobody answers there.
  private func saw(_ found: HubSeat?, at candidate: HubCandidate, _ end: HubLinkEnd?) {
    guard !isClosed else { return }
    aimLooks()
    if case .gone = end { note(goneAt: candidate.address) }
    guard let found, moving == nil else { return }
    let here = RoomChoice.Here(seat: seat, others: Set(others.keys), since: since)
    guard
      choice.goes(
        to: found, through: candidate, from: here, of: group, local: identity.id, now: environment.now)
    else { return }
    guard seat == nil else { return move(to: candidate) }
    // This way works: another one into the same room would only take this one's place.
    for (number, attempt) in attempts
    where attempt.candidate.address.hub == found.hubID && attempt.candidate.address != candidate.address {
      attempt.link.close()
      attempts[number] = nil
    }
    attempt(candidate)
  }

  private func move(to candidate: HubCandidate) {
    let (link, number) = makeLink(candidate, patience: Self.patience) { [weak self] number, seat in
      guard let self, let moving = self.moving, moving.number == number, !self.isClosed else { return }
      self.moving = nil
      self.take(moving.link, number, seat)
    }
    moving = (link, number)
  }
}
