/// A line of text in parts, each of one style.
struct StyledLine: Equatable {
  enum Style: String {
    case plain = "0"
    case faint = "2"
    case good = "32"
    case doubtful = "33"
    case bad = "31"
    case title = "36"
  }

  struct Part: Equatable {
    var style: Style
    var text: String
  }

  private(set) var parts: [Part] = []

  init(_ style: Style = .plain, _ text: String = "") { add(style, text) }

  mutating func add(_ style: Style, _ text: String) {
    if !text.isEmpty { parts.append(Part(style: style, text: text)) }
  }

  var text: String { parts.reduce(into: "") { $0 += $1.text } }

  /// At most so many columns; without colour not a byte that controls a terminal.
  func written(columns: Int, colour: Bool) -> String {
    var room = columns
    var line = ""
    for part in parts where room > 0 {
      let width = ColumnText.width(part.text)
      let text = width <= room ? part.text : ColumnText.fit(part.text, room)
      room -= min(width, room)
      line += colour && part.style != .plain ? "\u{1B}[\(part.style.rawValue)m\(text)\u{1B}[0m" : text
    }
    return line
  }
}
