import CUnisono
import DequeModule
import Glibc
import Synchronization
import UnisonoBase
import UnisonoCoordination
import UnisonoRuntime

/// A context: one loop, the objects made from it, and the way from their events to the host.
///
/// Marked parts belong to the loop's thread; everything else is for any thread.
final class ContextObject: APIObject, @unchecked Sendable {
  override class var kind: HandleKind { .context }

  let options: ContextOptions
  let loop: any ContextLoop
  /// The same, where it is the system's: polled, of its own thread or the host's.
  let system: UVLoop?
  let queue: EventQueue?
  let delayedCalls = DelayedCalls()
  let answers: RememberedAnswers
  /// What the calls cost that wait for the loop.
  private let waitingCalls = Atomic<Int>(0)

  /// Objects made from this one, in the order of making; nil: the context ends and takes no more.
  private let children = Mutex<[ContextChild]?>([])
  /// The thread in `poll` or `next_event`; 0: none.
  private let consumer = Atomic<UInt>(0)
  /// `unisono_context_wake` was called since a consumer last looked.
  private let woken = Atomic<Bool>(false)
  /// The host was told to look and has not looked yet.
  private let announced = Atomic<Bool>(false)
  private let wakeupsRunning = Atomic<Int>(0)
  /// A callback of this context is running.
  private let delivering = Atomic<Bool>(false)
  /// This thread runs the loop for a call of its own: nothing may be delivered here.
  private let holding = Atomic<Int>(0)
  private let commandRanges = Atomic<UInt64>(0)

  // On the loop.
  private var pending: Deque<Delivery> = []
  private var unsettled: [ObjectIdentifier: any EndOfTurnParticipant] = [:]
  /// Objects that settle at the end of every turn, in the order of making.
  private var steady: [any EndOfTurnParticipant] = []
  private var delivered: Int32 = 0
  private var isEndingTurn = false
  /// A callback brought something about since the last settling: a wake-up alone would end no turn.
  private var isUnsettled = false

  init(token: HandleToken, options: ContextOptions) throws(NetworkError) {
    self.options = options
    answers = RememberedAnswers(folder: options.storagePath)
    queue = if let limit = options.queueLimit { try EventQueue(limit: limit) } else { nil }
    switch options.drive {
    case .polled: loop = try UVLoop.polled()
    case .ownThread: loop = try UVLoop.ownThread()
    case .foreign(let raw): loop = try UVLoop.foreign(raw)
    case .simulated(let simulated): loop = simulated
    }
    system = loop as? UVLoop
    super.init(token: token)
    _ = loop.submit { [weak self] in self?.loop.onEndOfTurn { self?.endTurn() } }
  }

  var now: HostTime { loop.now }

  var isPolled: Bool {
    if case .polled = options.drive { return true }
    return false
  }

  /// What calendars show, ns since 1970, UTC. A simulated one's begins with its host time.
  var calendarTime: Int64 {
    if simulated != nil { return now }
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }

  /// The loop that runs it; nil: it is not simulated.
  var simulated: SimulatedLoop? {
    if case .simulated(let loop) = options.drive { return loop }
    return nil
  }

  /// Calls of the host may run the loop on its thread, where nothing may be delivered.
  private var runsInsideCalls: Bool { isPolled || simulated != nil }

  /// The first command id of a new coordination: ranges of one context share no id, and ids stay exact in a double.
  func nextCommandRange() -> UInt64 {
    commandRanges.wrappingAdd(1, ordering: .relaxed).newValue << 32 | 1
  }

  // MARK: Calls to the loop

  /// Puts a change on the loop's queue; a closed loop refuses, and one that is far behind. `isBounded` false: what is
  /// owed, and bounded elsewhere.
  func submit(
    cost: CallCost = .plain, isBounded: Bool = true, _ work: @escaping @Sendable () -> Void
  ) throws(Failure) {
    let units = cost.units
    let (_, waiting) = waitingCalls.wrappingAdd(units, ordering: .relaxed)
    guard !isBounded || waiting <= CallCost.limit else {
      waitingCalls.wrappingSubtract(units, ordering: .relaxed)
      throw Failure(.UNISONO_EFULL, "too many calls wait for the loop; let it run, or call more slowly")
    }
    let isTaken = loop.submit { [self] in
      waitingCalls.wrappingSubtract(units, ordering: .relaxed)
      work()
    }
    guard isTaken else { throw Self.closed }
    if isPolled && !loop.isOnLoopThread { announce() }
  }

