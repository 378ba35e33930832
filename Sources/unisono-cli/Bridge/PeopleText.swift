import UnisonoBase

/// Who is behind a bridge, as a text.
enum PeopleText {
  private static let bridge = "Unisono"
  /// Characters: what a name list of Syncplay's window shows.
  private static let longest = 60

  /// The bridge's name in a Syncplay room: "Unisono: Ann, Ben", as far as the names fit.
  static func name(of people: [String]) -> String {
    guard !people.isEmpty else { return bridge }
    return "\(bridge): " + list(people, longest: longest - bridge.count - 2)
  }

  /// Whether a user of a room says by its name that it is a bridge.
  static func isBridge(_ name: String) -> Bool { name == bridge || name.hasPrefix("\(bridge): ") }

  /// "Ann, Ben and 3 more"; at least one name, cut where it alone is too long.
  static func list(_ people: [String], longest: Int) -> String {
    for count in stride(from: people.count, to: 0, by: -1) {
      let more = people.count > count ? " and \(people.count - count) more" : ""
      let text = people.prefix(count).joined(separator: ", ") + more
      if text.count <= longest { return text }
      if count == 1 { return people[0].prefix(max(1, longest - more.count)) + more }
    }
    return ""
  }

  /// As many whole characters as fit into so many bytes of UTF-8.
  static func cut(_ text: String, bytes: Int) -> String {
    var (cut, count) = ("", 0)
    for character in text {
      count += character.utf8.count
      if count > bytes { break }
      cut.append(character)
    }
    return cut
  }
}
