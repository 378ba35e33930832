/// Reads settings: the part of TOML that they need, and nothing else.
///
/// Tables, dotted and quoted keys in table headers, strings in one line, booleans, arrays of strings (over several lines, too), and,
/// for settings that have some, whole numbers. Everything that is read means the same in TOML; everything else of TOML is refused with its line.
struct TOMLText {
  enum Value: Equatable {
    case text(String)
    case texts([String])
    case boolean(Bool)
    case number(Int)
  }

  struct Table: Equatable {
    /// From the header; empty: before the first one.
    var path: [String]
    var line: Int
    var values: [String: Value] = [:]
    /// Lines of the keys.
    var lines: [String: Int] = [:]
  }

  /// What is wrong, and where.
  struct Fault: Error, Equatable {
    var line: Int
    var message: String
  }

  private let bytes: [UInt8]
  private var place = 0
  private var line = 1
  private let hasNumbers: Bool

  /// The tables in order; the first is the one without a header.
  static func read(_ text: String, withNumbers: Bool = false) throws(Fault) -> [Table] {
    var reader = TOMLText(bytes: Array(text.utf8), hasNumbers: withNumbers)
    return try reader.tables()
  }

  private init(bytes: [UInt8], hasNumbers: Bool) {
    self.bytes = bytes
    self.hasNumbers = hasNumbers
  }

  private mutating func tables() throws(Fault) -> [Table] {
    var tables = [Table(path: [], line: 1)]
    while true {
      skipBlank(lines: true)
      guard let next = peek else { return tables }
      if next == UInt8(ascii: "[") {
        let header = try header()
        guard !tables.contains(where: { $0.path == header.path }) else { throw fault("a table may be there only once") }
        tables.append(header)
      } else {
        let begun = line
        let key = try key()
        skipBlank()
        guard take(UInt8(ascii: "=")) else { throw fault("after \"\(key)\" comes an equals sign") }
        let value = try value()
        guard tables[tables.count - 1].values.updateValue(value, forKey: key) == nil else {
          throw fault("\"\(key)\" may be there only once in a table")
        }
        tables[tables.count - 1].lines[key] = begun
      }
      try endLine()
    }
  }

  private mutating func header() throws(Fault) -> Table {
    let begun = line
    place += 1
    if peek == UInt8(ascii: "[") { throw fault("arrays of tables are not used here") }
    var path: [String] = []
    repeat {
      skipBlank()
      path.append(try key())
      skipBlank()
    } while take(UInt8(ascii: "."))
    guard take(UInt8(ascii: "]")) else { throw fault("a table's name ends with ]") }
    return Table(path: path, line: begun)
  }

  private mutating func key() throws(Fault) -> String {
    if peek == UInt8(ascii: "\"") || peek == UInt8(ascii: "'") { return try string() }
    let first = place
    while let next = peek, Self.isBare(next) { place += 1 }
    guard place > first else { throw fault("a name is wanted here") }
    return String(decoding: bytes[first..<place], as: UTF8.self)
  }

  private mutating func value() throws(Fault) -> Value {
    skipBlank()
    switch peek {
    case UInt8(ascii: "\""), UInt8(ascii: "'"): return .text(try string())
    case UInt8(ascii: "["): return .texts(try array())
    case UInt8(ascii: "t") where takeWord("true"): return .boolean(true)
    case UInt8(ascii: "f") where takeWord("false"): return .boolean(false)
    case let next? where hasNumbers && (next == 0x2B || next == 0x2D || (0x30...0x39).contains(next)): return .number(try number())
    default:
      throw fault("a string in quotes, a list of them, true or false\(hasNumbers ? ", or a whole number" : "") is wanted here")
    }
  }

