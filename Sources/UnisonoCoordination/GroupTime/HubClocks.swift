import UnisonoBase
import UnisonoReplica

/// Clocks that can be read at the hub in use: its own, which is measured, and those of the other hubs of its service, which it tells
/// (wire 3.12). All that a participant at one hub knows of another's clock.
///
/// The clock that group time goes by is read as one line, whichever way: where the way changes, or the hub says something else of that
/// clock, the line goes on from where it was, and what differs is slewed.
struct HubClocks: Sendable {
  /// The hub in use; its clock.
  private(set) var own: ClockID?
  private var model: ClockModel?
  private var told = ClockReport(at: 0, readings: [])
  /// Host time.
  private var heard: HostTime = 0
  /// What is added to the own hub's clock to have the one that is read: host time to host time and that; nil: nothing.
  private var way: SlewedClock?
  /// What was read last, of which clock, and by what; nil: nothing is to go on from there.
  private var last: (clock: ClockID, hub: ClockID?, report: ClockReport, model: ClockModel)?
  /// When that was, and when the clock that was read will be over.
  private var readAt: HostTime = .min
  private var over: HostTime?

  /// No other hub's clock can be read here.
  var isAlone: Bool { told.readings.isEmpty || model == nil }

  /// More than the own hub's clock is read, or what was is still being slewed away from.
  var isReading: Bool { !isAlone || model != nil && way != nil }

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

  /// This machine slept: what was read before goes on nowhere.
  mutating func sleep() {
    model = nil
    way = nil
    last = nil
  }

  /// Clocks of other hubs that are told well enough to go by them.
  func others(now: HostTime) -> [ClockID] {
    guard let model else { return [] }
    return told.readings.filter { line(of: $0, model, now: now).errorBound <= Parameters.comparableError }.map { $0.clock }
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

  /// What a clock shows, without anything that is slewed; nil: it cannot be read here.
  func model(of clock: ClockID, now: HostTime) -> ClockModel? {
    guard let model, clock != own else { return clock == own ? model : nil }
    guard let reading = told.readings.first(where: { $0.clock == clock }) else { return nil }
    return Self.sum(model, line(of: reading, model, now: now), at: now)
  }

  /// Reads the clock that group time goes by. `mayStep`: nothing plays.
  mutating func read(_ clock: ClockID, now: HostTime, mayStep: Bool) -> ClockModel? {
    readAt = now
    over = end(of: clock)
    guard let model else { return nil }
    let reading = told.readings.first { $0.clock == clock }
    guard clock == own || reading != nil else { return nil }
    let isNew = last.map { $0.clock != clock || $0.hub != own || $0.report != told } ?? true
    if isNew { turn(to: clock, reading, model, now: now, mayStep: mayStep) }
    if clock == own, let way, way.nextBend(after: now) == nil { self.way = nil }
    // Whoever goes on by it past its bend is off by more and more: that is in what the error grows by.
    let result = way.map { Self.sum(model, $0.reading(at: now), at: now) } ?? model
    last = (clock, own, told, result)
    return result
  }

  /// Host time at which the clock that was read is to be read anew; nil: it goes on as it is, or nothing can be read now.
  var nextWake: HostTime? {
    guard isReading else { return nil }
    let end = over.flatMap { $0 > readAt ? $0 : nil }
    return [way?.nextBend(after: readAt), end].compactMap { $0 }.min()
  }

  private mutating func turn(to clock: ClockID, _ reading: ClockReading?, _ model: ClockModel, now: HostTime, mayStep: Bool) {
    let straight = ClockModel(hostTime: now, remoteTime: now, errorBound: 0)
    let new = reading.map { line(of: $0, model, now: now) } ?? straight
    guard let before = last, before.clock == clock, clock != own || before.hub != own || way != nil else {
      way = clock == own ? nil : SlewedClock(new)
      return
    }
    var from = straight
    from.remoteTime = now.adding(before.model.remote(at: now).subtracting(model.remote(at: now)))
    var present = before.hub == own ? way ?? SlewedClock(from) : SlewedClock(from)
    present.adopt(new, at: now, mayStep: mayStep)
    way = present
  }

  /// How far a clock is ahead of the own hub's, as host time and that.
  private func line(of reading: ClockReading, _ model: ClockModel, now: HostTime) -> ClockModel {
    let (offset, error) = reading.carried(by: model.remote(at: now).subtracting(told.at))
    return ClockModel(
      hostTime: now, remoteTime: now.adding(offset), rate: 1 + Double(reading.rate) / 1e9, errorBound: error,
      errorGrowth: Double(reading.growth) / 1e6)
  }

  private static func sum(_ model: ClockModel, _ line: ClockModel, at now: HostTime) -> ClockModel {
    ClockModel(
      hostTime: now, remoteTime: model.remote(at: now).adding(line.remote(at: now).subtracting(now)), rate: model.rate + line.rate - 1,
      errorBound: model.error(at: now).adding(line.error(at: now)), errorGrowth: model.errorGrowth + line.errorGrowth)
  }
}
