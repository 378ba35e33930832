/// A xoshiro256** generator seeded by splitmix64: the only source of chance in a simulation, so that a seed is a run.
public struct SeededGenerator: RandomNumberGenerator, Sendable {
  private var state: (UInt64, UInt64, UInt64, UInt64)

  public init(seed: UInt64) {
    var mixed = seed
    func next() -> UInt64 {
      mixed &+= 0x9E37_79B9_7F4A_7C15
      var word = mixed
      word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
      word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
      return word ^ (word >> 31)
    }
    state = (next(), next(), next(), next())
  }

  public mutating func next() -> UInt64 {
    let product = state.1 &* 5
    let result = ((product << 7) | (product >> 57)) &* 9
    let shifted = state.1 << 17
    state.2 ^= state.0
    state.3 ^= state.1
    state.1 ^= state.2
    state.0 ^= state.3
    state.2 ^= shifted
    state.3 = (state.3 << 45) | (state.3 >> 19)
    return result
  }

  /// A whole number in `range`, the ends included.
  ///
  /// Own arithmetic instead of the standard library's: its draws may change with a release, and seeds must not.
  public mutating func number(in range: ClosedRange<Int64>) -> Int64 {
    let width = UInt64(bitPattern: range.upperBound &- range.lowerBound)
    if width == .max { return Int64(bitPattern: next()) }
    return range.lowerBound &+ Int64(bitPattern: next() % (width + 1))
  }

  /// True in `probability` of all draws.
  public mutating func chance(_ probability: Double) -> Bool {
    fraction() < probability
  }

  /// Even in 0..<1.
  public mutating func fraction() -> Double { Double(next() >> 11) * 0x1p-53 }

  /// Exponential with mean 1, by comparisons alone (von Neumann): a logarithm may differ from machine to machine.
  public mutating func exponential() -> Double {
    var whole = 0.0
    while true {
      let first = fraction()
      var (last, run) = (first, 1)
      while case let draw = fraction(), draw <= last {
        last = draw
        run += 1
      }
      if run % 2 == 1 { return whole + first }
      whole += 1
    }
  }

  /// One of `choices`, which must not be empty.
  public mutating func pick<Element>(_ choices: [Element]) -> Element {
    precondition(!choices.isEmpty, "nothing to pick from")
    return choices[Int(number(in: 0...Int64(choices.count - 1)))]
  }
}
