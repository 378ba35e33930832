import UnisonoBase

/// A xoshiro256** generator seeded by SplitMix64 (Blackman, Vigna, 2018): the only source of chance in a simulation, so that a seed is a run.
package struct Xoshiro256: RandomNumberGenerator, Sendable {
  private var state: (UInt64, UInt64, UInt64, UInt64)

  package init(seed: UInt64) {
    var words = SplitMix64(seed: seed)
    state = (words.next(), words.next(), words.next(), words.next())
  }

  package mutating func next() -> UInt64 {
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
  package mutating func number(in range: ClosedRange<Int64>) -> Int64 {
    let width = UInt64(bitPattern: range.upperBound &- range.lowerBound)
    if width == .max { return Int64(bitPattern: next()) }
    return range.lowerBound &+ Int64(bitPattern: next() % (width + 1))
  }

  /// True in `probability` of all draws.
  package mutating func chance(_ probability: Double) -> Bool {
    fraction() < probability
  }

  /// Even in 0..<1.
  package mutating func fraction() -> Double { Double(next() >> 11) * 0x1p-53 }

  /// Exponential with mean 1, by comparisons alone (von Neumann): a logarithm may differ from machine to machine.
  package mutating func exponential() -> Double {
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
  package mutating func pick<Element>(_ choices: [Element]) -> Element {
    precondition(!choices.isEmpty, "nothing to pick from")
    return choices[Int(number(in: 0...Int64(choices.count - 1)))]
  }
}
