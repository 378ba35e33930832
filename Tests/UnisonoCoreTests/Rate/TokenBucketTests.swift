import Testing
import UnisonoBase

@Suite("Token buckets")
struct TokenBucketTests {
  @Test("a burst is let through at once, the rest at the rate")
  func burstThenRate() {
    var bucket = TokenBucket(rate: 5, burst: 20, now: 0)
    let atOnce = (0..<30).filter { _ in bucket.spend(now: 0) }.count
    #expect(atOnce == 20)
    let next = bucket.time(now: 0)
    #expect(next == .milliseconds(200))
    let inTenSeconds = (1...1_000).filter { bucket.spend(now: .milliseconds(Int64($0) * 10)) }.count
    #expect(inTenSeconds == 50)
  }

  @Test("debt is paid before anything is left, and time that stands still or runs back adds nothing")
  func debt() {
    var bucket = TokenBucket(rate: 1_000, burst: 100, now: 0)
    bucket.charge(1_100, now: 0)
    let paid = bucket.time(of: 1, now: 0)
    #expect(paid == .milliseconds(1_001))
    let empty = [0, -50_000, 1_000, 1_001].map { bucket.isEmpty(now: .milliseconds($0)) }
    #expect(empty == [true, true, true, false])
    let full = [1_001, 1_101].map { bucket.isFull(now: .milliseconds($0)) }
    #expect(full == [false, true])
  }

  @Test("one that was made before any time was known is full at whatever time comes first")
  func madeWithoutTime() {
    for first in [HostTime.min, -1, 0, .max] {
      var bucket = TokenBucket(rate: 10, burst: 3)
      let through = (0..<5).filter { _ in bucket.spend(now: first) }.count
      #expect(through == 3)
    }
  }
}
