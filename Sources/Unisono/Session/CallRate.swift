import Synchronization
import UnisonoBase

/// At most so many calls at once, and in each further second, from any thread.
final class CallRate: Sendable {
  private let perSecond: Int
  private let bucket: Mutex<TokenBucket>

  init(perSecond: Int) {
    self.perSecond = perSecond
    bucket = Mutex(TokenBucket(rate: Double(perSecond), burst: Double(perSecond)))
  }

  func spend(now: HostTime) throws(Failure) {
    guard bucket.withLock({ $0.spend(now: now) }) else {
      throw Failure(.UNISONO_EBUSY, "more than \(perSecond) in a second; try again later")
    }
  }
}
