import UnisonoBase

/// Requests of one kind from one host: the first goes at once, then one per interval, the last always.
///
/// Bounds the barriers that a slider without a suspension makes.
struct Coalesced<Request: Sendable>: Sendable {
  private var last: HostTime?
  private(set) var pending: Request?

  /// Returns the request if it may go now; otherwise keeps it in place of an earlier one.
  mutating func admit(_ request: Request, now: HostTime) -> Request? {
    guard let last, now < last.adding(Parameters.coalescing) else {
      self.last = now
      pending = nil
      return request
    }
    pending = request
    return nil
  }

  /// The kept request, once its time has come, or at once where something else must not overtake it.
  mutating func next(now: HostTime, early: Bool = false) -> Request? {
    guard let request = pending, early || wake.map({ now >= $0 }) ?? true else { return nil }
    last = now
    pending = nil
    return request
  }

  mutating func drop() { pending = nil }

  var wake: HostTime? { pending == nil ? nil : last?.adding(Parameters.coalescing) }
}
