/// The name of a coordinator of a session beside its first one, which has none: those that are called the same share items, byte by byte.
package struct CoordinatorName: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// UTF-8 without control characters, 1...32 bytes.
  package let utf8: [UInt8]

  package static let maximumLength = 32
  /// Of one participant at a time.
  package static let mostOpen = 8

  /// nil: it is none.
  package init?(utf8: [UInt8]) {
    guard !utf8.isEmpty, utf8.count <= Self.maximumLength, let text = String(validating: utf8, as: UTF8.self),
      !text.unicodeScalars.contains(where: { $0.value < 0x20 || (0x7F...0x9F).contains($0.value) })
    else { return nil }
    self.utf8 = utf8
  }

  package init?(_ text: String) { self.init(utf8: Array(text.utf8)) }

  package var description: String { String(decoding: utf8, as: UTF8.self) }

  package static func < (left: Self, right: Self) -> Bool { left.utf8.lexicographicallyPrecedes(right.utf8) }
}
