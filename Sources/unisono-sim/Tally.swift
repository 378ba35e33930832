import UnisonoBase
import UnisonoSimulator

/// What came of many runs.
struct Tally {
  private(set) var runs = 0
  private(set) var failed: [UInt64] = []
  var wall = 0.0
  /// By seed, ascending; empty unless asked for.
  private(set) var fingerprints: [(seed: UInt64, print: Fingerprint)] = []
  private var events = 0
  private var simulated: Nanoseconds = 0
  private var longestWait: (length: Nanoseconds, seed: UInt64) = (0, 0)
  private var letters: [String: Int] = [:]
  private var profiles: [Profile: Int] = [:]
  private var waits = Distribution()
  private var commands = Distribution()
  private var messages = Distribution()
  private var skews = Distribution()

  mutating func add(_ outcome: RandomOutcome) {
    runs += 1
    events += outcome.events
    simulated += outcome.duration
    profiles[outcome.profile, default: 0] += 1
    if outcome.longestWait > longestWait.length { longestWait = (outcome.longestWait, outcome.seed) }
    waits.add(outcome.waits.map { Double($0) / 1e6 })
    commands.add(outcome.commandsPerAction)
    messages.add(outcome.messagesPerAction)
    if let skew = outcome.skew { skews.add(Double(skew) / 1e6) }
    if let print = outcome.fingerprint {
      // Runs end in any order.
      let index = fingerprints.lastIndex { $0.seed < outcome.seed }.map { $0 + 1 } ?? 0
      fingerprints.insert((outcome.seed, print), at: index)
    }
    guard !outcome.violations.isEmpty else { return }
    failed.append(outcome.seed)
    for letter in Set(outcome.violations.map(\.invariant)) { letters[letter, default: 0] += 1 }
  }

  private var hours: Double { Double(simulated) / 3.6e12 }

  /// Of all runs in the order of their seeds.
  var fingerprint: Fingerprint {
    var whole = Fingerprint()
    for (seed, print) in fingerprints {
      whole.add(seed)
      whole.add(print.value)
    }
    return whole
  }

  var progress: String {
    "\(runs) seeds, \(failed.count) with a violation, \(hours.rounded(to: 1)) h of sessions, "
      + "longest wait \(longestWait.length / 1_000_000) ms"
  }

  var summary: [String] {
    var copy = self
    let seconds = max(wall, 0.001)
    let kinds = Profile.allCases.map { "\(profiles[$0] ?? 0) \($0.rawValue)" }.joined(separator: ", ")
    var lines = [
      "\(runs) seeds (\(kinds)), \(failed.count) with a violation",
      "\(hours.rounded(to: 1)) h of sessions in \(wall.rounded(to: 1)) s: "
        + "\((Double(runs) / seconds).rounded(to: 1)) seeds/s, \((hours / seconds).rounded(to: 2)) session-hours/s, "
        + "\(Int(Double(events) / seconds)) events/s",
      "longest wait in which nothing happened \(longestWait.length / 1_000_000) ms (seed \(longestWait.seed))",
    ]
    lines += [
      copy.waits.line("shown as waiting, ms"), copy.commands.line("commands per host and action"),
      copy.messages.line("messages per participant and action"), copy.skews.line("players apart in the end, ms"),
    ].compactMap { $0 }
    lines += letters.sorted { $0.key < $1.key }.map { "  (\($0.key)): \($0.value) seeds" }
    return lines
  }
}

extension Distribution {
  fileprivate mutating func line(_ name: String) -> String? {
    guard let summary = summary() else { return nil }
    let numbers = [summary.median, summary.p95, summary.max].map { "\($0.rounded(to: 2))" }
    return "\(name): p50 \(numbers[0]), p95 \(numbers[1]), max \(numbers[2]) (of \(count))"
  }
}

extension Double {
  fileprivate func rounded(to digits: Int) -> Double {
    var scale = 1.0
    for _ in 0..<digits { scale *= 10 }
    return (self * scale).rounded() / scale
  }
}
