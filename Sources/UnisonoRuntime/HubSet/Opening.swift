import UnisonoBase

/// When a run says that it has a room: at once and some times more, as a subscription has no moment from which on it holds in a whole
/// cluster (hubs 7.4).
struct Opening {
  static let pauses: [Nanoseconds] = [0, .milliseconds(250), .seconds(1), .seconds(5)]

  private var times: ArraySlice<HostTime>

  /// It is said from `start` on.
  init(at start: HostTime) { times = Self.pauses.map { start.adding($0) }[...] }

  /// Begins anew.
  mutating func restart(at start: HostTime) { times = Self.pauses.map { start.adding($0) }[...] }

  var next: HostTime { times.first ?? .max }

  /// true: it is to be said now; what is late by several times, once.
  mutating func isDue(now: HostTime) -> Bool {
    let before = times.count
    while let time = times.first, time <= now { times.removeFirst() }
    return times.count < before
  }
}
