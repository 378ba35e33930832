import UnisonoBase

/// A timer of a `UVLoop`. One that is let go of unclosed does not fire any more.
final class UVTimer: LoopTimer {
  private let loop: UVLoop
  private let timer: TimerQueue.Timer

  init(loop: UVLoop, isPunctual: Bool = false, fire: @escaping () -> Void) {
    self.loop = loop
    timer = TimerQueue.Timer(isPunctual: isPunctual, fire)
  }

  deinit { loop.closeTimer(timer) }

  func arm(at time: HostTime?) { loop.armTimer(timer, at: time) }
  func close() { loop.closeTimer(timer) }
}
