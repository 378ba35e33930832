/// The form "host:port": a name, an IPv4 address or an IPv6 address in brackets, and a port without leading zeros.
package enum HostPort {
  /// Whether `text` has the form; names are at most 253 bytes.
  package static func isValid(_ text: some BidirectionalCollection<UInt8>) -> Bool {
    guard let colon = text.lastIndex(of: UInt8(ascii: ":")) else { return false }
    return isHost(Array(text[..<colon])) && isPort(Array(text[text.index(after: colon)...]))
  }

  private static func isHost(_ host: [UInt8]) -> Bool {
    guard let first = host.first, let last = host.last, host.count <= 253 else { return false }
    if first == UInt8(ascii: "[") {
      let inside = host.dropFirst().dropLast()
      return last == UInt8(ascii: "]") && inside.count >= 2 && inside.contains(UInt8(ascii: ":"))
        && inside.allSatisfy { isHexadecimal($0) || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ".") }
    }
    let separators = Array("-._".utf8)
    return host.allSatisfy { isLetterOrDigit($0) || separators.contains($0) }
  }

  private static func isPort(_ port: [UInt8]) -> Bool {
    guard (1...5).contains(port.count), port[0] != UInt8(ascii: "0"), port.allSatisfy(isDigit) else { return false }
    return port.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) } <= 65_535
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

  private static func isHexadecimal(_ byte: UInt8) -> Bool {
    isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte | 0x20)
  }

  private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }
}
