import UnisonoCore
import UnisonoCrypto

/// A participant's place in a room: connects to one of the room's hubs, to the next when that one is lost, and looks at
/// the others while somebody is missing.
///
/// Belongs to the loop's thread of its environment.
public final class HubClient {
  let environment: any Environment
  let door: Door
  let identity: Identity
  let events: HubClientEvents
  /// In the order that everybody in the session shares.
  private(set) var candidates: [HubCandidate]
  var budget: DialBudget
  var watch = HubWatch()
  var lookTimer: (any LoopTimer)?
  /// The look, or the move, in progress.
  var look: HubLink?
  var moving: (link: HubLink, number: Int)?
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
  /// The last hub that refused for good.
  private var refusal: HubLinkEnd?
  private var timer: (any LoopTimer)?
  private var nextTry: HostTime = .min
  /// The timer is for trying the next address beside one that takes its time.
  private var isOverlap = false
  /// Counts links, so that words of one that was given up are not taken for those of the present one.
  private var number = 0
  private(set) var seat: HubSeat?
  private var wasEntered = false
  /// When a hub said that a newer connection took over, within `replacedSpan`.
  private var replacements: [HostTime] = []
  /// Since when no hub was reached.
  private var searching: HostTime = .max
  /// Somebody else is at the standby hub of this process.
  public var isStandbyVisited = false {
    didSet {
      guard isStandbyVisited, !isClosed else { return }
      visited()
    }
  }
  private(set) var isClosed = false

  /// How long an attempt may take up to entry: with other hubs to turn to, not long.
  static let patience = Nanoseconds.seconds(3)
  static let patienceAlone = Nanoseconds.seconds(10)
  /// After this the next address is tried as well.
  static let overlap = Nanoseconds.milliseconds(600)
  /// So long a participant waits at its standby hub for others to come before it goes on to theirs.
  static let standbyOverlap = Nanoseconds.seconds(1)
  /// Who finds nobody for so long enters its standby hub alone: others may find it there.
  static let lonely = Nanoseconds.seconds(30)
  /// A member believes that it is shut out when every hub said so, or did not answer, this often.
  static let refusals = 3
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

  public init(
    environment: any Environment, candidates: [HubCandidate], door: Door, identity: Identity, events: HubClientEvents
  ) {
    self.environment = environment
    self.candidates = candidates
    self.door = door
    self.identity = identity
    self.events = events
    turn = candidates
    budget = DialBudget(now: environment.now)
    policy = ReconnectPolicy(addresses: candidates.count)
    timer = environment.makeTimer { [weak self] in self?.timerFired() }
    lookTimer = environment.makeTimer { [weak self] in self?.lookAround() }
    arm(at: environment.now)
  }

  /// nil while there is no link.
  public var current: HubSeat? { seat }
  /// Bytes that wait to be sent.
  public var queuedBytes: Int { link?.queuedBytes ?? 0 }
  /// Somebody who belongs to the session is not in the room: the other hubs are looked at.
  public var isMissingSomebody = false {
    didSet {
      guard isMissingSomebody != oldValue else { return }
      armLook()
    }
  }

