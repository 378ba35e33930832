@testable import UnisonoBase

/// What tests of the wire draw.
extension SplitMix64 {
  mutating func bytes(_ count: Int) -> [UInt8] {
    (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &self) }
  }

  mutating func chance() -> Bool { Bool.random(using: &self) }

  mutating func identifier<Kind>(_: Kind.Type = Kind.self) -> Identifier<Kind> {
    Identifier(high: next(), low: next())
  }

  mutating func time() -> Int64 { Int64.random(in: (.min + 1)...(.max), using: &self) }

  mutating func rate() -> Double { Double.random(in: -16...16, using: &self) }

  mutating func text(_ lengths: ClosedRange<Int>) -> String {
    let alphabet = Array("abcxyz09 äß日𝄞")
    let length = Int.random(in: lengths, using: &self)
    var text = ""
    while text.utf8.count < length {
      guard let character = alphabet.randomElement(using: &self), text.utf8.count + character.utf8.count <= length
      else { continue }
      text.append(character)
    }
    return text
  }

  mutating func list<Element>(upTo limit: Int, _ make: (inout Self) -> Element) -> [Element] {
    (0..<Int.random(in: 0...limit, using: &self)).map { _ in make(&self) }
  }

  mutating func maybe<Value>(_ make: (inout Self) -> Value) -> Value? { chance() ? make(&self) : nil }
}
