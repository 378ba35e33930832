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
  /// This machine slept since: nothing is decided or stamped by it, but who only shows something may go on with it.
  private(set) var isVoid = false
  /// The hub that we are connected to, and what we know of its clock.
  var hub: ClockID?
  var hubModel: ClockModel?
  var roundTrip: Nanoseconds?
  /// Since when the hub's clock is measured but not mapped onto group time.
  var unmappedSince: HostTime?

  var isKnown: Bool { base != .unknown && !isVoid }

  mutating func forget() {
    base = .unknown
    isVoid = false
  }

  mutating func useOwn() {
    base = .own
    isVoid = false
  }

  /// Until it is adopted anew.
  mutating func becomeVoid() {
    isVoid = true
    hubModel = nil
    unmappedSince = nil
  }

  /// Takes the hub's clock as group time, shifted by `offset`.
  mutating func adopt(_ model: ClockModel, offset: Nanoseconds, error: UInt32) {
    var shifted = model
    shifted.remoteTime = model.remoteTime.adding(offset)
    shifted.errorBound = model.errorBound.adding(.microseconds(Int64(error)))
    base = .model(shifted)
    isVoid = false
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
