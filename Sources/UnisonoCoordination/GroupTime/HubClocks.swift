import UnisonoBase
import UnisonoReplica

/// Clocks that can be read at the hub in use: its own, which is measured, and those of the other hubs of its service, which it tells
/// (wire 3.12). All that a participant at one hub knows of another's clock. Nothing of it is slewed: group time is.
struct HubClocks: Sendable {
  /// The hub in use; its clock.
  private(set) var own: ClockID?
  private var model: ClockModel?
  private var told = ClockReport(at: 0, readings: [])
  /// Host time.
  private var heard: HostTime = 0
  /// Host time at which the clock that was read last is over, and another one to be read; nil: it goes on.
  private(set) var nextWake: HostTime?

  /// No other hub's clock can be read here.
  var isAlone: Bool { told.readings.isEmpty || model == nil }

  /// Another hub is in use: its clock is to be measured, and those of others are not told yet.
  mutating func connect(to hub: ClockID) {
    guard hub != own else { return }
    own = hub
    model = nil
    told.readings = []
  }

  /// What is known of the own hub's clock by now; nil: it is not measured yet.
  mutating func measure(_ model: ClockModel?) { self.model = model }

  /// What the hub says of others' clocks, judged before anything goes by it.
  mutating func hear(_ report: ClockReport, now: HostTime) {
    told = ClockReport(at: report.at, readings: report.readings.filter { $0.clock != own })
    heard = now
  }

  /// This machine slept: the hub's clock is to be measured anew.
  mutating func sleep() { model = nil }

  /// Clocks of other hubs that are told well enough to go by them.
  func others(now: HostTime) -> [ClockID] {
    guard let model else { return [] }
    return told.readings.filter { $0.carried(by: age(by: model, at: now)).error <= Parameters.comparableError }.map { $0.clock }
  }

  /// Whether a clock is not told of any more for long: its hub is gone, or cannot be reached from the one in use.
  func isOver(_ clock: ClockID, now: HostTime) -> Bool {
    guard let end = end(of: clock) else { return false }
    return now >= end
  }

  /// Host time at which `isOver` becomes true; nil: that clock goes on.
  private func end(of clock: ClockID) -> HostTime? {
    guard let reading = told.readings.first(where: { $0.clock == clock }), reading.goneFor > 0 else { return nil }
    return heard.subtracting(.seconds(Int64(reading.goneFor))).adding(Parameters.hubGone)
  }

  /// What a clock shows: the own hub's, and what that is told to be behind; nil: it cannot be read here. The same until something is
  /// measured or told anew, whenever it is asked for.
  func model(of clock: ClockID) -> ClockModel? {
    guard let model, clock != own else { return clock == own ? model : nil }
    guard let reading = told.readings.first(where: { $0.clock == clock }) else { return nil }
    let start = max(heard, model.hostTime)
    let (ahead, error) = reading.carried(by: age(by: model, at: start))
    return ClockModel(
      hostTime: start, remoteTime: model.remote(at: start).adding(ahead), rate: model.rate + Double(reading.rate) / 1e9,
      errorBound: model.error(at: start).adding(error), errorGrowth: model.errorGrowth + Double(reading.growth) / 1e6)
  }

  /// Reads the clock that group time goes by; nil: it cannot be read here.
  mutating func read(_ clock: ClockID, now: HostTime) -> ClockModel? {
    nextWake = end(of: clock).flatMap { $0 > now ? $0 : nil }
    return model(of: clock)
  }

  /// How long ago the hub said what it told of others, by its own clock, ns.
  private func age(by model: ClockModel, at host: HostTime) -> Nanoseconds { model.remote(at: host).subtracting(told.at) }
}
