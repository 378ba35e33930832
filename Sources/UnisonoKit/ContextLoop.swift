import CUnisono
import Dispatch
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// What the events of one handle go to.
protocol EventTarget: AnyObject, Sendable {
  /// On the context's thread.
  func deliver(_ event: UnsafePointer<unisono_context_event>)
  /// The context is closed, or the handle is released: nothing comes any more.
  func finish()
}

/// A token of the C API, which judges it at every call: any thread may use it.
struct Handle: @unchecked Sendable {  // it is a number, never an address
  let token: OpaquePointer
  var key: UInt { UInt(bitPattern: token) }
}

/// The thread of a context: it runs the library's loop and, between its turns, the jobs of those who chose it as their executor.
/// The thread holds the loop; `Context` ends it. A context of a simulation has none: whoever advances the clock does its work (`drive`).
final class ContextLoop: SerialExecutor {
  private struct State {
    var jobs: [UnownedJob] = []
    var isClosing = false
    var isClosed = false
    var isEnding = false
    var closers: [CheckedContinuation<Void, Never>] = []
  }

  let context: Handle
  let events = Broadcast<ContextEvent>()
  private let state = Mutex(State())
  private let targets = Mutex<[UInt: any EventTarget]>([:])
  private let closedAndIdle = DispatchSemaphore(value: 0)
  private let thread = Atomic<UInt>(0)
  private let tasks: SimulatedTasks?
  private let driving = Mutex(())

  init(_ context: Handle, _ tasks: SimulatedTasks?) throws(UnisonoError) {
    (self.context, self.tasks) = (context, tasks)
    guard tasks != nil || start(self) else { throw UnisonoError(.outOfMemory, "Context: no thread can be started") }
  }

