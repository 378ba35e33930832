import CUV
import Glibc
import Synchronization
import UnisonoBase

/// The environment on libuv: clock, timers, sockets and calls from other threads, all on one loop.
///
/// Three drives: *polled* (the host calls `poll` when `descriptor` is readable), *own thread* (the library runs the loop),
/// *foreign* (the host runs the uv_loop_t). Everything but `submit`, `wake`, `timeout`, `now`, `close` and the reservations
/// belongs to the thread that runs the loop.
///
/// A *turn* is one pass of libuv: sockets first, then what `deferred`, due timers and `submit` brought, then the
/// end-of-turn closures, once, which settle and deliver. All timers live in one queue in front of one timerfd, and calls from other threads
/// come through one eventfd; both are watched by the loop like sockets, so its descriptor tells of everything.
package final class UVLoop: ContextLoop, @unchecked Sendable {
  enum Drive {
    case polled
    case ownThread
    case foreign
  }

  /// Endless work: the sockets get a turn in between.
  private static let roundsPerTurn = 8

  private struct Mailbox {
    var work: [@Sendable () -> Void] = []
    var isClosed = false
  }

  let raw: UnsafeMutablePointer<uv_loop_t>
  let drive: Drive
  let monitor = RunnerMonitor()
  let wakeDescriptor: WakeDescriptor
  let disk = DiskQueue()
  /// Buffer that libuv reads into; copied from at once.
  let readBuffer = UnsafeMutableBufferPointer<CChar>.allocate(capacity: 65_536)
  /// Sockets bound on other threads that wait for `listen` or `openDatagrams` to take them over.
  let reservations = Mutex<[Reservation: BoundSocket]>([:])

  /// The own thread; set before the maker returns.
  var thread: pthread_t?

  private let forkGeneration = ForkGeneration.current
  private let mailbox = Mutex(Mailbox())
  /// The next deadline for `timeout`, as last settled; .max: none.
  let publishedDeadline = Atomic<Int64>(.max)
  let deadlineDescriptor: DeadlineDescriptor
  var timers = TimerQueue()
  var punctualTimers = TimerQueue()
  var preciseWakeup = PreciseWakeup(now: Int64(clamping: uv_hrtime()))
  /// Time that the timer descriptor is set to, where that is earlier than anything is due.
  var aim: (time: HostTime, step: PreciseWakeup.Step)?
  /// A poll waits just now.
  var isWaiting = false
  private var deferred: [() -> Void] = []
  private var endOfTurn: [() -> Void] = []
  private(set) var isInTurn = false
  /// Time when the rounds of this turn began. What becomes due later belongs to the next turn, so that sockets come in between
  /// also where a round takes longer than the pause that its timers ask for.
  private var turnTime: HostTime?
  /// Streams that hold what this turn wrote.
  private var unflushed: [UVStream] = []
  /// Streams whose owners are to be told that all was written.
  private var drained: [UVStream] = []
  /// Sockets brought something in this pass.
  private var hasNews = false
  /// A descriptor of ours was readable in this pass: there may be work, due timers, or only a wake-up.
  private var wasWoken = false
  /// Passes that did something or were woken, so far; what a poll looks at.
  private(set) var turns = 0
  /// Streams whose other side may still read.
  private var lingering = 0
  private var openHandles: [ObjectIdentifier: LoopHandle] = [:]
  private var completion: (() -> Void)?
  private(set) var isClosing = false

  init(drive: Drive, raw: UnsafeMutablePointer<uv_loop_t>) throws(NetworkError) {
    self.drive = drive
    self.raw = raw
    wakeDescriptor = try WakeDescriptor()
    deadlineDescriptor = try DeadlineDescriptor()
    try watch()
  }

  deinit { readBuffer.deallocate() }

  // MARK: Any thread

  package var now: HostTime { Int64(clamping: uv_hrtime()) }

  /// In this order, so that a thread that is held up between the two reads sees less than the truth, never more.
  package var timeAsleep: Nanoseconds {
    var sinceStart = timespec()
    clock_gettime(CLOCK_BOOTTIME, &sinceStart)
    return Int64(sinceStart.tv_sec) * .seconds(1) + Int64(sinceStart.tv_nsec) - now
  }

  /// In a child that was forked off: nothing here may be used there, only `exec`.
  package var isForkedChild: Bool { ForkGeneration.current != forkGeneration }

  package var calendarHour: UInt32 { CalendarHour.now }

  /// Whether this thread runs the loop just now.
  package var isOnLoopThread: Bool { monitor.isThisThread }

  /// Runs `work` on the loop, soon, in the order of the calls; false: the loop closes and the work is dropped.
  @discardableResult
  package func submit(_ work: @escaping @Sendable () -> Void) -> Bool {
    if isForkedChild { return false }
    let isTaken = mailbox.withLock { box in
      if box.isClosed { return false }
      box.work.append(work)
      return true
    }
    // A turn of this thread's own looks once more before it ends.
    if isTaken, !(monitor.isThisThread && isInTurn) { wakeDescriptor.signal() }
    return isTaken
  }

  /// Makes the descriptor readable and ends a waiting poll. Realtime-safe, coalesced; may race `close`.
  package func wake() {
    if !isForkedChild { wakeDescriptor.signal() }
  }

  /// ns until something is due by itself, 0 when it is, nil: nothing is.
  package var timeout: Nanoseconds? {
    if wakeDescriptor.isReadable { return 0 }
    let deadline = publishedDeadline.load(ordering: .acquiring)
    return deadline == .max ? nil : Swift.max(0, deadline.subtracting(now))
  }

  // MARK: On the loop

  /// Adds to what is run at the end of every turn that did something. It may submit, defer and arm; then the turn goes on.
  package func onEndOfTurn(_ action: @escaping () -> Void) { endOfTurn.append(action) }

  /// Runs `work` later in this turn, or in the next one: never inside this call.
  func `defer`(_ work: @escaping () -> Void) {
    deferred.append(work)
    if !isInTurn { wakeDescriptor.signal() }
  }

  func flushAtEndOfTurn(_ stream: UVStream) { unflushed.append(stream) }

  /// Has `stream` tell its owner later in this turn, or in the next one, as `defer` would, without a closure for each write.
  func tellDrained(_ stream: UVStream) {
    drained.append(stream)
    if !isInTurn { wakeDescriptor.signal() }
  }

  /// A callback of libuv did something: the turn has an end to run.
  func beginTurn() {
    isInTurn = true
    hasNews = true
  }

  /// Something new is to be watched. libuv tells the kernel only in its next pass; outside a turn that has to be asked for.
  func wakeForRegistration() {
    if !isInTurn { wakeDescriptor.signal() }
  }

  func armTimer(_ timer: TimerQueue.Timer, at time: HostTime?) {
    if isClosing { return }
    let queue = timer.isPunctual ? \UVLoop.punctualTimers : \UVLoop.timers
    if var time {
      // At once is still in this turn.
      if let turnTime, time > turnTime, time <= now { time = turnTime }
      self[keyPath: queue].arm(timer, at: time)
    } else {
      self[keyPath: queue].disarm(timer)
    }
    if !isInTurn { settleDeadline() }
  }

  func closeTimer(_ timer: TimerQueue.Timer) {
    if timer.isPunctual { punctualTimers.close(timer) } else { timers.close(timer) }
  }

  package func makeTimer(_ fire: @escaping () -> Void) -> any LoopTimer {
    UVTimer(loop: self, isPunctual: false, fire: fire)
  }

  package func randomBytes(_ count: Int) -> [UInt8] {
    // They may become keys: nothing of them is left anywhere else.
    [UInt8](unsafeUninitializedCapacity: Swift.max(0, count)) { bytes, filled in
      while filled < count {
        // The kernel gives no more at once.
        let wanted = Swift.min(count - filled, 256)
        let status = getentropy(UnsafeMutableRawPointer(bytes.baseAddress)?.advanced(by: filled), wanted)
        precondition(status == 0, "the kernel gives random bytes")
        filled += wanted
      }
    }
  }

  // MARK: Turns

  /// The wake-up descriptor, the timer descriptor and the end of every turn.
  private func watch() throws(NetworkError) {
    typealias Poll = OwnedHandle<uv_poll_t, UVLoop>
    typealias Check = OwnedHandle<uv_check_t, UVLoop>
    let wakePoll = Poll(loop: self, owner: self) { uv_poll_init(raw, $0, wakeDescriptor.descriptor) }
    let timerPoll = Poll(loop: self, owner: self) { uv_poll_init(raw, $0, deadlineDescriptor.descriptor) }
    let check = Check(loop: self, owner: self) { uv_check_init(raw, $0) }
    guard let wakePoll, let timerPoll, let check else { throw NetworkError("libuv has no room for another loop") }
    let readable = Int32(UV_READABLE.rawValue)
    uv_poll_start(wakePoll.raw, readable) { handle, _, _ in
      guard let loop = Poll.owner(of: handle?.pointee.data) else { return }
      loop.wakeDescriptor.clear()
      loop.wasWoken = true
      loop.isInTurn = true
    }
    uv_poll_start(timerPoll.raw, readable) { handle, _, _ in
      guard let loop = Poll.owner(of: handle?.pointee.data) else { return }
      guard loop.deadlinePassed() else { return }
      loop.wasWoken = true
      loop.isInTurn = true
    }
    uv_check_start(check.raw) { handle in Check.owner(of: handle?.pointee.data)?.endTurn() }
    // Work that was submitted before the loop ran for the first time is found.
    wakeDescriptor.signal()
  }

  /// Does what is left after the sockets of this pass. Bounded: an endless chain of work lets the sockets in between.
  private func endTurn() {
    if drive == .foreign { monitor.transfer() }
    guard hasNews || wasWoken || !deferred.isEmpty || !drained.isEmpty else {
      isInTurn = false
      return
    }
    isInTurn = true
    wasWoken = false
    let time = now
    turnTime = time
    var rounds = 0
    repeat {
      let didWork = runRound(at: time)
      if didWork || hasNews {
        hasNews = false
        for action in endOfTurn where !isClosing { action() }
      }
      rounds += 1
      // Not before nothing more comes: all that answers to what was just delivered bring about leaves together.
      if !hasMoreWork(at: time) || rounds == Self.roundsPerTurn { flush() }
    } while hasMoreWork(at: time) && rounds < Self.roundsPerTurn
    turns &+= 1
    if hasMoreWork(at: time) { wakeDescriptor.signal() }
    turnTime = nil
    settleDeadline()
    isInTurn = false
  }

  package func flush() {
    let streams = unflushed
    unflushed = []
    for stream in streams { stream.flush() }
  }

  /// Runs what is there now, and timers that are due at `time`; false: nothing was.
  private func runRound(at time: HostTime) -> Bool {
    let letters = mailbox.withLock { box in
      defer { box.work = [] }
      return box.work
    }
    for work in letters { work() }
    var didWork = !letters.isEmpty
    if runTimers(at: time) { didWork = true }
    let postponed = deferred
    deferred = []
    for work in postponed { work() }
    let streams = drained
    drained = []
    for stream in streams { stream.drained() }
    return didWork || !postponed.isEmpty || !streams.isEmpty
  }

  /// Runs the timers that are due, in the order of their instants; what they arm belongs to the next round.
  private func runTimers(at time: HostTime) -> Bool {
    let latest = (punctual: punctualTimers.newestArming, plain: timers.newestArming)
    var didWork = false
    while true {
      let isPunctual = punctualTimers.nextDeadline() ?? .max <= timers.nextDeadline() ?? .max
      let fire =
        isPunctual
        ? punctualTimers.popDue(at: time, armedUpTo: latest.punctual)
        : timers.popDue(at: time, armedUpTo: latest.plain)
      guard let fire else { return didWork }
      fire()
      didWork = true
    }
  }

  private func hasMoreWork(at time: HostTime) -> Bool {
    if !deferred.isEmpty || !drained.isEmpty || mailbox.withLock({ !$0.work.isEmpty }) { return true }
    guard let deadline = nextDeadline else { return false }
    return deadline <= time
  }

  // MARK: Handles and closing

  /// One more stream waits for its other side's end; false: it may not.
  func beginLingering() -> Bool {
    if isClosing || lingering >= LingeringClose.limit { return false }
    lingering += 1
    return true
  }

  func endLingering() { lingering -= 1 }

  func handleOpened(_ handle: LoopHandle) { openHandles[ObjectIdentifier(handle)] = handle }

  func handleClosed(_ handle: LoopHandle) {
    openHandles[ObjectIdentifier(handle)] = nil
    // The turn that closed it may be over: a polled loop must look once more whether it is quiet.
    turns &+= 1
    if openHandles.isEmpty, isClosing, drive == .foreign { finish() }
  }

  /// Takes no more work, asks for `teardown` as the last of it, then closes everything. False: it closes already.
  func requestClose(teardown: @escaping @Sendable () -> Void, completion: @escaping @Sendable () -> Void) -> Bool {
    let isFirst = mailbox.withLock { box in
      if box.isClosed { return false }
      box.isClosed = true
      box.work.append { [self] in
        teardown()
        self.completion = completion
        closeHandles()
      }
      return true
    }
    if isFirst { wakeDescriptor.signal() }
    return isFirst
  }

  private func closeHandles() {
    isClosing = true
    timers.removeAll()
    punctualTimers.removeAll()
    deferred = []
    drained = []
    endOfTurn = []
    for handle in openHandles.values { handle.closeWithOwner() }
    reservations.withLock { $0 = [:] }
  }

  /// Closing was asked for, and what comes last is still to come.
  var mustEnd: Bool { isClosing && !monitor.isOver }

  /// All handles are gone from libuv's books.
  var isReadyToFinish: Bool { isClosing && openHandles.isEmpty }

  /// The last act, outside `uv_run` where the loop is ours.
  func finish() {
    if drive != .foreign {
      let status = uv_loop_close(raw)
      assert(status == 0, "every handle and request was closed before the loop")
      if status == 0 { raw.deallocate() }
    }
    let last = completion
    completion = nil
    last?()
    monitor.finish()
  }
}
