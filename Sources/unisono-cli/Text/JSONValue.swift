/// A value of JSON, RFC 8259, as somebody else wrote it.
enum JSONValue: Equatable {
  case null
  case flag(Bool)
  case number(Double)
  case text(String)
  case list([JSONValue])
  case object([String: JSONValue])

  /// Lists and objects within each other.
  static let deepest = 16

  /// nil: it is not JSON, nested deeper than `deepest`, or has a number that is too large. Of members of one name the last counts.
  init?(_ bytes: [UInt8]) {
    var reader = JSONReader(bytes)
    guard let value = reader.readAll() else { return nil }
    self = value
  }

  /// nil where this is no object, or has no such member.
  subscript(_ name: String) -> JSONValue? {
    if case .object(let members) = self { members[name] } else { nil }
  }

  var flag: Bool? { if case .flag(let flag) = self { flag } else { nil } }
  var number: Double? { if case .number(let number) = self { number } else { nil } }
  var text: String? { if case .text(let text) = self { text } else { nil } }
  var members: [String: JSONValue]? { if case .object(let members) = self { members } else { nil } }
}

/// Reads JSON from its first byte to its last.
private struct JSONReader {
  private let bytes: [UInt8]
  private var next = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  mutating func readAll() -> JSONValue? {
    guard let value = readValue(1) else { return nil }
    skipSpace()
    return next == bytes.count ? value : nil
  }

  private mutating func skipSpace() {
    while next < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[next]) { next += 1 }
  }

  private mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard next < bytes.count, bytes[next] == UInt8(ascii: character) else { return false }
    next += 1
    return true
  }

  private mutating func readValue(_ depth: Int) -> JSONValue? {
    skipSpace()
    guard depth <= JSONValue.deepest, next < bytes.count else { return nil }
    switch bytes[next] {
    case UInt8(ascii: "{"): return readObject(depth)
    case UInt8(ascii: "["): return readList(depth)
    case UInt8(ascii: "\""): return readText().map { .text($0) }
    case UInt8(ascii: "t"): return readWord("true", .flag(true))
    case UInt8(ascii: "f"): return readWord("false", .flag(false))
    case UInt8(ascii: "n"): return readWord("null", .null)
    default: return readNumber()
    }
  }

  private mutating func readWord(_ word: StaticString, _ value: JSONValue) -> JSONValue? {
    let end = next + word.utf8CodeUnitCount
    guard end <= bytes.count, word.withUTF8Buffer({ $0.elementsEqual(bytes[next..<end]) }) else { return nil }
    next = end
    return value
  }

  private mutating func readNumber() -> JSONValue? {
    let begin = next
    while next < bytes.count, Self.isOfNumber(bytes[next]) { next += 1 }
    guard begin < next, next - begin <= 64, let number = Double(String(decoding: bytes[begin..<next], as: UTF8.self)),
      number.isFinite
    else { return nil }
    return .number(number)
  }

  private static func isOfNumber(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "."),
      UInt8(ascii: "e"),
      UInt8(ascii: "E"):
      true
    default: false
    }
  }

  private mutating func readList(_ depth: Int) -> JSONValue? {
    next += 1
    var values: [JSONValue] = []
    skipSpace()
    if skip("]") { return .list(values) }
    while true {
      guard let value = readValue(depth + 1) else { return nil }
      values.append(value)
      skipSpace()
      if skip("]") { return .list(values) }
      guard skip(",") else { return nil }
    }
  }

  private mutating func readObject(_ depth: Int) -> JSONValue? {
    next += 1
    var members: [String: JSONValue] = [:]
    skipSpace()
    if skip("}") { return .object(members) }
    while true {
      skipSpace()
      guard let name = readText() else { return nil }
      skipSpace()
      guard skip(":"), let value = readValue(depth + 1) else { return nil }
      members[name] = value
      skipSpace()
      if skip("}") { return .object(members) }
      guard skip(",") else { return nil }
    }
  }

  private mutating func readText() -> String? {
    guard skip("\"") else { return nil }
    var text: [UInt8] = []
    while next < bytes.count {
      let byte = bytes[next]
      next += 1
      switch byte {
      case UInt8(ascii: "\""): return String(validating: text, as: UTF8.self)
      case UInt8(ascii: "\\"):
        guard let scalar = readEscape() else { return nil }
        text += Array(String(scalar).utf8)
      case 0..<0x20: return nil
      default: text.append(byte)
      }
    }
    return nil
  }

  /// Behind the backslash. Half of a pair alone is no character: U+FFFD.
  private mutating func readEscape() -> Unicode.Scalar? {
    guard next < bytes.count else { return nil }
    let byte = bytes[next]
    next += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"):
      guard let unit = readUnit() else { return nil }
      let behind = next
      if (0xD800..<0xDC00).contains(unit), skip("\\"), skip("u"), let low = readUnit(), (0xDC00..<0xE000).contains(low)
      {
        return Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00))
      }
      next = behind
      return Unicode.Scalar(unit) ?? "\u{FFFD}"
    default: return nil
    }
  }

  private mutating func readUnit() -> UInt32? {
    guard next + 4 <= bytes.count, !bytes[next..<next + 4].contains(UInt8(ascii: "+")) else { return nil }
    let unit = UInt32(String(decoding: bytes[next..<next + 4], as: UTF8.self), radix: 16)
    if unit != nil { next += 4 }
    return unit
  }
}
