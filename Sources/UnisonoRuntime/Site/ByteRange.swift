/// The part of a file that a request asks for in its field Range (RFC 9110, 14): one range of bytes, or all of it.
enum ByteRange: Equatable, Sendable {
  case whole
  /// Not empty, and inside of the file.
  case part(Range<UInt64>)
  /// It begins behind the file's end.
  case unsatisfiable

  /// `field`: "bytes=0-499", "bytes=500-", "bytes=-500". Several ranges, other units and what is none of these ask for nothing that is
  /// had here, and the whole is the answer to that.
  init(_ field: String, of size: UInt64) {
    self = .whole
    guard field.lowercased().hasPrefix("bytes=") else { return }
    let parts = field.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, parts.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }) else { return }
    let (first, last) = (parts[0], parts[1])
    if first.isEmpty {
      guard !last.isEmpty else { return }
      let length = min(size, Self.number(last))
      self = length == 0 ? .unsatisfiable : .part(size - length..<size)
      return
    }
    let start = Self.number(first)
    let end = last.isEmpty ? .max : Self.number(last)
    guard start <= end else { return }
    self = start < size ? .part(start..<min(end, size - 1) + 1) : .unsatisfiable
  }

  /// Of digits; what is too large for a number lies behind every file's end.
  private static func number(_ digits: Substring) -> UInt64 { UInt64(digits) ?? .max }
}
