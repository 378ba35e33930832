import Testing
import UnisonoBase

@testable import UnisonoRuntime

/// `PreciseWakeup` on a machine that wakes up late, on virtual time.
@Suite("Being awake at an instant")
struct PreciseWakeupTests {
  private struct Machine {
    var now: HostTime = .seconds(100)
    var preciseWakeup = PreciseWakeup(now: .seconds(100))
    var generator = SplitMix64(seed: 1)
    /// How late this machine wakes up from a sleep of that length.
    var lateness: (Nanoseconds, inout SplitMix64) -> Nanoseconds
    var watched: Nanoseconds = 0

    init(_ lateness: @escaping (Nanoseconds, inout SplitMix64) -> Nanoseconds) { self.lateness = lateness }

    /// How late it is for an instant, and how often it woke up for it.
    mutating func meet(_ due: HostTime) -> (late: Nanoseconds, wakings: Int) {
      var wakings = 0
      while now < due {
        let aim = preciseWakeup.aim(at: due, now: now)
        if aim.time > now {
          now = aim.time + lateness(aim.time - now, &generator)
          wakings += 1
          preciseWakeup.woke(from: aim.step, meant: aim.time, now: now)
        }
        if now < due, preciseWakeup.isTimeToWatch(due: due, now: now) {
          watched += due - now
          preciseWakeup.watched(for: due - now, now: due)
          now = due
        }
      }
      return (now - due, wakings)
    }

    mutating func meet(_ count: Int, every interval: Nanoseconds) -> [Nanoseconds] {
      (0..<count).map { _ in meet(now + interval).late }.sorted()
    }
  }

  @Test(
    "F61: on a machine that wakes up late, deeply asleep more so, 99 of 100 instants are met to 10 us",
    arguments: [(20, 40), (60, 150), (90, 600)] as [(Int64, Int64)])
  func learns(least: Int64, most: Int64) {
    var machine = Machine { length, generator in
      // A short sleep is a light one.
      let deep = length > .milliseconds(5)
      return Int64.random(in: least...(deep ? most : 2 * least), using: &generator) * 1_000
    }
    _ = machine.meet(1_000, every: .milliseconds(40))
    let before = (machine.watched, machine.now)
    let late = machine.meet(1_000, every: .milliseconds(40))
    #expect(late[0] >= 0 && late[989] < .microseconds(10))
    let share = Double(machine.watched - before.0) / Double(machine.now - before.1)
    #expect(share < 0.005, "of a core: \(share)")
  }

  @Test(
    "F61: however many instants and however bad the machine, watching the clock stays within its budget",
    arguments: [.microseconds(500), .milliseconds(1), .milliseconds(4), .milliseconds(40)] as [Int64])
  func budget(interval: Nanoseconds) {
    var machine = Machine { _, generator in Int64.random(in: 0 ... .microseconds(900), using: &generator) }
    _ = machine.meet(Int(Int64.seconds(5) / interval), every: interval)
    let before = (machine.watched, machine.now)
    let late = machine.meet(Int(Int64.seconds(60) / interval), every: interval)
    let share = Double(machine.watched - before.0) / Double(machine.now - before.1)
    #expect(share < 0.0045, "of a core: \(share)")
    #expect(late[0] >= 0 && late.last ?? 0 < .milliseconds(2), "never worse than plain sleep by much")
  }

  @Test("F61: an instant costs two wakings, one that is near a single one, one that has passed none")
  func wakings() {
    var machine = Machine { _, _ in .microseconds(30) }
    _ = machine.meet(200, every: .milliseconds(40))
    #expect(machine.meet(machine.now + .seconds(10)).wakings == 2)
    #expect(machine.meet(machine.now + .microseconds(150)).wakings <= 1)
    #expect(machine.meet(machine.now).wakings == 0)
  }
}
