/// A remote clock as it is published: it follows its models without ever jumping while something plays.
///
/// After a new model the published line runs on from where it was and approaches the new one within `slewTime`, or at
/// `slewRate` where that is quicker, so that published time is continuous and never runs backwards. It jumps only where it must: the first model, a difference over `stepLimit`, or
/// when nothing plays. Three straight pieces: what was published before `since`, the approach, the model from `until` on.
package struct SlewedClock: Equatable, Sendable {
  /// How much faster or slower than the model the published line runs at least while it approaches, ns per ns.
  package static let slewRate = 500e-6
  /// Nobody is to be off for longer. At `stepLimit` that is 2 %, which is what players nudge by and what nobody hears.
  package static let slewTime = Nanoseconds.seconds(2)
  /// A difference that would take too long to slew away is stepped over, ns.
  package static let stepLimit = Nanoseconds.milliseconds(40)

  /// The newest model: what is approached, or reached.
  package private(set) var model: ClockModel
  private var before: ClockModel
  private var approach: ClockModel
  private var since: HostTime
  private var until: HostTime

  /// The first model counts at once.
  package init(_ model: ClockModel) {
    self.model = model
    before = model
    approach = model
    since = .min
    until = .min
  }

  /// Takes a new model in at host time `now`. `mayStep`: nothing plays, so the new model counts at once. True: it jumped.
  @discardableResult
  package mutating func adopt(_ new: ClockModel, at now: HostTime, mayStep: Bool) -> Bool {
    // A clock that would run backwards is no clock.
    let now = max(now, since)
    let published = remote(at: now)
    let difference = published.subtracting(new.remote(at: now))
    guard !mayStep, difference.magnitude <= UInt64(Self.stepLimit) else {
      let jumped = difference != 0
      self = SlewedClock(new)
      since = now
      return jumped
    }
    let tangent = piece(at: now)
    before = ClockModel(
      hostTime: now, remoteTime: published, rate: tangent.rate, errorBound: error(at: now),
      errorGrowth: tangent.errorGrowth)
    model = new
    let pace = max(Self.slewRate, Double(difference.magnitude) / Double(Self.slewTime))
    let slope = difference > 0 ? -pace : pace
    let bound = new.error(at: now).adding(Nanoseconds(clamping: difference.magnitude))
    approach = ClockModel(
      hostTime: now, remoteTime: published, rate: new.rate + slope, errorBound: bound, errorGrowth: new.errorGrowth)
    since = now
    until = now.adding(Nanoseconds(clamping: difference.magnitude).scaled(by: 1 / pace))
    return false
  }

  /// Published remote time at a host time.
  package func remote(at host: HostTime) -> Int64 { piece(at: host).remote(at: host) }

  /// Host time at a published remote time.
  package func host(at remote: Int64) -> HostTime {
    if since < until {
      if remote < approach.remoteTime { return before.host(at: remote) }
      if remote < approach.remote(at: until) { return approach.host(at: remote) }
    }
    return model.host(at: remote)
  }

  /// The bound of the published time's error: the model's, and what is still to be slewed away.
  package func error(at host: HostTime) -> Nanoseconds {
    let away = Nanoseconds(clamping: remote(at: host).subtracting(model.remote(at: host)).magnitude)
    return model.error(at: host).adding(away)
  }

  /// The straight piece in force at a host time, as a model: right until `nextBend`.
  package func tangent(at host: HostTime) -> ClockModel {
    let piece = piece(at: host)
    return ClockModel(
      hostTime: host, remoteTime: piece.remote(at: host), rate: piece.rate, errorBound: error(at: host),
      errorGrowth: piece.errorGrowth)
  }

  /// The same for those who may go on by it past `nextBend`: its bound grows by as much as it runs away from there.
  package func reading(at host: HostTime) -> ClockModel {
    var reading = tangent(at: host)
    reading.errorGrowth += bend(after: host)
    return reading
  }

  /// How much the rate changes at `nextBend`, ns per ns; 0: there is none.
  package func bend(after host: HostTime) -> Double {
    nextBend(after: host) == nil ? 0 : abs(piece(at: host).rate - model.rate)
  }

  /// Host time at which the straight piece in force at `host` ends; nil: it goes on.
  package func nextBend(after host: HostTime) -> HostTime? { since < until && host < until ? until : nil }

  private func piece(at host: HostTime) -> ClockModel {
    guard since < until, host < until else { return model }
    return host < since ? before : approach
  }
}
