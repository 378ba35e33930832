import UnisonoBase
import UnisonoCoordination
import UnisonoReplica

/// A client's search for a hub: whose turn it is, when the next attempt begins, and whether the standby hub of this process may
/// be entered yet. Knows nothing of links.
///
/// Phases: idle, while the client is in a room; searching, from `begin` to `entered`. While it searches, one alarm is set: at its
/// time the client calls `alarmRang`, which says what to do. Each input may set the alarm anew; `resetAlarm` gives
/// the client the time, once. An attempt that takes its time does not keep the next from being begun beside it.
struct HubSearch {
  /// After this the next address is tried as well.
  private static let overlap = Nanoseconds.milliseconds(600)
  /// So long a participant waits at its standby hub for others to come.
  private static let standbyOverlap = Nanoseconds.seconds(1)
  /// After this, one who looks for nobody and finds no other hub enters its standby hub alone.
  private static let lonely = Nanoseconds.seconds(30)

  /// Facts of a client that decide about its standby hub.
  struct Facts {
    var local: ParticipantID
    var group: HubGroup
    /// Somebody else is in the room at the hub of this process.
    var isOwnHubVisited: Bool
    /// It was in the room before.
    var wasMember: Bool
    /// Since when there is no link.
    var since: HostTime
  }

  enum Step: Equatable {
    /// Nothing for now.
    case wait
    /// All hubs are to be looked at, at once: the standby hub is next, and others may be in one of them.
    case peekEverywhere
    case attempt(HubCandidate)
  }

  /// Hubs in the order of the search in progress.
  private(set) var order: [HubCandidate] = []
  /// Time at which the next attempt begins, host time.
  private(set) var nextAttempt: HostTime = .min
  private var policy = ReconnectPolicy(addresses: 1)
  /// Since when the standby hub's turn is.
  private var standbyTurn: HostTime?
  /// Addresses where nothing listened since the search began.
  private var gone: Set<HubAddress> = []
  /// Addresses that are left alone, and until when, host time.
  private var aside: [HubAddress: HostTime] = [:]
  /// The alarm is for trying the next address beside one that takes its time.
  private var isOverlap = false
  private var alarm: HostTime?

  /// True while it is the standby hub's turn, and others are waited for.
  var isAtStandby: Bool { standbyTurn != nil }
  /// With other hubs to turn to no attempt may take long.
  var hasChoice: Bool { order.count > 1 }

  // MARK: Order

  /// Begins a search in this order.
  mutating func begin(_ candidates: [HubCandidate], isNewcomer: Bool) {
    // A standby hub is for those who have the group's state: nobody else is found there.
    order = isNewcomer ? candidates.filter { !$0.isStandby } : candidates
    policy = ReconnectPolicy(addresses: order.count)
    standbyTurn = nil
  }

  /// The hubs changed during a search: the one whose turn it is stays in front.
  mutating func change(to candidates: [HubCandidate], isNewcomer: Bool, now: HostTime) {
    let hadNone = order.isEmpty
    let next = order.indices.contains(policy.current) ? order[policy.current] : nil
    let began = next?.isStandby == true ? standbyTurn : nil
    begin(
      next.map { next in [next] + candidates.filter { $0.address != next.address } } ?? candidates,
      isNewcomer: isNewcomer)
    if let began { standbyTurn = began }
    if hadNone { setAlarm(now) }
  }

  /// Somebody is in the standby hub of this process: it is next, if it is a choice at all.
  mutating func preferStandby(wasMember: Bool, now: HostTime) {
    guard let index = order.firstIndex(where: { $0.isStandby }), wasMember || standbyTurn != nil else { return }
    policy = ReconnectPolicy(addresses: order.count, startingAt: index)
    setAlarm(now)
  }

  // MARK: Time

  mutating func setAlarm(_ time: HostTime, overlap: Bool = false) {
    nextAttempt = time
    isOverlap = overlap
    alarm = time
  }

  /// Time of an alarm that was set since this was asked last.
  mutating func resetAlarm() -> HostTime? {
    defer { alarm = nil }
    return alarm
  }

