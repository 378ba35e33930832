import Synchronization
import UnisonoBase

/// At most so many calls in a second, from any thread.
final class CallRate: Sendable {
  private let perSecond: Int
  private let times = Mutex<[HostTime]>([])

  init(perSecond: Int) { self.perSecond = perSecond }

  func spend(now: HostTime) throws(Failure) {
    let isTaken = times.withLock { times in
      times.removeAll { now.subtracting($0) >= .seconds(1) }
      guard times.count < perSecond else { return false }
      times.append(now)
      return true
    }
    guard isTaken else { throw Failure(.UNISONO_EBUSY, "more than \(perSecond) in a second; try again later") }
  }
}