  /// Nobody else belongs to the session any more: there is nobody to wait for.
  public var isLast = false

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
    guard seat == nil else { return armLook() }
    let hadNone = turn.isEmpty
    let next = turn.indices.contains(policy.current) ? turn[policy.current] : nil
    turn = next.map { next in [next] + new.filter { $0.address != next.address } } ?? new
    policy = ReconnectPolicy(addresses: turn.count)
    if hadNone { arm(at: environment.now) }
  }

  public func setAddresses(_ addresses: [HubAddress]) { setCandidates(addresses.map { HubCandidate($0) }) }

  /// Asks the hub to keep a sealed envelope for those who come later; the newest counts.
  public func keep(_ envelope: [UInt8]) { link?.keep(envelope) }

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
    closeLook()
    timer?.close()
    timer = nil
    lookTimer?.close()
    lookTimer = nil
  }

  // MARK: Connecting

  private func arm(at time: HostTime, overlap: Bool = false) {
    nextTry = time
    isOverlap = overlap
    timer?.arm(at: time)
  }

  private func timerFired() {
    guard !isClosed, seat == nil else { return }
    if isOverlap {
      if case .connect(_, let after) = policy.next(after: .failed, random: dice) {
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
    if candidate.isStandby, !isStandbyVisited, !isLast, now < searching.adding(Self.lonely) {
      return arm(at: now.adding(Self.standbyOverlap), overlap: true)
    }
    if candidate.isListed, let later = budget.take(now: now) { return arm(at: later) }
    if turn.count > 1 { arm(at: now.adding(Self.overlap), overlap: true) }
    guard !attempts.values.contains(where: { $0.candidate == candidate }) else { return }
    let (link, number) = makeLink(candidate, patience: turn.count > 1 ? Self.patience : Self.patienceAlone) {
      [weak self] number, seat in
      self?.entered(number, seat)
    }
    attempts[number] = (link, candidate)
  }

  private func visited() {
    guard seat == nil else {
      if isMissingSomebody { watch.begin(now: environment.now, random: 0) }
      return armLook()
    }
    guard searching != .max, let index = turn.firstIndex(where: \.isStandby) else { return }
    policy = ReconnectPolicy(addresses: turn.count, startingAt: index)
    arm(at: environment.now)
  }

  /// A link into the room; its words count while it is the one that is up.
  func makeLink(
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

  private var upNumber = 0
  private func isUp(_ number: Int) -> Bool { seat != nil && number == upNumber && !isClosed }

  private func entered(_ number: Int, _ seat: HubSeat) {
    guard !isClosed, let attempt = attempts.removeValue(forKey: number) else { return }
    take(attempt.link, number, seat)
  }

  /// This link is the one from now on.
  func take(_ new: HubLink, _ number: Int, _ seat: HubSeat) {
    link?.close()
    link = new
    upNumber = number
    self.seat = seat
    wasEntered = true
    searching = .max
    tries = [:]
    refusal = nil
    closeAttempts()
    timer?.arm(at: nil)
    policy.entered()
    others = Dictionary(
      seat.members.filter { $0.id != identity.id }.prefix(WireLimits.members).map { ($0.id, $0.connection) },
      uniquingKeysWith: { max($0, $1) })
    watch = HubWatch()
    events.entered(seat)
    armLook()
  }

  private func closeAttempts() {
    for attempt in attempts.values { attempt.link.close() }
    attempts = [:]
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
    // It may be at another hub by now.
    if isLoss, !isClosed {
      watch.begin(now: environment.now, random: dice)
      armLook()
    }
  }

  private func ended(_ number: Int, _ end: HubLinkEnd) {
    guard !isClosed else { return }
    if let moving, moving.number == number { return moveFailed() }
    if number == upNumber, let lost = seat { return lose(lost, end) }
    guard let attempt = attempts.removeValue(forKey: number) else { return }
    note(end, of: attempt.candidate)
    guard !isShutOut(end) else { return stop(refusal ?? end) }
    // An older one that the next was begun beside changes nothing of when that goes on.
    if number == self.number { schedule(after: end, wasEntered: false) }
    events.lost(end, nextTry)
  }

  private func lose(_ lost: HubSeat, _ end: HubLinkEnd) {
    link = nil
    seat = nil
    others = [:]
    searching = environment.now
    closeLook()
    lookTimer?.arm(at: nil)
    var pause: Nanoseconds = 0
    if case .refused(HubRefusal.replaced.rawValue, _, _) = end {
      let now = environment.now
      replacements = replacements.filter { now.subtracting($0) < Self.replacedSpan } + [now]
      guard replacements.count < Self.replacedLimit else { return stop(end) }
      pause = Self.replacedPause
    }
    // The lost hub once more, then the others; its further addresses lead to the same process.
    let isSameHub = { (candidate: HubCandidate) in candidate.address.isHub(of: lost) }
    let isSame = { (candidate: HubCandidate) in candidate.address.address == lost.address && isSameHub(candidate) }
    let same = candidates.filter(isSame)
    let elsewhere = candidates.filter { !isSame($0) }
    turn = same.map { HubCandidate($0.address) } + elsewhere.filter { !isSameHub($0) } + elsewhere.filter(isSameHub)
    policy = ReconnectPolicy(addresses: turn.count)
    schedule(after: end, wasEntered: !same.isEmpty, pause: pause)
    events.lost(end, nextTry)
  }

  private func schedule(after end: HubLinkEnd, wasEntered: Bool, pause: Nanoseconds = 0) {
    let outcome = end.outcome == .fatal ? ReconnectPolicy.Outcome.failed : end.outcome
    guard case .connect(_, let after) = policy.next(after: outcome, wasEntered: wasEntered, random: dice) else {
      return
    }
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
    timer?.arm(at: nil)
    events.lost(end, nil)
  }

  /// Even in 0..<1.
  var dice: Double { environment.randomBytes(4).reduce(0.0) { ($0 + Double($1)) / 256 } }
}
