import CUV
import UnisonoBase

/// Timers that a host asked for: as near to their instant as the machine allows.
extension UVLoop {
  /// Like `makeTimer`, for an instant that somebody hears or sees. Costs up to half a millisecond of this loop's time for
  /// each (`PreciseWakeup`), where the loop waits by itself: in its own thread, or inside a poll that may wait.
  package func makePunctualTimer(_ fire: @escaping () -> Void) -> any LoopTimer {
    UVTimer(loop: self, isPunctual: true, fire: fire)
  }

  /// Whether this thread may be kept until an instant: it would sleep anyway.
  private var waitsByItself: Bool { drive == .ownThread || isWaiting }

  /// Time at which something is due by itself; nil: nothing is.
  var nextDeadline: HostTime? {
    [timers.nextDeadline(), punctualTimers.nextDeadline()].compactMap { $0 }.min()
  }

  /// Tells the kernel when to wake this loop.
  func settleDeadline() {
    aim = nil
    let plain = isClosing ? nil : timers.nextDeadline()
    let punctual = isClosing ? nil : punctualTimers.nextDeadline()
    var wake = plain
    if let punctual {
      var time = punctual
      if waitsByItself {
        let next = preciseWakeup.aim(at: punctual, now: now)
        time = next.time
        if time < plain ?? .max { aim = next }
      }
      wake = min(time, plain ?? .max)
    }
    deadlineDescriptor.set(wake)
    publishedDeadline.store(min(plain ?? .max, punctual ?? .max), ordering: .releasing)
  }

  /// The timer descriptor was readable. False: it was for coming nearer, and nothing is due yet.
  func deadlinePassed() -> Bool {
    deadlineDescriptor.clear()
    let time = now
    if let aim { preciseWakeup.woke(from: aim.step, meant: aim.time, now: time) }
    guard waitsByItself, let due = punctualTimers.nextDeadline(), due > time, timers.nextDeadline() ?? .max > time
    else {
      return true
    }
    guard preciseWakeup.isTimeToWatch(due: due, now: time) else {
      settleDeadline()
      return false
    }
    watch(until: due)
    return true
  }

  /// Looks at the clock until `due`, or until another thread wants something.
  private func watch(until due: HostTime) {
    let start = now
    var time = start
    while time < due, !wakeDescriptor.isReadable {
      unisono_pause()
      time = now
    }
    preciseWakeup.watched(for: time.subtracting(start), now: time)
  }
}
