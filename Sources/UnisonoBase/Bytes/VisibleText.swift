/// Texts for people: names, titles, what somebody wrote (wire 11).
///
/// Controls, ends of lines and paragraphs, marks that turn the direction of writing and noncharacters can steer a terminal, or make one
/// text look like another. Nobody sends such; what comes with them all the same is shown without.
package enum VisibleText {
  /// Whether a text can be shown as it is.
  package static func isPlain(_ text: String) -> Bool { text.unicodeScalars.allSatisfy { isVisible($0.value) } }

  /// The text with U+FFFD in place of each scalar that cannot be shown as it is.
  package static func plain(_ text: String) -> String {
    if isPlain(text) { return text }
    var plain = String.UnicodeScalarView()
    for scalar in text.unicodeScalars { plain.append(isVisible(scalar.value) ? scalar : "\u{FFFD}") }
    return String(plain)
  }

  /// Whether a text of several lines can be shown as it is.
  package static func arePlain(lines text: String) -> Bool { text.unicodeScalars.allSatisfy { isOfLines($0.value) } }

  /// The same for a text that may have several lines, each ended by U+000A.
  package static func plain(lines text: String) -> String {
    if arePlain(lines: text) { return text }
    var plain = String.UnicodeScalarView()
    for scalar in text.unicodeScalars { plain.append(isOfLines(scalar.value) ? scalar : "\u{FFFD}") }
    return String(plain)
  }

  private static func isOfLines(_ scalar: UInt32) -> Bool { scalar == 0x0A || isVisible(scalar) }

  private static func isVisible(_ scalar: UInt32) -> Bool {
    switch scalar {
    case 0..<0x20, 0x7F..<0xA0, 0x061C, 0x200E, 0x200F, 0x2028, 0x2029, 0x202A...0x202E, 0x2066...0x2069, 0xFDD0...0xFDEF: false
    default: scalar & 0xFFFE != 0xFFFE
    }
  }
}
