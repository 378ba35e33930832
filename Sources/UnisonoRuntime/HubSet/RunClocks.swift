import UnisonoBase
import UnisonoReplica
import UnisonoWire

/// What this run knows of the clocks of others: questions under way, and for each clock what its answers tell (hubs 6).
///
/// A run is asked 8 times within its first second, then once a second: an answer among a thousand costs 0.13 ms, so that with 63 other hubs
/// less than 1 % of a processor goes into it. A clock whose run is gone is remembered for 10 minutes, of the last 16.
/// All times but those of questions are of this hub's clock, which is so the host of every `ClockFilter`.
struct RunClocks {
  private static let burst = 8
  private static let burstInterval = Nanoseconds.milliseconds(125)
  private static let interval = Nanoseconds.seconds(1)
  private static let afterlife = Nanoseconds.seconds(600)
  /// Questions of one run that wait for their answer.
  private static let waiting = 8
  private static let remembered = 16

  private struct Clock {
    var id: ClockID
    var next: HostTime
    var count = 0
    var questions: [(number: UInt64, at: HostTime)] = []
    /// nil: nothing was answered yet.
    var filter: ClockFilter?
  }

  /// Of a run that is gone.
  private struct Past {
    var id: ClockID
    var filter: ClockFilter
    var end: HubTime
  }

  /// Host time at which this hub's clock shows 0.
  private let zero: HostTime
  private var clocks: [HubRunID: Clock] = [:]
  /// In the order in which they ended.
  private var past: [Past] = []
  private var lastNumber: UInt64 = 0
  /// Grows when a clock came, is gone, or is back.
  private(set) var changes = 0

  init(zero: HostTime) { self.zero = zero }

  /// This hub's clock at a host time.
  func time(at host: HostTime) -> HubTime { host.subtracting(zero) }

  /// Begins to ask a run, or goes on; under another name its clock is another one.
  mutating func ask(_ run: HubRunID, clock: ClockID, now: HostTime) {
    guard let known = clocks[run], known.id == clock else {
      end(run, now: now)
      clocks[run] = Clock(id: clock, next: now)
      return
    }
  }

  /// Asks a run once more at once.
  mutating func hurry(_ run: HubRunID, now: HostTime) {
    clocks[run]?.next = now
    clocks[run]?.count = 0
  }

  /// Questions that are due, in the order of runs; they count as asked.
  mutating func due(now: HostTime) -> [(run: HubRunID, number: UInt64)] {
    var due: [(run: HubRunID, number: UInt64)] = []
    for run in clocks.filter({ $0.value.next <= now }).keys.sorted() {
      lastNumber += 1
      due.append((run, lastNumber))
      guard var clock = clocks[run] else { continue }
      clock.count += 1
      clock.next = now.adding(clock.count < Self.burst ? Self.burstInterval : Self.interval)
      clock.questions.append((lastNumber, now))
      if clock.questions.count > Self.waiting { clock.questions.removeFirst() }
      clocks[run] = clock
    }
    return due
  }

  var nextQuestion: HostTime { clocks.values.reduce(.max) { min($0, $1.next) } }

  /// An answer came at host time `at`; true: it answers a question that waited.
  mutating func receive(_ answer: HubProbe.Answer, number: UInt64, from run: HubRunID, at: HostTime) -> Bool {
    guard var clock = clocks.removeValue(forKey: run) else { return false }
    defer { clocks[run] = clock }
    guard let index = clock.questions.firstIndex(where: { $0.number == number }) else { return false }
    let asked = clock.questions.remove(at: index).at
    // What was measured before its run was gone holds when it is back.
    var filter = clock.filter ?? past.first { $0.id == clock.id }?.filter ?? ClockFilter()
    let isTrue = filter.add(ClockSample(asked: time(at: asked), received: answer.received, replied: answer.sent, answered: time(at: at)))
    guard isTrue else { return true }
    if clock.filter == nil {
      past.removeAll { $0.id == clock.id }
      changes += 1
    }
    clock.filter = filter
    return true
  }

  /// A run is gone: its clock is remembered.
  mutating func end(_ run: HubRunID, now: HostTime) {
    guard let clock = clocks.removeValue(forKey: run), let filter = clock.filter else { return }
    past.append(Past(id: clock.id, filter: filter, end: time(at: now)))
    if past.count > Self.remembered { past.removeFirst() }
    changes += 1
  }

  /// This hub's clock is another one: nothing measured by the old one holds.
  mutating func forget(now: HostTime) {
    past = []
    for run in clocks.keys {
      clocks[run]?.filter = nil
      clocks[run]?.questions = []
      clocks[run]?.count = 0
      clocks[run]?.next = now
    }
  }

  /// The clocks of some runs, and of those that are gone, but for one; of two that have one name it is the living one's.
  func report(of runs: [HubRunID], except own: ClockID, now: HostTime) -> ClockReport {
    let at = time(at: now)
    var readings: [ClockID: ClockReading] = [:]
    for clock in past {
      let gone = at.subtracting(clock.end)
      guard gone < Self.afterlife, let model = clock.filter.model else { continue }
      readings[clock.id] = Self.reading(clock.id, model, at: at, goneFor: UInt16(clamping: max(1, gone / .seconds(1))))
    }
    for run in runs {
      guard let clock = clocks[run], let model = clock.filter?.model else { continue }
      readings[clock.id] = Self.reading(clock.id, model, at: at, goneFor: 0)
    }
    readings[own] = nil
    return ClockReport(at: at, readings: readings.values.sorted { $0.clock < $1.clock })
  }

  private static func reading(_ id: ClockID, _ model: ClockModel, at: HubTime, goneFor: UInt16) -> ClockReading {
    let rate = ((model.rate - 1) * 1e9).rounded()
    // What rounding takes from the rate is in what the error grows by.
    let growth = (model.errorGrowth * 1e6 + 0.001).rounded(.up)
    return ClockReading(
      clock: id, offset: model.remote(at: at).subtracting(at), rate: Int32(exactly: rate) ?? 0,
      error: UInt32(clamping: model.error(at: at).adding(999) / 1_000), growth: UInt16(exactly: growth) ?? .max, goneFor: goneFor)
  }
}
