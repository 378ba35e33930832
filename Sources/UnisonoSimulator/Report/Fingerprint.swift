import UnisonoBase

/// A 64-bit hash of all that was decided in a run, in order: two runs of one seed with equal fingerprints did the same.
///
/// It goes by values, not by names or wording, so that it survives whatever changes these alone. It depends on nothing but
/// what is added: not on the process, the build's settings or how many threads there are.
package struct Fingerprint: Hashable, Sendable {
  package private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

  package init() {}

  /// Takes one word in. (SplitMix64's finaliser: each bit of the sum moves half of the bits of the result.)
  package mutating func add(_ word: UInt64) {
    var mixed = (value ^ word) &+ 0x9E37_79B9_7F4A_7C15
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    value = mixed ^ (mixed >> 31)
  }

  mutating func add(_ number: Int64) { add(UInt64(bitPattern: number)) }
  mutating func add(_ number: Int) { add(Int64(number)) }
  mutating func add(_ number: Double) { add(number.bitPattern) }
  mutating func add(_ truth: Bool) { add(UInt64(truth ? 1 : 0)) }

  mutating func add<Kind>(_ id: Identifier<Kind>) {
    add(id.high)
    add(id.low)
  }

  mutating func add(_ text: String) { add(bytes: text.utf8) }

  mutating func add(bytes: some Collection<UInt8>) {
    add(bytes.count)
    var word: UInt64 = 0
    var filled = 0
    for byte in bytes {
      word = word << 8 | UInt64(byte)
      filled += 1
      guard filled == 8 else { continue }
      add(word)
      (word, filled) = (0, 0)
    }
    if filled > 0 { add(word) }
  }

  mutating func add<Element>(each elements: some Collection<Element>, _ add: (inout Self, Element) -> Void) {
    self.add(elements.count)
    for element in elements { add(&self, element) }
  }

  /// A value that may be missing.
  mutating func add<Value>(_ value: Value?, _ add: (inout Self, Value) -> Void) {
    self.add(value != nil)
    if let value { add(&self, value) }
  }

  mutating func add(_ number: Int64?) { add(number) { $0.add($1) } }
}

extension Fingerprint: CustomStringConvertible {
  /// 16 hexadecimal digits.
  package var description: String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