  // MARK: Executor

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    wake { $0.jobs.append(job) }
  }

  /// Of a simulated context: delivers the events that are there and runs the jobs. False: there was nothing to do.
  @discardableResult
  func drive() -> Bool {
    guard !isCurrent else { return false }  // whoever is in here sees to it
    return driving.withLock { _ in
      thread.store(currentThread(), ordering: .relaxed)
      defer { thread.store(0, ordering: .relaxed) }
      var hasWorked = false
      while step(mayWait: false) == .worked { hasWorked = true }
      return hasWorked
    }
  }

  func checkIsolated() { precondition(isCurrent, "not on the context's thread") }
  func isIsolatingCurrentContext() -> Bool? { isCurrent }

  var isCurrent: Bool { thread.load(ordering: .relaxed) == currentThread() }

  // MARK: Ends

  /// Closes the context on its thread, so that no event is read while it goes.
  func close() async {
    await withCheckedContinuation { continuation in
      let isClosed = wake { state in
        state.isClosing = true
        if !state.isClosed { state.closers.append(continuation) }
        return state.isClosed
      }
      if isClosed { continuation.resume() }
      if tasks != nil { drive() }
    }
  }

  /// Closes the context and, when no jobs are left, ends the thread.
  func end() {
    wake { ($0.isClosing, $0.isEnding) = (true, true) }
    if tasks != nil { drive() }
  }

  var isClosed: Bool { state.withLock { $0.isClosed } }

  // MARK: Targets

  /// The target of a handle is known before the handle is: its events carry it as `user`.
  func add(_ target: any EventTarget) -> UnsafeMutableRawPointer {
    let user = Unmanaged.passUnretained(target as AnyObject).toOpaque()
    targets.withLock { $0[UInt(bitPattern: user)] = target }
    return user
  }

  /// Makes a handle whose events carry its target as `user`.
  func made(
    _ target: any EventTarget, _ make: (UnsafeMutableRawPointer, inout OpaquePointer?) -> Int32
  ) throws(UnisonoError) -> Handle {
    let user = add(target)
    var out: OpaquePointer?
    do {
      try check(make(user, &out))
    } catch {
      remove(user)
      throw error
    }
    guard let out else { throw UnisonoError(.internal) }
    return Handle(token: out)
  }

  func remove(_ user: UnsafeMutableRawPointer) {
    _ = targets.withLock { $0.removeValue(forKey: UInt(bitPattern: user)) }
  }

  /// A handle whose events carry no `user` is made while no event can ask for its target. `make` must not wait for the loop.
  func add<Made>(
    _ target: any EventTarget, _ make: () throws(UnisonoError) -> (Made, Handle)
  ) throws(UnisonoError) -> Made {
    let made: Result<Made, UnisonoError> = targets.withLock { targets in
      do throws(UnisonoError) {
        let (made, handle) = try make()
        targets[handle.key] = target
        return .success(made)
      } catch {
        return .failure(error)
      }
    }
    return try made.get()
  }

  func remove(_ handle: Handle) {
    _ = targets.withLock { $0.removeValue(forKey: handle.key) }
  }

  // MARK: The thread

  private enum Step {
    case worked
    /// There was nothing to do.
    case idle
    /// The context is closed, and no jobs are left.
    case closed
    case ended
  }

  fileprivate func run() {
    thread.store(currentThread(), ordering: .relaxed)
    while true {
      switch step(mayWait: true) {
      case .worked, .idle: continue
      case .closed: closedAndIdle.wait()
      case .ended: return
      }
    }
  }

  /// One turn of the loop, and what is to be done before it.
  private func step(mayWait: Bool) -> Step {
    let (jobs, isClosing, isClosed, isEnding) = state.withLock { state in
      defer { state.jobs = [] }
      return (state.jobs, state.isClosing, state.isClosed, state.isEnding)
    }
    for job in jobs { job.runSynchronously(on: asUnownedSerialExecutor()) }
    if isClosing && !isClosed {
      unisono_context_destroy(context.token)
      didClose()
      return .worked
    }
    if isClosed { return !jobs.isEmpty ? .worked : isEnding ? .ended : .closed }
    let hasDelivered = turn(mayWait: mayWait && jobs.isEmpty)
    return hasDelivered || !jobs.isEmpty ? .worked : .idle
  }

  private func turn(mayWait: Bool) -> Bool {
    var event: UnsafePointer<unisono_context_event>?
    let returned = unisono_context_next_event(context.token, mayWait ? .max : 0, &event)
    if let event {
      SimulatedTasks.$current.withValue(tasks) { deliver(event) }
    } else if returned < 0 {
      didClose()  // nobody else polls it, so it is closed: after a fork, say
    }
    return event != nil
  }

  private func deliver(_ event: UnsafePointer<unisono_context_event>) {
    guard let key = event.pointee.user ?? event.pointee.source else {
      if let event = ContextEvent(event) { events.put(event) }
      return
    }
    let isLast = event.pointee.type == .UNISONO_EVENT_RELEASED
    let target = targets.withLock { targets in
      isLast ? targets.removeValue(forKey: UInt(bitPattern: key)) : targets[UInt(bitPattern: key)]
    }
    if isLast { target?.finish() } else { target?.deliver(event) }
  }

  private func didClose() {
    let closers = state.withLock { state in
      defer { state.closers = [] }
      (state.isClosing, state.isClosed) = (true, true)
      return state.closers
    }
    let gone = targets.withLock { targets in
      defer { targets = [:] }
      return Array(targets.values)
    }
    for target in gone { target.finish() }
    events.finish()
    for closer in closers { closer.resume() }
  }

  /// Changes the state and sees to it that the thread looks at it.
  @discardableResult
  private func wake<Result>(_ change: (inout State) -> Result) -> Result {
    let (result, isClosed) = state.withLock { state in (change(&state), state.isClosed) }
    if tasks != nil {
      if isClosed { DispatchQueue.global().async { self.drive() } }  // nobody advances its clock any more
    } else if isClosed {
      closedAndIdle.signal()
    } else {
      unisono_context_wake(context.token)
    }
    return result
  }
}

private func currentThread() -> UInt {
  #if canImport(Darwin)
    UInt(bitPattern: pthread_self())
  #else
    UInt(pthread_self())
  #endif
}

/// The new thread holds the loop as long as it runs.
private func start(_ loop: ContextLoop) -> Bool {
  let held = Unmanaged.passRetained(loop)
  #if canImport(Darwin)
    var thread: pthread_t?
    let status = pthread_create(&thread, nil, { argument in enter(argument) }, held.toOpaque())
    if status == 0, let thread { pthread_detach(thread) }
  #else
    var thread = pthread_t()
    let status = pthread_create(&thread, nil, { argument in argument.flatMap { enter($0) } }, held.toOpaque())
    if status == 0 { pthread_detach(thread) }
  #endif
  if status != 0 { held.release() }
  return status == 0
}

private func enter(_ argument: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
  Unmanaged<ContextLoop>.fromOpaque(argument).takeRetainedValue().run()
  return nil
}