  mutating func alarmRang(
    _ facts: Facts, budget: inout DialBudget, now: HostTime, random: @autoclosure () -> Double
  ) -> Step {
    guard isOverlap else { return step(facts, budget: &budget, now: now) }
    if case .connect(_, let after) = policy.next(after: .failed, random: random()) { setAlarm(now.adding(after)) }
    return .wait
  }

  private mutating func step(_ facts: Facts, budget: inout DialBudget, now: HostTime) -> Step {
    guard order.indices.contains(policy.current) else { return .wait }
    if let later = passOverAside(now: now) {
      setAlarm(later)
      return .wait
    }
    let candidate = order[policy.current]
    if candidate.isStandby {
      if let step = awaitOthers(facts, now: now) { return step }
      standbyTurn = nil
    }
    if candidate.isListed, let later = budget.spend(now: now) {
      setAlarm(later)
      return .wait
    }
    if order.count > 1 { setAlarm(now.adding(Self.overlap), overlap: true) }
    return .attempt(candidate)
  }

  /// Step instead of entering the standby hub, whose turn it is; nil: it is the one to be in.
  ///
  /// Those who come after it in the common order come to it, so none of their hubs is entered: they are looked at meanwhile.
  private mutating func awaitOthers(_ facts: Facts, now: HostTime) -> Step? {
    if facts.isOwnHubVisited || facts.group.known == [facts.local] { return nil }
    guard !facts.group.known.isEmpty else {
      if now >= facts.since.adding(Self.lonely), facts.wasMember { return nil }
      setAlarm(now.adding(Self.standbyOverlap), overlap: true)
      return .wait
    }
    let elsewhere = order.filter { !$0.isStandby }
    if !elsewhere.isEmpty, elsewhere.allSatisfy({ gone.contains($0.address) }) { return nil }
    let began = standbyTurn ?? now
    let step = standbyTurn == nil ? Step.peekEverywhere : .wait
    standbyTurn = began
    if now >= began.adding(Self.standbyOverlap) { return nil }
    setAlarm(began.adding(Self.standbyOverlap))
    return step
  }

  /// Moves on to the first hub that is not left alone. If there is none: when there will be.
  private mutating func passOverAside(now: HostTime) -> HostTime? {
    aside = aside.filter { $0.value > now }
    for _ in order.indices {
      guard aside[order[policy.current].address] != nil else { return nil }
      policy.skip()
    }
    return order.compactMap { aside[$0.address] }.min()
  }

  // MARK: Outcomes

  /// Left alone for now.
  func isAside(_ address: HubAddress, now: HostTime) -> Bool { aside[address].map { $0 > now } ?? false }

  /// These are left alone for a while.
  mutating func setAside(_ addresses: [HubAddress], until time: HostTime) {
    for address in addresses { aside[address] = max(time, aside[address] ?? time) }
  }

  mutating func entered() {
    standbyTurn = nil
    gone = []
    policy.entered()
    alarm = nil
  }

  /// Nothing listens there: while the standby hub's turn is, that may have been the last of the others. Further addresses of that
  /// hub lead to the same process, most likely, so that other hubs come first.
  mutating func recordGone(_ candidate: HubCandidate, now: HostTime) {
    gone.insert(candidate.address)
    let later = min(policy.current + 1, order.count)
    let further = order[later...].filter { $0.process == candidate.process && !$0.isStandby }
    order = order[..<later] + order[later...].filter { !further.contains($0) } + further
    if standbyTurn != nil { setAlarm(now) }
  }

  /// An attempt failed, or the link was lost: the next attempt, after `pause` at the earliest. `wasEntered`: the hub that is next
  /// had been in use, and deserves another try first.
  mutating func scheduleNext(
    after end: HubLinkEnd, wasEntered: Bool, pause: Nanoseconds = 0, now: HostTime, random: Double
  ) {
    let outcome = end.outcome == .fatal ? ReconnectPolicy.Outcome.failed : end.outcome
    guard case .connect(_, let after) = policy.next(after: outcome, wasEntered: wasEntered, random: random) else {
      return
    }
    setAlarm(now.adding(max(after, pause)))
  }
}