  /// Runs a change on the loop and returns when it is done; what it brings about is delivered later.
  func perform(_ work: @escaping @Sendable () -> Void) throws(Failure) {
    holding.wrappingAdd(1, ordering: .sequentiallyConsistent)
    let done = loop.perform(work)
    holding.wrappingSubtract(1, ordering: .sequentiallyConsistent)
    // What was held back is found by a turn that has something to do.
    _ = loop.submit {}
    guard done else { throw Self.closed }
    if isPolled && !loop.isOnLoopThread { announce() }
  }

  static var notPolled: Failure { Failure(.UNISONO_ESTATE, "this context is not polled: its loop runs by itself") }
  static var closed: Failure { Failure(.UNISONO_ECLOSED, "the context was destroyed") }

  func forgetAnswers(_ type: unisono_activity_type) throws(Failure) {
    guard (-1...9).contains(type.rawValue) else {
      throw Failure(.UNISONO_EINVAL, "type is \(type.rawValue), which is no unisono_activity_type")
    }
    guard type == .UNISONO_ACTIVITY_ALL ? answers.forgetAll() : answers.remember(nil, for: type) else {
      throw Failure(.UNISONO_EIO, "storage_path cannot be written to; the answers are forgotten for this context")
    }
  }

  // MARK: Children

  func adopt(_ child: ContextChild) throws(Failure) {
    let isTaken = children.withLock { list in
      guard list != nil else { return false }
      list?.append(child)
      return true
    }
    guard isTaken else { throw Self.closed }
  }

  func hasChild(where holds: (ContextChild) -> Bool) -> Bool {
    children.withLock { $0?.contains(where: holds) ?? false }
  }

  func disown(_ child: ContextChild) {
    children.withLock { list in list?.removeAll { $0 === child } }
  }

  // MARK: Deliveries (on the loop)

  /// The object has something to settle at the end of this turn.
  func settleOnce(_ object: any EndOfTurnParticipant) { unsettled[ObjectIdentifier(object)] = object }

  /// The object settles at the end of every turn from now on.
  func settleEveryTurn(_ object: any EndOfTurnParticipant) {
    steady.append(object)
    loop.wake()
  }

  func stopSettling(_ object: any EndOfTurnParticipant) { steady.removeAll { $0 === object } }

  /// Something happened that the end of a turn has to look at.
  func requestEndOfTurn() {
    if isEndingTurn { return }
    isUnsettled = true
    loop.wake()
  }

  func deliver(_ delivery: Delivery) {
    guard delivery.callback != nil || queue != nil else { return }
    pending.append(delivery)
    requestEndOfTurn()
  }

  private func endTurn() {
    isEndingTurn = true
    settle()
    isEndingTurn = false
    isUnsettled = !unsettled.isEmpty
    guard holding.load(ordering: .sequentiallyConsistent) == 0 || !runsInsideCalls else { return }
    // The others hear of it first: a host may take its time with what it is told.
    if pending.contains(where: { $0.callback != nil }) { loop.flush() }
    // What callbacks bring about comes with the next round of the loop: this much and no more.
    for _ in 0..<pending.count {
      guard !isDead, let delivery = pending.popFirst() else { break }
      carryOut(delivery)
    }
    if !pending.isEmpty || isUnsettled { _ = loop.submit {} }
    if isPolled, let queue, !queue.isEmpty { loop.wake() }
  }

  private func settle() {
    for object in steady { object.settle() }
    // Settling one object may unsettle another, never itself.
    for _ in 0..<4 where !unsettled.isEmpty {
      let objects = unsettled.values
      unsettled = [:]
      for object in objects { object.settle() }
    }
  }

  private func carryOut(_ delivery: Delivery) {
    if let target = delivery.target, target.isDead, !delivery.isOwed { return }
    if let callback = delivery.callback {
      delivered &+= 1
      delivering.store(true, ordering: .releasing)
      callback(delivery.payload)
      delivering.store(false, ordering: .releasing)
    } else if let queue {
      let pushed = queue.push(
        delivery.payload, from: delivery.target?.token, delivery.kind, complete: delivery.complete)
      if pushed == .commandsReplaced { delivery.replaceCommands?() }
      delivered &+= 1
      if !isPolled || !loop.isOnLoopThread { announce() }
    }
  }

