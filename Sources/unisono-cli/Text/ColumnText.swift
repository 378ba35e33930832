/// Text in a terminal's columns, where characters of East Asia and emoji take two.
enum ColumnText {
  static func width(_ text: String) -> Int { text.reduce(0) { $0 + width($1) } }

  /// Cut to so many columns, with an ellipsis where something is missing, or filled with spaces.
  static func fit(_ text: String, _ columns: Int, right: Bool = false) -> String {
    var shown = text
    if width(text) > columns {
      guard columns > 0 else { return "" }
      shown = ""
      var room = columns - 1
      for character in text {
        room -= width(character)
        if room < 0 { break }
        shown.append(character)
      }
      shown += "…"
    }
    let rest = String(repeating: " ", count: columns - width(shown))
    return right ? rest + shown : shown + rest
  }

  private static func width(_ character: Character) -> Int {
    guard let first = character.unicodeScalars.first else { return 0 }
    switch first.value {
    // Unicode 15, East_Asian_Width W and F, by their blocks.
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
      0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F680...0x1F6FF, 0x1F900...0x1FAFF, 0x20000...0x3FFFD:
      return 2
    default: return 1
    }
  }
}
