import UnisonoBase
import UnisonoReplica

/// What group time is by another's clock, where the hub's is in doubt (wire 8.8).
struct ClockCorrection: Equatable, Sendable {
  /// The hub in doubt; of another one nothing is known.
  var hub: ClockID
  /// Group time less what the hub's clock, mapped, says, ns.
  var offset: Nanoseconds
  /// What group time may be wrong by then, ns.
  var error: Nanoseconds
}

/// Group time towards host time (coordination 2.1): the hub's clock, shifted by what the Clocks register says.
struct GroupClock: Sendable {
  enum Base: Equatable, Sendable {
    /// No group: group time is the own host time.
    case own
    /// A group whose time is not known yet.
    case unknown
    /// Remote time of the clock is group time.
    case model(SlewedClock)

    func host(at group: GroupTime) -> HostTime {
      if case .model(let clock) = self { return clock.host(at: group) }
      return group
    }
  }

  private(set) var base: Base = .own
  /// The hub by whose clock group time is to go, which is the one that we are connected to or another of its service, and what we know of
  /// that clock.
  private(set) var hub: ClockID?
  private(set) var hubModel: ClockModel?
  /// What is said of it in an earlier turn does not count.
  private(set) var leastTurn: UInt32 = 0
  private(set) var roundTrip: Nanoseconds?
  /// What the hub's clock was last taken to be in group time.
  private(set) var mapping: (hub: ClockID?, value: ClockValue)?
  /// The hub's clock is in doubt, and group time goes by another's; nil: by the hub's.
  private(set) var correction: ClockCorrection?
  /// Hub clocks that were mapped, apart from the others, with a group time that was guessed; nil: it is known.
  private(set) var guesses: Set<ClockID>?
  /// Since when group time has been known without a doubt, host time; nil: it is not.
  private(set) var knownSince: HostTime?
  /// What the clock of the hub in use was in group time when that came to be known: many small steps away from it are one large one.
  private(set) var anchor: (hub: ClockID?, offset: Nanoseconds, since: HostTime)?
  /// What the clock of `anchor` in group time may be wrong by, since this machine slept; nil: it did not, or nothing was certain. A hub's
  /// clock does not sleep with others' machines.
  private var keptError: Nanoseconds?
  /// Since when the hub's clock is measured but not mapped onto group time.
  private(set) var unmappedSince: HostTime?

  /// This machine slept, so that its own clock stood: what is believed of group time is void until the hub's is measured
  /// anew. Still used while unlinked.
  private(set) var isInDoubt = false
  /// Nobody else was in the session when this machine fell asleep, which is why group time is in doubt.
  private(set) var sleptAlone = false

  var isKnown: Bool { base != .unknown && !isInDoubt }

  /// It is known, but goes back to a guess: somebody may come who really knows.
  var isGuessed: Bool { mapping?.value.isGuess ?? false }

  // MARK: The hub

  /// Another hub's clock is to be measured.
  mutating func connect(to hub: ClockID) {
    guard hub != self.hub else { return }
    self.hub = hub
    hubModel = nil
    unmappedSince = nil
  }

  /// What is to count of the hub's clock.
  mutating func require(turn: UInt32) { leastTurn = turn }

  /// What is known of the hub's clock by now; nil: it is not measured yet. Group time serves on: host time went on, too.
  mutating func measure(_ model: ClockModel?) { hubModel = model }

  mutating func measure(roundTrip: Nanoseconds) { self.roundTrip = roundTrip }

  /// The hub's clock is measured but not mapped, as from `since`; nil: it is mapped, or there is nothing to map.
  mutating func awaitMapping(since: HostTime?) { unmappedSince = since }

  /// The hub's clock was mapped with a group time that was guessed.
  mutating func recordGuess() {
    guard let hub else { return }
    guesses = (guesses ?? []).union([hub])
  }

  /// Group time is not guessed any more.
  mutating func endGuessing() { guesses = nil }

  // MARK: Whether it is known

  /// This machine slept; `isAlone`: nobody else is or was there, who could have gone on.
  mutating func doubt(isAlone: Bool) {
    if isCertain, let hubModel, let mapping { keptError = hubModel.errorBound.adding(mapping.value.bound) }
    hubModel = nil
    knownSince = nil
    unmappedSince = nil
    guard case .model = base else { return }
    sleptAlone = isAlone || sleptAlone
    isInDoubt = true
  }

  /// Somebody may know what was only guessed.
  mutating func doubtGuess() {
    if isGuessed, case .model = base { isInDoubt = true }
  }

  /// It is known, by more than a guess, and no other clock's is preferred: what others say of it can be judged.
  var isCertain: Bool { isKnown && !isGuessed && knownSince != nil && correction == nil }

  /// What the clock of the hub in use, as it is known in group time, may be wrong by; nil: what others say of it cannot be judged. Who
  /// slept knows it still.
  func judgedError(at host: HostTime) -> Nanoseconds? {
    guard let anchor, anchor.hub == hub else { return nil }
    if isCertain, hubModel != nil { return error(at: host) }
    return keptError
  }

