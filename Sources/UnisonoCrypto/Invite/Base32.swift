/// Base 32 (RFC 4648, section 6) in small letters and without padding, of which each byte string has exactly one spelling.
///
/// Letters and digits alone: nothing in it that a shell, a messenger or a double click stops at. Capitals are read, too.
enum Base32 {
  private static let alphabet = Array("abcdefghijklmnopqrstuvwxyz234567".utf8)

  private static let values: [UInt8?] = {
    var values = [UInt8?](repeating: nil, count: 256)
    for (value, character) in alphabet.enumerated() {
      values[Int(character)] = UInt8(value)
      if character >= UInt8(ascii: "a") { values[Int(character - 0x20)] = UInt8(value) }
    }
    return values
  }()

  /// Characters that `count` bytes take.
  static func length(of count: Int) -> Int { (count * 8 + 4) / 5 }

  static func encode(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    text.reserveCapacity(length(of: bytes.count))
    var bits: UInt32 = 0
    var count = 0
    for byte in bytes {
      bits = bits << 8 | UInt32(byte)
      count += 8
      while count >= 5 {
        count -= 5
        text.append(alphabet[Int(bits >> UInt32(count) & 0x1f)])
      }
    }
    if count > 0 { text.append(alphabet[Int(bits << UInt32(5 - count) & 0x1f)]) }
    return String(decoding: text, as: UTF8.self)
  }

  /// nil: a character outside the alphabet, an impossible length, or unused bits that are not zero.
  static func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
    let whole = text.count * 5 / 8
    guard length(of: whole) == text.count else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(whole)
    var bits: UInt32 = 0
    var count = 0
    for character in text {
      guard let value = values[Int(character)] else { return nil }
      bits = bits << 5 | UInt32(value)
      count += 5
      if count >= 8 {
        count -= 8
        bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
      }
    }
    guard bits & (1 << UInt32(count) - 1) == 0 else { return nil }
    return bytes
  }
}
