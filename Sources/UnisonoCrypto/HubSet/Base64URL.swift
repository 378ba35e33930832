/// Base64 with the alphabet for URLs (RFC 4648, section 5), without padding: names of subjects between hubs are spelled so.
enum Base64URL {
  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

  /// At most the first `length` characters.
  static func text(_ bytes: [UInt8], length: Int) -> String {
    var characters: [UInt8] = []
    characters.reserveCapacity((bytes.count * 4 + 2) / 3)
    var word: UInt32 = 0
    var bits = 0
    for byte in bytes {
      word = word << 8 | UInt32(byte)
      bits += 8
      while bits >= 6 {
        bits -= 6
        characters.append(alphabet[Int(word >> UInt32(bits)) & 63])
      }
      word &= (1 << UInt32(bits)) - 1
    }
    if bits > 0 { characters.append(alphabet[Int(word << UInt32(6 - bits)) & 63]) }
    return String(decoding: characters.prefix(length), as: UTF8.self)
  }
}