  /// Group time goes on from another day, by what other clocks say of how long ago that was: in doubt until a hub's is mapped.
  mutating func resume(at group: GroupTime, now: HostTime) {
    base = .model(SlewedClock(ClockModel(hostTime: now, remoteTime: group, errorBound: 0)))
    isInDoubt = true
    knownSince = nil
  }

  mutating func forget() {
    keptError = nil
    base = .unknown
    correction = nil
    knownSince = nil
    isInDoubt = false
    sleptAlone = false
  }

  mutating func useOwn() {
    keptError = nil
    base = .own
    correction = nil
    knownSince = nil
    isInDoubt = false
    sleptAlone = false
  }

  /// Group time goes by another's clock, from the next `adopt` on; nil: by the hub's again.
  mutating func correct(by correction: ClockCorrection?) { self.correction = correction }

  /// Takes the hub's clock as group time, shifted by `value`, and corrected where that is in doubt. What that changes of it, by whichever of
  /// the three, is slewed here and nowhere else, so that what is approached goes on being approached without the hub, too; unless
  /// `mayStep`: nothing plays.
  mutating func adopt(_ model: ClockModel, _ value: ClockValue, at now: HostTime, mayStep: Bool) {
    rebase(model, value, at: now)
    let correction = self.correction.flatMap { $0.hub == hub ? $0 : nil }
    let offset = value.offset.adding(correction?.offset ?? 0)
    let shifted = Self.shifted(model, by: offset, error: correction?.error ?? value.bound)
    var clock = SlewedClock(shifted)
    if !mayStep, isKnown, case .model(let before) = base {
      clock = before
      // What is approached already takes no longer for being said again.
      if before.model != shifted { clock.adopt(shifted, at: now, mayStep: false) }
    }
    if anchor?.hub != hub || !isCertain { anchor = (hub, value.offset, now) }
    knownSince = value.isGuess ? nil : knownSince ?? now
    keptError = nil
    mapping = (hub, value)
    base = .model(clock)
    isInDoubt = false
    sleptAlone = false
  }

  /// Another's clock is as far from group time as it was, also where the hub's is told otherwise now.
  private mutating func rebase(_ model: ClockModel, _ value: ClockValue, at now: HostTime) {
    guard let correction, correction.hub == hub else { return }
    let moved = model.remote(at: now).adding(value.offset).subtracting(told(at: now).group)
    self.correction?.offset = correction.offset.subtracting(moved)
  }

  private static func shifted(_ model: ClockModel, by offset: Nanoseconds, error: Nanoseconds) -> ClockModel {
    var shifted = model
    shifted.remoteTime = model.remoteTime.adding(offset)
    shifted.errorBound = model.errorBound.adding(error)
    return shifted
  }

  /// Group time as the hub tells it, and what that may be wrong by if the hub is honest: what others compare theirs with. It is not
  /// slewed, and no correction is in it.
  func told(at host: HostTime) -> (group: GroupTime, error: Nanoseconds) {
    guard let toldModel else { return (settled(at: host), error(at: host)) }
    return (toldModel.remote(at: host), toldModel.error(at: host))
  }

  /// nil: the clock of the hub in use is not measured, or not mapped.
  var toldModel: ClockModel? {
    guard let hubModel, let mapping, mapping.hub == hub else { return nil }
    return Self.shifted(hubModel, by: mapping.value.offset, error: mapping.value.bound)
  }

  /// Host time to group time, as it is around `host`, for those who may go on by it for a while; nil: not known, or no group.
  func model(at host: HostTime) -> ClockModel? {
    if case .model(let clock) = base { clock.reading(at: host) } else { nil }
  }

  /// Host time at which `model(at: host)` bends; nil: it goes on.
  func nextBend(after host: HostTime) -> HostTime? {
    if case .model(let clock) = base { clock.nextBend(after: host) } else { nil }
  }

  /// Group time as it will be when nothing is left to be slewed away.
  func settled(at host: HostTime) -> GroupTime { settledModel?.remote(at: host) ?? host }

  /// What that may be wrong by, ns.
  func settledError(at host: HostTime) -> Nanoseconds { settledModel?.error(at: host) ?? 0 }

  private var settledModel: ClockModel? {
    if case .model(let clock) = base { clock.model } else { nil }
  }

  func group(at host: HostTime) -> GroupTime {
    if case .model(let clock) = base { return clock.remote(at: host) }
    return host
  }

  func host(at group: GroupTime) -> HostTime { base.host(at: group) }

  /// When to wake for something due at a group time: a little later, as both conversions round.
  func wake(at group: GroupTime) -> HostTime { host(at: group).adding(.microseconds(1)) }

  func error(at host: HostTime) -> Nanoseconds {
    if case .model(let clock) = base { return clock.error(at: host) }
    return 0
  }

  /// Half the round trip to the hub.
  var hubDelay: Nanoseconds? { roundTrip.map { $0 / 2 } }
}
