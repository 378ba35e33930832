/// The fields of a vector's case as JavaScript hands them over: name (u8 length), value (u32 length, little-endian), both UTF-8; bytes
/// are hexadecimal digits, as they stand in the file. What comes in lists has its place in its name: "frames.0.to".
struct Fields {
  private var values: [String: String] = [:]

  init(_ bytes: [UInt8]) {
    var at = 0
    func take(_ count: Int) -> String {
      precondition(count <= bytes.count - at, "the fields are as long as they say")
      defer { at += count }
      return String(decoding: bytes[at..<(at + count)], as: UTF8.self)
    }
    while at < bytes.count {
      let length = Int(bytes[at])
      at += 1
      let name = take(length)
      let count = (0..<4).reduce(0) { $0 | Int(bytes[at + $1]) << (8 * $1) }
      at += 4
      values[name] = take(count)
    }
  }

  func has(_ name: String) -> Bool { values[name] != nil }

  func text(_ name: String) -> String {
    guard let value = values[name] else { preconditionFailure("the case has no such field") }
    return value
  }

  func bytes(_ name: String) -> [UInt8] {
    let digits = text(name).utf8.map { $0 < 0x3a ? $0 - 0x30 : $0 - 0x57 }
    precondition(digits.count % 2 == 0 && digits.allSatisfy { $0 < 16 }, "bytes are pairs of hexadecimal digits")
    return (0..<(digits.count / 2)).map { digits[2 * $0] << 4 | digits[2 * $0 + 1] }
  }

  func number(_ name: String) -> UInt64 {
    guard let number = UInt64(text(name)) else { preconditionFailure("the field is a number") }
    return number
  }

  func time(_ name: String) -> Int64 {
    guard let time = Int64(text(name)) else { preconditionFailure("the field is a time") }
    return time
  }

  /// How many entries a list of objects has that have this field each.
  func count(_ list: String, _ field: String) -> Int {
    var count = 0
    while has("\(list).\(count).\(field)") { count += 1 }
    return count
  }
}

/// What came of a case: lines of "name value", bytes as hexadecimal digits.
struct Found {
  private(set) var text = ""

  mutating func add(_ name: String, text value: String) { text += "\(name) \(value)\n" }

  mutating func add(_ name: String, _ bytes: [UInt8]) {
    let digits = Array("0123456789abcdef".utf8)
    add(name, text: String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self))
  }
}
