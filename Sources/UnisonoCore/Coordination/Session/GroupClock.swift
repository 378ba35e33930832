/// Group time towards host time (coordination 2.1): the hub's clock, shifted by what the Clocks register says.
struct GroupClock: Sendable {
  enum Base: Equatable, Sendable {
    /// No group: group time is the own host time.
    case own
    /// A group whose time is not known yet.
    case unknown
    /// Remote time of the model is group time.
    case model(ClockModel)
  }

  private(set) var base: Base = .own
  /// The hub that we are connected to, and what we know of its clock.
  var hub: ClockID?
  var hubModel: ClockModel?
  var roundTrip: Nanoseconds?
  /// What the hub's clock was last taken to be in group time.
  private(set) var mapping: (hub: ClockID?, value: ClockValue)?
  /// Hub clocks that were mapped, apart from the others, with a group time that was guessed; nil: it is known.
  var guesses: Set<ClockID>?
  /// Since when the hub's clock is measured but not mapped onto group time.
  var unmappedSince: HostTime?

  /// This machine slept, so that its own clock stood: what is believed of group time is void until the hub's is measured
  /// anew. It serves on without a link, where nobody else can be misled.
  private(set) var isInDoubt = false

  var isKnown: Bool { base != .unknown && !isInDoubt }

  mutating func doubt() {
    hubModel = nil
    unmappedSince = nil
    if case .model = base { isInDoubt = true }
  }

  mutating func forget() {
    base = .unknown
    isInDoubt = false
  }

  mutating func useOwn() {
    base = .own
    isInDoubt = false
  }

  /// Takes the hub's clock as group time, shifted by `offset`.
  mutating func adopt(_ model: ClockModel, offset: Nanoseconds, error: UInt32) {
    mapping = (hub, ClockValue(offset: offset, error: error))
    var shifted = model
    shifted.remoteTime = model.remoteTime.adding(offset)
    shifted.errorBound = model.errorBound.adding(.microseconds(Int64(error)))
    base = .model(shifted)
    isInDoubt = false
  }

  /// Host time to group time; nil: not known, or no group.
  var model: ClockModel? { if case .model(let model) = base { model } else { nil } }

  func group(at host: HostTime) -> GroupTime {
    if case .model(let model) = base { return model.remote(at: host) }
    return host
  }

  func host(at group: GroupTime) -> HostTime {
    if case .model(let model) = base { return model.host(at: group) }
    return group
  }

  /// When to wake for something due at a group time: a little later, as both conversions round.
  func wake(at group: GroupTime) -> HostTime { host(at: group).adding(.microseconds(1)) }

  func error(at host: HostTime) -> Nanoseconds {
    if case .model(let model) = base { return model.error(at: host) }
    return 0
  }

  /// Half the round trip to the hub.
  var hubDelay: Nanoseconds? { roundTrip.map { $0 / 2 } }
}
