/// Values as JSON, RFC 8259.
enum JSONText {
  /// What is no scalar of Unicode cannot be in a String, so this is all there is to escape; of TOML it is a string, too.
  static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": quoted += "\\\(scalar)"
      case "\n": quoted += "\\n"
      case "\u{0}"..<"\u{20}", "\u{7F}":
        let digits = String(scalar.value, radix: 16)
        quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }

  static func list(_ values: [String]) -> String { "[" + values.joined(separator: ",") + "]" }

  /// Values are JSON already; nil: null.
  static func object(_ members: [(String, String?)]) -> String {
    "{" + members.map { "\(quoted($0.0)):\($0.1 ?? "null")" }.joined(separator: ",") + "}"
  }

  /// Nanoseconds as seconds.
  static func seconds(_ time: Int64?) -> String? { time.map { String(Double($0) / 1e9) } }
}
