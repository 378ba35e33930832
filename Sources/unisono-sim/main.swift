import ArgumentParser
import UnisonoCore
import UnisonoSimulator

/// Random sessions under virtual time: finds a seed that breaks a rule, or replays one.
struct UnisonoSim: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "unisono-sim",
    abstract: "Runs random sessions on virtual time and checks what must hold after quiet.",
    discussion: "Exit status 1: at least one seed broke a rule. Replay it with --seeds 1 --seed <number> --log.",
    version: "0.1.0")

  @Option(help: "How many seeds to run.")
  var seeds: UInt64 = 100

  @Option(help: "The first seed.")
  var seed: UInt64 = 1

  @Flag(help: "Print the event log of every seed, not only of the first that fails.")
  var log = false

  @Flag(help: "Print what failed, but no event log.")
  var quiet = false

  func validate() throws {
    guard seeds > 0 else { throw ValidationError("--seeds must be at least 1.") }
    guard seed.addingReportingOverflow(seeds - 1).overflow == false else {
      throw ValidationError("--seed and --seeds reach beyond the largest seed.")
    }
  }

  func run() throws {
    let clock = ContinuousClock()
    let began = clock.now
    var events = 0
    var simulated: Nanoseconds = 0
    var longestWait: Nanoseconds = 0
    var failed: [UInt64] = []
    var letters: [String: Int] = [:]
    for seed in seed...(seed + (seeds - 1)) {
      let outcome = RandomRun.run(seed: seed, logs: log)
      events += outcome.events
      simulated += outcome.duration
      longestWait = max(longestWait, outcome.longestWait)
      if log { for line in outcome.log { print(line) } }
      guard !outcome.violations.isEmpty else { continue }
      if failed.isEmpty, !log, !quiet { for line in RandomRun.run(seed: seed, logs: true).log { print(line) } }
      failed.append(seed)
      print("seed \(seed) (\(outcome.profile.rawValue), \(outcome.participants) participants):")
      for violation in outcome.violations { print("  \(violation)") }
      for letter in Set(outcome.violations.map(\.invariant)) { letters[letter, default: 0] += 1 }
    }
    let elapsed = began.duration(to: clock.now)
    let wall = max(0.001, Double(elapsed.components.seconds) + Double(elapsed.components.attoseconds) * 1e-18)
    let hours = Double(simulated) / 3.6e12
    print("\(seeds) seeds, \(failed.count) with a violation, longest wait \(longestWait / 1_000_000) ms")
    print(
      "\(events) events, \(oneDecimal(hours)) h of sessions in \(oneDecimal(wall)) s, "
        + "\(Int(Double(events) / wall)) events/s, \(oneDecimal(Double(seeds) / wall)) seeds/s")
    for (letter, count) in letters.sorted(by: { $0.key < $1.key }) { print("  (\(letter)): \(count) seeds") }
    guard failed.isEmpty else { throw ExitCode.failure }
  }

  private func oneDecimal(_ number: Double) -> String { "\((number * 10).rounded() / 10)" }
}

UnisonoSim.main()
