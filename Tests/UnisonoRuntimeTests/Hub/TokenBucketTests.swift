import Testing

@testable import UnisonoRuntime

@Suite("Token buckets")
struct TokenBucketTests {
  @Test("a burst is let through at once, the rest at the rate")
  func burstThenRate() {
    let bucket = Box(TokenBucket(rate: 5, burst: 20, now: 0))
    let atOnce = (0..<30).filter { _ in bucket.value.spend(now: 0) }.count
    #expect(atOnce == 20)
    #expect(bucket.value.time(now: 0) == .milliseconds(200))
    let inTenSeconds = (1...1_000).filter { bucket.value.spend(now: .milliseconds(Int64($0) * 10)) }.count
    #expect(inTenSeconds == 50)
  }

  @Test("debt is paid before anything is left, and time that stands still or runs back adds nothing")
  func debt() {
    let bucket = Box(TokenBucket(rate: 1_000, burst: 100, now: 0))
    bucket.value.charge(1_100, now: 0)
    #expect(bucket { $0.isEmpty(now: 0) })
    #expect(bucket.value.time(of: 1, now: 0) == .milliseconds(1_001))
    #expect(bucket { $0.isEmpty(now: .seconds(-50)) })
    #expect(bucket { $0.isEmpty(now: .milliseconds(1_000)) })
    #expect(!bucket { $0.isEmpty(now: .milliseconds(1_001)) })
    #expect(!bucket { $0.isFull(now: .milliseconds(1_001)) })
    #expect(bucket { $0.isFull(now: .milliseconds(1_101)) })
  }
}
