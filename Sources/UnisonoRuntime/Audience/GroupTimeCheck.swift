import UnisonoBase
import UnisonoReplica

/// What one who listens knows of group time past its hub's clock (wire 8.27): nothing comes before it was said, and a question not before
/// it was asked. What publishers signed of it bounds group time on both sides at times of this host's own clock, and so what the hub says
/// of it.
///
/// The bounds grow with what this clock and the group's may drift apart. Void once this machine slept, or group time is another hub's.
struct GroupTimeCheck {
  /// How far the group can be played from where it is, ns; nil: nothing bounds it on that side.
  struct Bounds: Equatable {
    /// Before the group, at most.
    var ahead: Nanoseconds?
    /// After the group, at most.
    var behind: Nanoseconds?
  }

  /// Group time was not before, or not after, `group` at a time of this host.
  private struct Evidence {
    let group: GroupTime
    let at: HostTime

    func reckoned(_ now: HostTime, drift: Double) -> GroupTime {
      let age = now.subtracting(at)
      return group.adding(age).adding(age.scaled(by: drift))
    }
  }

  /// How far two clocks drift apart: 100 ppm of each.
  private static let drift = 200e-6
  /// What was said last counts for so long, and for twice that at most.
  private static let window = Nanoseconds.seconds(30)
  /// Beyond all errors.
  private static let tolerance = Nanoseconds.milliseconds(2)
  /// Questions a second that a publisher answers of all.
  static let rate: Int64 = 10
  private static let firstSpread = Nanoseconds.seconds(10)
  private static let period = Nanoseconds.seconds(600)

  /// The best of what came in this window, and in the one before.
  private var floors: [Evidence] = []
  private var windowEnd: HostTime = .min
  private var ceiling: Evidence?
  /// The question that is not answered yet.
  private var asked: (number: UInt32, at: HostTime)?
  /// When to ask, host time; nil: nobody is known to answer.
  private(set) var due: HostTime?

  /// Something came that a publisher sent at `sent`, which may be wrong by `error`, ns.
  mutating func came(sent: GroupTime, error: Nanoseconds, now: HostTime) {
    let new = Evidence(group: sent.subtracting(error), at: now)
    if now >= windowEnd {
      floors = windowEnd == .min || now.subtracting(windowEnd) >= Self.window ? [new] : [new] + floors.prefix(1)
      windowEnd = now.adding(Self.window)
    } else if new.group >= floors[0].reckoned(now, drift: -Self.drift) {
      floors[0] = new
    }
    // Group time is another than it was.
    if let most = ceiling?.reckoned(now, drift: Self.drift), new.group > most.adding(Self.tolerance) { ceiling = nil }
  }

  // MARK: Questions

  /// There is somebody to answer. `fraction`: at random, 0..<1, as others begin at the same time; `listeners`: about, the own one included.
  mutating func begin(listeners: UInt32, fraction: Double, now: HostTime) {
    if due == nil { due = now.adding(Self.spread(listeners).scaled(by: fraction)) }
  }

  /// A question goes out now. Asked again if no answer comes.
  mutating func ask(number: UInt32, listeners: UInt32, fraction: Double, now: HostTime) {
    asked = (number, now)
    due = now.adding(Self.firstSpread).adding(Self.spread(listeners).scaled(by: fraction))
  }

  /// It cannot be sent just now.
  mutating func postpone(until time: HostTime) { due = time }

  /// A publisher got a question at `received`, which may be wrong by `error`, ns. false: not that which is open.
  mutating func answered(
    _ number: UInt32, received: GroupTime, error: Nanoseconds, listeners: UInt32, fraction: Double, now: HostTime
  ) -> Bool {
    guard let asked, asked.number == number else { return false }
    self.asked = nil
    due = now.adding(max(Self.period, 2 * Self.spread(listeners))).adding(Self.spread(listeners).scaled(by: fraction))
    let new = Evidence(group: received.adding(error), at: asked.at)
    let (before, after) = (ceiling?.reckoned(now, drift: Self.drift), new.reckoned(now, drift: Self.drift))
    if before.map({ after < $0 }) ?? true { ceiling = new }
    came(sent: received, error: error, now: now)
    return true
  }

  private static func spread(_ listeners: UInt32) -> Nanoseconds { max(firstSpread, .seconds(Int64(listeners)) / rate) }

  // MARK: Verdicts

  /// What group time by the hub's clock is beside the truth at least, ns, positive where it is before it; nil: nothing contradicts it.
  func contradiction(of model: ClockModel, now: HostTime) -> Nanoseconds? {
    let bounds = bounds(of: model, now: now)
    let errors = model.error(at: now).adding(Self.tolerance)
    if let ahead = bounds.ahead, ahead < 0 - errors { return ahead }
    if let behind = bounds.behind, behind < 0 - errors { return 0 - behind }
    return nil
  }

  /// Less than nothing where the hub's clock is contradicted.
  func bounds(of model: ClockModel, now: HostTime) -> Bounds {
    let here = model.remote(at: now)
    let least = floors.map { $0.reckoned(now, drift: -Self.drift) }.max()
    let most = ceiling?.reckoned(now, drift: Self.drift)
    return Bounds(ahead: least.map { here.subtracting($0) }, behind: most.map { $0.subtracting(here) })
  }
}
