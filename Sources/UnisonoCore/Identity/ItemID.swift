/// The identifier of an item: the text that the group compares, byte by byte.
///
/// `String` compares by canonical equivalence, under which two different identifiers can be equal; hence bytes.
public struct ItemID: Hashable, Comparable, Sendable, CustomStringConvertible, ExpressibleByStringLiteral {
  /// UTF-8 without NUL, 1...1,023 bytes.
  public let utf8: [UInt8]

  public static let maximumLength = 1_023

  public init(_ text: String) { utf8 = Array(text.utf8) }
  public init(stringLiteral text: String) { self.init(text) }
  public init(utf8: [UInt8]) { self.utf8 = utf8 }

  public var description: String { String(decoding: utf8, as: UTF8.self) }

  public static func < (left: Self, right: Self) -> Bool { left.utf8.lexicographicallyPrecedes(right.utf8) }
}
