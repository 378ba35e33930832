import CUnisono
import Glibc
import UnisonoBase

/// Argument checks and queueing behind `unisono_context_*`.
extension ContextObject {
  static func create(_ options: ContextOptions) throws(Failure) -> ContextObject {
    ChildProcess.watch()
    guard let token = HandleTable.shared.make(.context) else {
      throw Failure(.UNISONO_ENOMEM, "\(HandleToken.slotCount) handles are in use; destroy some")
    }
    let context: ContextObject
    do {
      context = try ContextObject(token: token, options: options)
    } catch {
      HandleTable.shared.abandon(token)
      throw Failure(.UNISONO_ENOMEM, "\(error)")
    }
    HandleTable.shared.publish(context)
    let slot = RealtimeSlots.shared.slot(token.slot)
    slot?.pointee.context.store(UInt(bitPattern: Unmanaged.passUnretained(context).toOpaque()), ordering: .releasing)
    return context
  }

  func destroy() {
    if case .foreign = options.drive, !isOnLoopThread {
      log(.error, "unisono_context_destroy: call it on the thread of the uv_loop; nothing was done")
      return
    }
    guard HandleTable.shared.retire(token) else { return }
    end()
  }

  func descriptor() throws(Failure) -> Int32 {
    switch options.drive {
    case .polled:
      guard let descriptor = system?.descriptor else { throw Self.closed }
      return descriptor
    case .ownThread:
      guard let queue else {
        throw Failure(.UNISONO_ESTATE, "a context with own_thread has a descriptor only with event_queue")
      }
      return queue.signal.descriptor
    case .foreign: throw Failure(.UNISONO_ESTATE, "the loop is the host's own: uv_run takes care of everything")
    case .simulated: throw Failure(.UNISONO_ESTATE, "the context is simulated: unisono_simulation_advance runs it")
    }
  }

  func timeout() throws(Failure) -> Int64 {
    guard isPolled else { throw Self.notPolled }
    if let queue, !queue.isEmpty { return 0 }
    return system?.timeout ?? .max
  }

  func poll(maxWait: Nanoseconds) throws(Failure) -> Int32 {
    guard isPolled else { throw Self.notPolled }
    return try consuming { () throws(Failure) in
      // A wake that came before this poll ends it, too.
      let count = try turn(maxWait: claimWake() ? 0 : maxWait)
      _ = claimWake()
      return count
    }
  }

  /// 1 and an event, or 0.
  func nextEvent(
    maxWait: Nanoseconds, out: UnsafeMutablePointer<UnsafePointer<unisono_context_event>?>
  ) throws(Failure) -> Int32 {
    guard let queue else {
      throw Failure(.UNISONO_ESTATE, "this context has no event queue; set options.event_queue")
    }
    return try consuming { () throws(Failure) in
      let deadline = maxWait < 0 ? HostTime.max : now.adding(maxWait)
      var isFirst = true
      while true {
        if isDead { throw Self.closed }
        if let event = queue.next(now: now) {
          out.pointee = event
          // The descriptor tells of what is left.
          if isPolled && !queue.isEmpty { loop.wake() }
          return 1
        }
        let left = max(0, deadline.subtracting(now))
        if claimWake() || (left == 0 && !isFirst) { return 0 }
        if isPolled {
          _ = try turn(maxWait: deadline == .max ? -1 : left)
        } else {
          // On the loop's own thread nothing can come while it waits here, and on virtual time only by unisono_simulation_advance.
          if left == 0 || isOnLoopThread || simulated != nil { return 0 }
          waitForQueue(queue, atMost: deadline == .max ? nil : left)
        }
        isFirst = false
      }
    }
  }

  private func waitForQueue(_ queue: EventQueue, atMost left: Nanoseconds?) {
    var watched = pollfd(fd: queue.signal.descriptor, events: Int16(POLLIN), revents: 0)
    let milliseconds = left.map { Int32(clamping: $0.adding(999_999) / 1_000_000) } ?? -1
    Glibc.poll(&watched, 1, milliseconds)
  }

  func callAt(
    _ time: HostTime, _ fn: unisono_timer_fn?, _ user: UnsafeMutableRawPointer?,
    _ token: UnsafeMutablePointer<UInt64>?
  ) throws(Failure) {
    guard time != .min else { throw Failure(.UNISONO_EINVAL, "host_time is UNISONO_TIME_INVALID") }
    guard fn != nil || queue != nil else {
      throw Failure(.UNISONO_EINVAL, "fn is NULL, and the context has no event queue to put a TIMER event into")
    }
    let entry = try delayedCalls.add(due: time, fn: fn, user: user)
    token?.pointee = entry.token
    do throws(Failure) {
      // 65,536 of them are bounded already.
      try submit(isBounded: false) { [self] in
        let timer = loop.makePunctualTimer { [weak self] in
          guard let self, let entry = delayedCalls.remove(entry.token) else { return }
          answer(entry, .UNISONO_OK)
        }
        entry.timer = timer
        timer.arm(at: time)
      }
    } catch {
      // Not there any more: the end of the context has answered it already.
      if delayedCalls.remove(entry.token) != nil { throw error }
    }
  }

  func cancel(_ token: UInt64) throws(Failure) {
    guard let entry = delayedCalls.remove(token) else {
      throw Failure(.UNISONO_ENOTFOUND, "no call with that token is pending; it may just have come")
    }
    do throws(Failure) {
      try submit(isBounded: false) { [self] in answer(entry, .UNISONO_ECANCELED) }
    } catch {
      // The context ends and has no loop any more: the answer is owed all the same.
      entry.callback?(entry.payload(.UNISONO_ECANCELED, now: now))
    }
  }

  /// On the loop.
  private func answer(_ entry: DelayedCalls.Entry, _ status: unisono_status) {
    entry.timer?.close()
    entry.timer = nil
    deliver(
      Delivery(
        payload: entry.payload(status, now: now), kind: .kept, callback: entry.callback, isOwed: true))
  }
}