  /// Callbacks owed exactly once, when the context ends before it got to them. On the loop.
  private func carryOutOwed() {
    while let delivery = pending.popFirst() {
      if delivery.isOwed { delivery.callback?(delivery.payload) }
    }
  }

  /// Calls out of the teardown: no other callback runs, and destroy is not told to wait for itself.
  func callingOut(_ body: () -> Void) {
    delivering.store(true, ordering: .releasing)
    body()
    delivering.store(false, ordering: .releasing)
  }

  // MARK: Consuming

  /// Whether this thread is inside a callback of this context.
  var isInsideCallback: Bool { delivering.load(ordering: .acquiring) && loop.isOnLoopThread }

  /// Whether this thread runs the loop for good, as the host's own loop does.
  var isOnLoopThread: Bool { loop.isOnLoopThread }

  /// Runs `body` as the one thread that consumes.
  func consuming(_ body: () throws(Failure) -> Int32) throws(Failure) -> Int32 {
    if isInsideCallback {
      throw Failure(.UNISONO_ESTATE, "called inside a callback; return from it, the loop goes on by itself")
    }
    let this = UInt(pthread_self())
    guard consumer.compareExchange(expected: 0, desired: this, ordering: .acquiringAndReleasing).exchanged else {
      throw Failure(.UNISONO_EBUSY, "another thread polls this context; one thread at a time")
    }
    defer { consumer.store(0, ordering: .releasing) }
    announced.store(false, ordering: .sequentiallyConsistent)
    return try body()
  }

  /// One poll; the number of deliveries. Only inside `consuming`.
  func turn(maxWait: Nanoseconds) throws(Failure) -> Int32 {
    delivered = 0
    while true {
      switch system?.poll(maxWait: maxWait) {
      case .ran: return delivered
      // Another thread runs a call of its own on the loop: it is out again soon.
      case .busy: sched_yield()
      case .closed: throw Self.closed
      case .insideCallback:
        throw Failure(.UNISONO_ESTATE, "called inside a callback; return from it, the loop goes on by itself")
      case .notPolled, nil: throw Self.notPolled
      }
    }
  }

  func claimWake() -> Bool { woken.exchange(false, ordering: .acquiringAndReleasing) }

  /// Realtime-safe.
  func wake() {
    woken.store(true, ordering: .releasing)
    system?.wake()
    if !isPolled { queue?.signal.signal() }
  }

  /// Tells the host to look; coalesced until it does.
  private func announce() {
    guard let wakeup = options.wakeup else { return }
    wakeupsRunning.wrappingAdd(1, ordering: .sequentiallyConsistent)
    if !isDead, !announced.exchange(true, ordering: .sequentiallyConsistent) { wakeup(options.user) }
    wakeupsRunning.wrappingSubtract(1, ordering: .sequentiallyConsistent)
  }

  // MARK: Log

  /// A line for the host; comes on the loop, whatever thread this is.
  func log(_ level: LogLevel, _ message: @autoclosure () -> String) {
    guard let wanted = options.logLevel, level.rawValue <= wanted.rawValue, options.log != nil || queue != nil else {
      return
    }
    let line = message()
    _ = loop.submit { [weak self] in
      guard let self else { return }
      let log = options.log
      let user = options.user
      deliver(
        Delivery(
          payload: .log(EventOrigin(source: nil, user: user, hostTime: now), level, line), kind: .other,
          callback: log.map { log in { log(user, $0.body(as: unisono_log_event.self)) } }))
    }
  }

  // MARK: The end

  /// After the handle was retired. Children first, then what is owed, then the loop, then `released`.
  func end() {
    markDead()
    // Handles of children are dead from now on, too; what they hold is let go of on the loop.
    for child in children.withLock({ $0 ?? [] }).reversed() { child.retireWithContext() }
    loop.close(
      teardown: { [self] in
        let children = children.withLock { list in
          defer { list = nil }
          return list ?? []
        }
        for child in children.reversed() { child.endWithContext() }
        callingOut {
          carryOutOwed()
          delayedCalls.cancelAll(now: now)
        }
        unsettled = [:]
        steady = []
      },
      completion: { [self] in
        while wakeupsRunning.load(ordering: .sequentiallyConsistent) != 0 { sched_yield() }
        callingOut { options.released?(options.user) }
      })
  }
}
