import Testing

@testable import UnisonoRuntime

@Suite("What a hub says about its time")
struct ProbeSampleTests {
  @Test(
    "Z30: no time that a hub can claim breaks the round trip", arguments: [Int64.min, -1, 0, 1, .max], [.min, 0, .max])
  func roundTrip(came: Int64, left: Int64) {
    let sample = ProbeSample(t1: 1_000, t4: 3_000, t2: came, t3: left, isDatagram: true)
    if came == left { #expect(sample.roundTrip == 2_000) }
    if came == .min, left == .max { #expect(sample.roundTrip < 0) }
    if came == .max, left == .min { #expect(sample.roundTrip == .max) }
  }
}
