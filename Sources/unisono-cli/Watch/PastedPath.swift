/// A path as a person types it, pastes it or drags it into a terminal: perhaps in quotes, with spaces around, or with ~ in front.
struct PastedPath: Equatable {
  var path: String

  /// nil: there is nothing in it.
  init?(_ text: String, home: String) {
    var text = Self.trimmed(text)
    if text.hasPrefix("file:///") { text = String(text.dropFirst("file://".count)) }
    if text.count >= 2, let quote = text.first, quote == text.last, quote == "'" || quote == "\"" {
      text = String(text.dropFirst().dropLast())
    } else {
      text = Self.unescaped(text)
    }
    if text.hasPrefix("~/") { text = home + text.dropFirst() }
    guard !text.isEmpty else { return nil }
    path = text
  }

  private static func trimmed(_ text: String) -> String {
    let start = text.drop { $0 == " " || $0 == "\t" }
    guard let last = start.lastIndex(where: { $0 != " " && $0 != "\t" }) else { return "" }
    // A space that is escaped belongs to the name.
    let end = start[last] == "\\" && last < start.index(before: start.endIndex) ? start.index(after: last) : last
    return String(start[...end])
  }

  /// As a shell would: a backslash stands for what comes after it.
  private static func unescaped(_ text: String) -> String {
    var isEscaped = false
    return text.reduce(into: "") { plain, character in
      if character == "\\", !isEscaped {
        isEscaped = true
      } else {
        plain.append(character)
        isEscaped = false
      }
    }
  }
}
