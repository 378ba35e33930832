import Glibc
import Synchronization
import UnisonoBase

/// Loops of several contexts on one virtual clock and one network in memory, run step by step by whoever calls `advance`.
///
/// Everything that is random follows the seed, keys, too: never for anything but tests. `advance` is for one thread at a time; what
/// other threads submit meanwhile is taken after each step.
package final class Simulation: @unchecked Sendable {
  package enum Outcome: Equatable, Sendable {
    case ran
    /// Another thread advances it.
    case busy
    /// Called inside a callback of one of its contexts.
    case insideCallback
  }

  /// Without end: after so many rounds of calls at one instant, time goes on by itself.
  private static let roundsPerInstant = 1_000
  private static let step: Nanoseconds = .milliseconds(1)

  private let network: VirtualNetwork
  /// Thread that runs; 0: none.
  private let runner = Atomic<UInt>(0)
  private let hasMail = Atomic<Bool>(false)
  /// Changed by the thread that runs.
  private var loops: [SimulatedLoop] = []
  private let startTime: HostTime

  /// `startTime`: what clocks without an offset show at first.
  package init(seed: UInt64, startTime: HostTime) {
    network = VirtualNetwork(seed: seed)
    self.startTime = startTime
  }

  /// Another machine. `drift`: ns per ns. On any thread.
  package func makeLoop(clockOffset: Nanoseconds, drift: Double) -> SimulatedLoop {
    exclusively {
      let machine = network.machine(clockOffset: startTime.adding(clockOffset), clockDrift: drift)
      let loop = SimulatedLoop(machine: machine, simulation: self)
      loops.append(loop)
      return loop
    }
  }

  /// Runs everything that becomes due within `length`, callbacks included, on this thread.
  package func advance(by length: Nanoseconds) -> Outcome {
    if isOnThread { return .insideCallback }
    guard claim() else { return .busy }
    defer { release() }
    let end = network.trueTime.adding(length)
    repeat { collectMail(until: end) } while network.step(before: end)
    network.arrive(at: end)
    return .ran
  }

  private func collectMail(until end: Int64) {
    var rounds = 0
    while hasMail.exchange(false, ordering: .acquiringAndReleasing) {
      for loop in loops { loop.takeMail() }
      rounds += 1
      // What is left is taken with the next step, or the next call.
      if rounds == Self.roundsPerInstant {
        hasMail.store(true, ordering: .releasing)
        return network.arrive(at: min(end, network.trueTime.adding(Self.step)))
      }
    }
  }

  // MARK: For its loops

  var isOnThread: Bool { runner.load(ordering: .acquiring) == UInt(pthread_self()) }

  func mailCame() { hasMail.store(true, ordering: .releasing) }

  func setLink(_ link: SimulatedLink, of machine: VirtualEnvironment) {
    exclusively { network.setAccessLink(link, of: machine) }
  }

  /// Runs `body` while nobody else runs anything here, at once if this thread does.
  func exclusively<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
    if isOnThread { return try body() }
    while !claim() { sched_yield() }
    defer { release() }
    return try body()
  }

  func forget(_ loop: SimulatedLoop) { loops.removeAll { $0 === loop } }

  private func claim() -> Bool {
    runner.compareExchange(expected: 0, desired: UInt(pthread_self()), ordering: .acquiringAndReleasing).exchanged
  }

  private func release() { runner.store(0, ordering: .releasing) }
}
