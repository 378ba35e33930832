import UnisonoBase

/// A participant's knowledge of its hub's clock, measured with the library's own filter and probe times.
struct MeasuredClock {
  /// The hub's clock that is measured.
  let clock: ClockID
  var remote: RemoteClock
  /// From when its samples count, host time.
  var began: HostTime
  var isTold = false
  /// As it was told last.
  var lastModel: ClockModel?
  /// Counts wake-ups that were scheduled: older ones are void.
  var wakes: UInt64 = 0

  init(of clock: ClockID, at host: HostTime) {
    self.clock = clock
    remote = RemoteClock(at: host)
    began = host
  }

  /// What a shell tells: after the burst, or a moment later if some of it was lost.
  func model(at host: HostTime) -> ClockModel? {
    guard let model = remote.filter.model else { return nil }
    guard isTold || remote.filter.count >= ProbeScheduler.burstCount || host >= began + .milliseconds(700) else {
      return nil
    }
    return model
  }

  /// The machine slept.
  mutating func discard(at host: HostTime) {
    remote = RemoteClock(at: host)
    began = host
    isTold = false
    lastModel = nil
  }
}
