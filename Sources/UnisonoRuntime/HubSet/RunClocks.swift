import UnisonoBase
import UnisonoWire

/// What this run knows of the clocks of others: questions under way, and for each clock how far it is ahead of this hub's (hubs 6).
///
/// A run is asked 8 times within its first second, then once a second. Of the answers of the last minute the one counts whose bound is
/// the least now: half its round trip, and 10 us for each second since. A clock whose run is gone is remembered for 10 minutes.
struct RunClocks {
  /// How far another clock is ahead at a time of this hub's clock.
  struct Reading: Equatable {
    var clock: ClockID
    /// This hub's clock.
    var at: HubTime
    var offset: Nanoseconds
    var error: Nanoseconds
  }

  private static let burst = 8
  private static let burstInterval = Nanoseconds.milliseconds(125)
  private static let interval = Nanoseconds.seconds(1)
  private static let memory = Nanoseconds.seconds(60)
  private static let afterlife = Nanoseconds.seconds(600)
  /// Two clocks part by no more, ns a second.
  private static let wander = Nanoseconds.microseconds(10)
  /// Questions of one run that wait for their answer.
  private static let waiting = 8
  private static let remembered = 256

  private struct Sample {
    let at: HostTime
    let offset: Nanoseconds
    let roundTrip: Nanoseconds

    func error(now: HostTime) -> Nanoseconds {
      let age = max(0, now.subtracting(at))
      return (roundTrip / 2).adding(age.scaled(by: Double(RunClocks.wander) / 1e9)).adding(1)
    }
  }

  private struct Clock {
    var id: ClockID
    var next: HostTime
    var count = 0
    var questions: [(number: UInt64, at: HostTime)] = []
    var samples: [Sample] = []
  }

  /// Host time at which this hub's clock shows 0.
  private let zero: HostTime
  private var clocks: [HubRunID: Clock] = [:]
  /// Of runs that are gone.
  private var past: [ClockID: (sample: Sample, until: HostTime)] = [:]
  private var lastNumber: UInt64 = 0

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
    guard let clock = clocks[run], let index = clock.questions.firstIndex(where: { $0.number == number }) else { return false }
    let asked = clock.questions[index].at
    clocks[run]?.questions.remove(at: index)
    let sample = ClockSample(asked: time(at: asked), received: answer.received, replied: answer.sent, answered: time(at: at))
    guard sample.isPlausible else { return true }
    let there = answer.received.subtracting(time(at: asked))
    let back = answer.sent.subtracting(time(at: at))
    let middle = there.adding(back.subtracting(there) / 2)
    clocks[run]?.samples.removeAll { at.subtracting($0.at) > Self.memory }
    clocks[run]?.samples.append(Sample(at: at, offset: middle, roundTrip: sample.roundTrip))
    return true
  }

  /// A run is gone: its clock is remembered.
  mutating func end(_ run: HubRunID, now: HostTime) {
    guard let clock = clocks.removeValue(forKey: run), let best = best(clock.samples, now: now) else { return }
    past = past.filter { $0.value.until > now }
    if past.count < Self.remembered { past[clock.id] = (best, now.adding(Self.afterlife)) }
  }

  /// This hub's clock is another one: nothing measured by the old one holds.
  mutating func forget(now: HostTime) {
    past = [:]
    for run in clocks.keys {
      clocks[run]?.samples = []
      clocks[run]?.questions = []
      clocks[run]?.count = 0
      clocks[run]?.next = now
    }
  }

  /// The clock of a run; nil: nothing is known of it.
  func clock(of run: HubRunID) -> ClockID? { clocks[run]?.id }

  /// How far a clock is ahead; nil: nobody knows.
  func reading(_ id: ClockID, now: HostTime) -> Reading? {
    let live = clocks.values.filter { $0.id == id }.compactMap { best($0.samples, now: now) }
    let sample = best(live, now: now) ?? past[id].flatMap { $0.until > now ? $0.sample : nil }
    return sample.map { Reading(clock: id, at: time(at: now), offset: $0.offset, error: $0.error(now: now)) }
  }

  private func best(_ samples: [Sample], now: HostTime) -> Sample? { samples.min { $0.error(now: now) < $1.error(now: now) } }
}
