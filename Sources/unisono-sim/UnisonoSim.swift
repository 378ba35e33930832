import ArgumentParser
import UnisonoSimulator

/// Random sessions under virtual time: finds a seed that breaks a rule and makes it short, or replays one.
@main
struct UnisonoSim: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "unisono-sim",
    abstract: "Runs random sessions on virtual time, on all processors, and checks what must hold after quiet.",
    discussion: """
      Exit status 1: at least one seed broke a rule. The first such seed is printed as a short script with its event log.
      Replay one with --seeds 1 --seed <number> --log.

      With --fingerprint <count> it prints a hash of all that was decided in so many seeds: the same before and after a change
      that changes nothing. It does not depend on processors, the build or the process.
      """,
    version: "0.2.0")

  @Option(help: "How many seeds to run.")
  var seeds: UInt64 = 100

  @Option(help: "The first seed.")
  var seed: UInt64 = 1

  @Option(help: "Run for this many seconds instead of a number of seeds, telling now and then how far it is.")
  var seconds: Double?

  @Option(help: "mixed, contention, faulty, large, players, byzantine or interstitials; without it one of the first four is drawn.")
  var profile: Profile?

  @Option(help: "Run this many seeds and print a hash of all that was decided in them.")
  var fingerprint: UInt64?

  @Flag(help: "With --fingerprint: print that of each seed, too, so that two lists show where runs part.")
  var list = false

  @Option(help: "Stop after this many seeds that broke a rule.")
  var failures = 10

  @Flag(help: "Print script and event log of every seed.")
  var log = false

  @Flag(help: "Print what failed, but neither make it short nor print an event log.")
  var quiet = false

  func validate() throws {
    guard seeds > 0 else { throw ValidationError("--seeds must be at least 1.") }
    guard failures > 0 else { throw ValidationError("--failures must be at least 1.") }
    guard seconds.map({ $0 > 0 && $0 < 1e9 }) ?? true else { throw ValidationError("--seconds must be above 0.") }
    guard fingerprint.map({ $0 > 0 }) ?? true else { throw ValidationError("--fingerprint must be at least 1.") }
    guard fingerprint == nil || seconds == nil else {
      throw ValidationError("--fingerprint goes over a number of seeds, not over --seconds.")
    }
    guard fingerprint != nil || !list else {
      throw ValidationError("--list lists fingerprints: it needs --fingerprint.")
    }
    guard seed.addingReportingOverflow((fingerprint ?? seeds) - 1).overflow == false else {
      throw ValidationError("--seed and --seeds reach beyond the largest seed.")
    }
  }

  func run() async throws {
    let count = fingerprint ?? (seconds == nil ? seeds : UInt64.max - seed)
    let sweep = SeedSweep(
      first: seed, count: count, limit: seconds, profile: profile, mostFailures: fingerprint == nil ? failures : .max,
      logs: log, hasFingerprint: fingerprint != nil)
    let tally = await sweep.run()
    for line in tally.summary { print(line) }
    if fingerprint != nil {
      if list { for (seed, print) in tally.fingerprints { Swift.print("\(seed) \(print)") } }
      print("fingerprint of seeds \(seed)...\(seed + (count - 1)): \(tally.fingerprint)")
    }
    if let first = tally.failed.min(), !quiet, !log { printShort(first) }
    guard tally.failed.isEmpty else { throw ExitCode.failure }
  }

  private func printShort(_ seed: UInt64) {
    print("making seed \(seed) short ...")
    guard let short = Shrinker.shrink(RandomRun.script(seed: seed, profile: profile)) else { return }
    for line in short.log { print(line) }
    print("the short script:")
    for line in short.script.lines { print(line) }
    for violation in short.violations { print(violation) }
  }
}

extension Profile: ExpressibleByArgument {}