  /// Decimal, with a sign and underscores between digits, as TOML has them.
  private mutating func number() throws(Fault) -> Int {
    let first = place
    while let next = peek, Self.isBare(next) || next == 0x2B || next == 0x2E || next == 0x3A { place += 1 }
    let text = String(decoding: bytes[first..<place], as: UTF8.self)
    let digits = text.hasPrefix("+") || text.hasPrefix("-") ? text.dropFirst() : text[...]
    let groups = digits.split(separator: "_", omittingEmptySubsequences: false)
    guard groups.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }),
      digits == "0" || !digits.hasPrefix("0")
    else { throw fault("\(text) is no whole number, of digits alone") }
    guard let value = Int(text.filter { $0 != "_" }) else { throw fault("\(text) is too great") }
    return value
  }

  private mutating func array() throws(Fault) -> [String] {
    place += 1
    var texts: [String] = []
    while true {
      skipBlank(lines: true)
      if take(UInt8(ascii: "]")) { return texts }
      texts.append(try string())
      skipBlank(lines: true)
      if take(UInt8(ascii: ",")) { continue }
      guard take(UInt8(ascii: "]")) else { throw fault("a list has commas between its strings and ends with ]") }
      return texts
    }
  }

  private mutating func string() throws(Fault) -> String {
    guard let quote = peek, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
      throw fault("a string in quotes is wanted here")
    }
    place += 1
    var text: [UInt8] = []
    while let next = peek {
      if next == quote {
        place += 1
        if text.isEmpty, peek == quote { throw fault("strings of several lines are not used here") }
        guard let valid = String(validating: text, as: UTF8.self) else { throw fault("that is not UTF-8") }
        return valid
      }
      guard next >= 0x20 || next == 0x09, next != 0x7F else { break }
      place += 1
      text += next == UInt8(ascii: "\\") && quote == UInt8(ascii: "\"") ? try escaped() : [next]
    }
    throw fault("a string ends with its quote, in the same line")
  }

  private mutating func escaped() throws(Fault) -> [UInt8] {
    guard let next = peek else { throw fault("something is wanted after the backslash") }
    place += 1
    switch next {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): return [next]
    case UInt8(ascii: "n"): return [0x0A]
    case UInt8(ascii: "r"): return [0x0D]
    case UInt8(ascii: "t"): return [0x09]
    case UInt8(ascii: "b"): return [0x08]
    case UInt8(ascii: "f"): return [0x0C]
    case UInt8(ascii: "u"), UInt8(ascii: "U"):
      let count = next == UInt8(ascii: "u") ? 4 : 8
      let digits = String(decoding: bytes[place...].prefix(count), as: UTF8.self)
      guard digits.utf8.count == count, let number = UInt32(digits, radix: 16), let scalar = Unicode.Scalar(number),
        number != 0
      else { throw fault("\\\(Character(Unicode.Scalar(next))) is followed by the \(count) digits of a character") }
      place += count
      return Array(String(Character(scalar)).utf8)
    default: throw fault("there is no escape \\\(Character(Unicode.Scalar(next)))")
    }
  }

  private mutating func endLine() throws(Fault) {
    skipBlank()
    guard peek == nil || peek == 0x0A else { throw fault("the line should end here") }
  }

  /// Spaces, and with `lines` whole lines and comments.
  private mutating func skipBlank(lines: Bool = false) {
    while let next = peek {
      switch next {
      case UInt8(ascii: " "), 0x09: place += 1
      case 0x0D where bytes.dropFirst(place + 1).first == 0x0A: place += 1
      case UInt8(ascii: "#"): while let inside = peek, inside != 0x0A { place += 1 }
      case 0x0A where lines:
        place += 1
        line += 1
      default: return
      }
    }
  }

  private var peek: UInt8? { place < bytes.count ? bytes[place] : nil }

  private mutating func take(_ byte: UInt8) -> Bool {
    guard peek == byte else { return false }
    place += 1
    return true
  }

  private mutating func takeWord(_ word: String) -> Bool {
    guard bytes[place...].starts(with: word.utf8) else { return false }
    if let next = bytes.dropFirst(place + word.utf8.count).first, Self.isBare(next) { return false }
    place += word.utf8.count
    return true
  }

  private static func isBare(_ byte: UInt8) -> Bool {
    (0x61...0x7A).contains(byte) || (0x41...0x5A).contains(byte) || (0x30...0x39).contains(byte) || byte == 0x2D
      || byte == 0x5F
  }

  private func fault(_ message: String) -> Fault { Fault(line: line, message: message) }
}
