/// The identifier of an item: the text that the group compares, byte by byte.
///
/// `String` compares by canonical equivalence, under which two different identifiers can be equal; hence bytes.
package struct ItemID: Hashable, Comparable, Sendable, CustomStringConvertible, ExpressibleByStringLiteral {
  /// UTF-8 without NUL, 1...1,023 bytes.
  package let utf8: [UInt8]

  package static let maximumLength = 1_023

  package init(_ text: String) { utf8 = Array(text.utf8) }
  package init(stringLiteral text: String) { self.init(text) }
  package init(utf8: [UInt8]) { self.utf8 = utf8 }

  package var description: String { String(decoding: utf8, as: UTF8.self) }

  /// All bytes at once, instead of one by one.
  package func hash(into hasher: inout Hasher) {
    hasher.combine(utf8.count)
    utf8.withUnsafeBytes { hasher.combine(bytes: $0) }
  }

  package static func < (left: Self, right: Self) -> Bool { left.utf8.lexicographicallyPrecedes(right.utf8) }
}
