import CUnisono
import Dispatch
import Synchronization

/// A clock that stands still until `advance` moves it, and a network in memory, for tests of hosts: an hour of two participants without
/// sockets and without waiting. Never for anything but tests: keys follow the seed.
///
///     let simulation = try Simulation(seed: 7)
///     let ann = try simulation.context(), ben = try simulation.context(clockOffset: .seconds(5))
///     try simulation.setLink(of: ben, SimulatedLink(delay: .milliseconds(60), loss: 0.02))
///     ...
///     try simulation.advance(by: .seconds(3600))
///
/// Delegates and renderers of these contexts, and actors that run on one, work inside `advance`, on its thread: the clock stands until
/// they have returned, or wait for it (`context.clock.sleep`). One that waits for anything else is late, as it would be on a machine
/// that is.
public final class Simulation: Sendable {
  private let handle: Handle
  private let tasks = SimulatedTasks()
  private let loops = Mutex<[ContextLoop]>([])

  /// seed: of everything that is random, keys, too.
  /// Errors: `.outOfMemory` (too many handles).
  public init(seed: UInt64 = 0) throws(UnisonoError) {
    var c = unisono_simulation_options()
    c.size = UInt32(MemoryLayout<unisono_simulation_options>.size)
    c.random_seed = seed
    var out: OpaquePointer?
    try check(unisono_simulation_create(&c, &out))
    guard let out else { throw UnisonoError(.internal) }
    handle = Handle(token: out)
  }

  deinit { close() }

  /// Another machine. It ends with the simulation, if nobody closes it before.
  /// clockOffset: how far its clock is ahead at first, at most 10^15 ns. clockDrift: how much faster it goes, parts per million, -500...500.
  /// Errors: `.invalidArgument`, `.outOfMemory`, `.closed`.
  public func context(
    _ options: Context.Options = Context.Options(), clockOffset: Duration = .zero, clockDrift: Double = 0
  ) throws(UnisonoError) -> Context {
    let offset = try clockOffset.nanoseconds("clockOffset")
    let made = try Context(options, tasks: tasks) { c, out in
      unisono_simulation_context(handle.token, &c, nil, nil, offset, clockDrift, &out)
    }
    loops.withLock { $0.append(made.loop) }
    return made
  }

  /// How a context is connected to all others from now on; before: 0.1 ms each way.
  /// Errors: `.invalidArgument` (a value out of range, a context that is not of this simulation), `.closed`.
  public func setLink(of context: Context, _ link: SimulatedLink) throws(UnisonoError) {
    var c = unisono_simulated_link()
    c.size = UInt32(MemoryLayout<unisono_simulated_link>.size)
    c.down = link.isDown ? 1 : 0
    (c.delay_out, c.delay_in) = (try link.delayOut.nanoseconds("delayOut"), try link.delayIn.nanoseconds("delayIn"))
    (c.jitter, c.loss) = (try link.jitter.nanoseconds("jitter"), link.loss)
    try check(unisono_simulation_set_link(handle.token, context.loop.context.token, &c))
  }

  /// Moves the clock on; contexts hear of what happens at most `step` after it.
  /// duration: zero: what is due now. step: more than zero.
  /// Errors: `.invalidArgument`, `.wrongState` (in a delegate of one of its contexts), `.busy` (another thread is in it), `.closed`.
  public func advance(by duration: Duration, step: Duration = .milliseconds(10)) throws(UnisonoError) {
    var left = try duration.nanoseconds("duration")
    let most = try step.nanoseconds("step")
    guard most > 0 else {
      throw UnisonoError(.invalidArgument, "Simulation.advance: step is \(step), not more than zero")
    }
    let isInside = SimulatedTasks.current != nil || loops.withLock { $0.contains { $0.isCurrent } }
    guard !isInside else {
      throw UnisonoError(.wrongState, "Simulation.advance: not in a delegate or an actor of one of its contexts")
    }
    repeat {
      let part = min(left, most)
      try check(unisono_simulation_advance(handle.token, part))
      settle()
      left -= part
    } while left > 0
  }

  /// Ends it and its contexts.
  public func close() {
    let ended = loops.withLock { loops in
      defer { loops = [] }
      return loops
    }
    for loop in ended { loop.end() }
    tasks.release()
    unisono_simulation_destroy(handle.token)
  }

  /// Until nobody has anything to do at this time.
  private func settle() {
    let all = loops.withLock { loops in
      loops.removeAll { $0.isClosed }
      return loops
    }
    var hasWorked = true
    while hasWorked {
      hasWorked = tasks.run()
      for loop in all where loop.drive() { hasWorked = true }
    }
  }
}

/// How a simulated context is connected to all others: what it sends takes its `delayOut` and the other's `delayIn`.
public struct SimulatedLink: Hashable, Sendable {
  /// One way, 0...60 s.
  public var delayOut: Duration
  public var delayIn: Duration
  /// Each passage is late or early by up to so much, 0...60 s; streams keep their order.
  public var jitter: Duration
  /// Share of datagrams that are lost, 0...1; streams lose nothing.
  public var loss: Double
  /// Nothing passes; streams stand still, and go on when the link is up again.
  public var isDown: Bool

  /// delay: each way.
  public init(delay: Duration = .zero, jitter: Duration = .zero, loss: Double = 0, isDown: Bool = false) {
    (delayOut, delayIn, self.jitter, self.loss, self.isDown) = (delay, delay, jitter, loss, isDown)
  }
}

/// What delegates of simulated contexts run on: whoever advances the clock runs it, so that virtual time waits for them.
final class SimulatedTasks: TaskExecutor {
  /// Of the events that are being delivered; nil: on this machine's clock, tasks run anywhere.
  @TaskLocal static var current: SimulatedTasks?

  private let jobs = Mutex<[UnownedJob]>([])
  private let isReleased = Atomic(false)

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { $0.append(job) }
    if isReleased.load(ordering: .sequentiallyConsistent) { DispatchQueue.global().async { self.run() } }
  }

  /// Runs what is there. False: nothing was.
  @discardableResult
  func run() -> Bool {
    let due = jobs.withLock { jobs in
      defer { jobs = [] }
      return jobs
    }
    for job in due { job.runSynchronously(on: asUnownedTaskExecutor()) }
    return !due.isEmpty
  }

  /// There is no clock any more that is advanced: what is left runs on its own.
  func release() {
    isReleased.store(true, ordering: .sequentiallyConsistent)
    while run() {}
  }
}
