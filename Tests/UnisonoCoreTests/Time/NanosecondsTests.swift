import Testing

@Suite("Times at the ends of what they can hold")
struct NanosecondsTests {
  static let ends: [Int64] = [.min, .min + 1, -1, 0, 1, .max - 1, .max]

  @Test("sums and differences stay at the ends", arguments: ends, ends)
  func saturation(left: Int64, right: Int64) {
    let sum = Int64(clamping: Int128(left) + Int128(right))
    let difference = Int64(clamping: Int128(left) - Int128(right))
    #expect(left.adding(right) == sum)
    #expect(left.subtracting(right) == difference)
    #expect(left.subtracting(right).absolute == Int64(clamping: Int128(difference).magnitude))
  }

  @Test("a length times a rate has an answer for every rate", arguments: ends, [-16.0, -0.0, 1, 16, .infinity, .nan])
  func scaling(length: Int64, rate: Double) {
    let scaled = length.scaled(by: rate)
    if rate == 1 { #expect(scaled == length) }
    if rate.isNaN { #expect(scaled == 0) }
    if rate == 16, length == .max { #expect(scaled == .max) }
    if rate == -16, length == .max { #expect(scaled == .min) }
  }
}
