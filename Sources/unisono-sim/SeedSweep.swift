import Glibc
import UnisonoSimulator

/// Many seeds on all processors.
struct SeedSweep: Sendable {
  var first: UInt64
  var count: UInt64
  /// Wall seconds after which no more is begun; nil: all are run.
  var limit: Double?
  var profile: Profile?
  var mostFailures: Int
  var logs: Bool
  var hasFingerprint = false

  /// So many are under way at once: more than there are processors, so that none waits for a long one.
  private static let width = 64
  private static let progress = 10.0

  func run() async -> Tally {
    let began = ContinuousClock.now
    var tally = Tally()
    await withTaskGroup(of: RandomOutcome.self) { group in
      var next: UInt64 = 0
      var told = 0.0
      func begin() {
        let seed = first + next
        next += 1
        group.addTask { RandomRun.run(seed: seed, profile: profile, logs: logs, hasFingerprint: hasFingerprint) }
      }
      while next < min(count, UInt64(logs ? 1 : Self.width)) { begin() }
      while let outcome = await group.next() {
        tally.add(outcome)
        report(outcome)
        tally.wall = ContinuousClock.now.secondsSince(began)
        if tally.wall - told >= Self.progress {
          told = tally.wall
          let whole = limit.map { "\(Int($0)) s" } ?? "\(count) seeds"
          print("\(Int(tally.wall)) s of \(whole): \(tally.progress)")
          // Into a file or a pipe, too, it is to be seen while it goes on.
          fflush(nil)
        }
        if next < count, tally.failed.count < mostFailures, limit.map({ tally.wall < $0 }) ?? true { begin() }
      }
    }
    return tally
  }

  private func report(_ outcome: RandomOutcome) {
    if logs {
      for line in outcome.script.lines + outcome.log { print(line) }
    }
    guard !outcome.violations.isEmpty else { return }
    print("seed \(outcome.seed) (\(outcome.profile.rawValue), \(outcome.script.specs.count) participants):")
    for violation in outcome.violations.prefix(6) { print("  \(violation)") }
    if outcome.violations.count > 6 { print("  and \(outcome.violations.count - 6) more") }
  }
}

extension ContinuousClock.Instant {
  fileprivate func secondsSince(_ other: Self) -> Double {
    let parts = (self - other).components
    return Double(parts.seconds) + Double(parts.attoseconds) * 1e-18
  }
}
