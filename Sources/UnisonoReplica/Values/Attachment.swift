import UnisonoBase

/// SHA-256 of a content, 32 bytes: the name of an attachment.
package struct AttachmentID: Hashable, Comparable, Sendable, CustomStringConvertible {
  package static let length = 32
  package let bytes: [UInt8]

  /// nil unless there are exactly 32 bytes.
  package init?(_ bytes: [UInt8]) {
    guard bytes.count == Self.length else { return nil }
    self.bytes = bytes
  }

  /// Of nothing that has an id yet.
  package static let none = Self(zeros: ())

  private init(zeros: ()) { bytes = [UInt8](repeating: 0, count: Self.length) }

  package static func < (left: Self, right: Self) -> Bool { left.bytes.lexicographicallyPrecedes(right.bytes) }

  /// The first eight bytes, in hexadecimal digits.
  package var description: String {
    let digits: [UInt8] = Array("0123456789abcdef".utf8)
    var text: [UInt8] = []
    for byte in bytes.prefix(8) { text += [digits[Int(byte >> 4)], digits[Int(byte & 15)]] }
    return String(decoding: text, as: UTF8.self)
  }
}

/// One of the 16 places that each participant has for what it offers: a register of its own.
package struct AttachmentSlot: Hashable, Comparable, Sendable {
  package var author: ParticipantID
  /// 0...15.
  package var number: UInt8

  package init(author: ParticipantID, number: UInt8) {
    self.author = author
    self.number = number
  }

  package static func < (left: Self, right: Self) -> Bool { (left.author, left.number) < (right.author, right.number) }
}

/// What a participant offers to the group: a content, and what it says of it.
package struct AttachmentValue: Equatable, Sendable {
  package var id: AttachmentID
  /// 1...255 bytes, without a folder.
  package var name: String
  /// Such as "image/png"; empty: not said.
  package var type: String
  /// 0...100,000,000 bytes.
  package var size: UInt64

  package init(id: AttachmentID, name: String, type: String = "", size: UInt64) {
    self.id = id
    self.name = name
    self.type = type
    self.size = size
  }

  /// Whether a name can be that of a file in any folder, and be shown as it is.
  package static func isPlain(name: String) -> Bool {
    !name.isEmpty && name != "." && name != ".." && VisibleText.isPlain(name) && name.utf8.allSatisfy(isOfName)
  }

  /// The name with "_" in place of what separates folders and drives, and U+FFFD in place of what cannot be shown.
  package static func plain(name: String) -> String {
    if isPlain(name: name) { return name }
    if name.isEmpty || name == "." || name == ".." { return "_" }
    let bytes = VisibleText.plain(name).utf8.map { isOfName($0) ? $0 : UInt8(0x5F) }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Neither "/" nor "\" nor ":".
  private static func isOfName(_ byte: UInt8) -> Bool { byte != 0x2F && byte != 0x5C && byte != 0x3A }
}

/// What members say to each other to hand an attachment over.
package enum AttachmentSaying: Equatable, Sendable {
  package enum Reason: UInt8, Sendable {
    /// The bytes are not here.
    case notHere = 1
    /// Too many others are given something just now.
    case busy = 2
  }

  /// Asks for `count` pieces from `offset` on.
  case fetch(AttachmentID, offset: UInt64, count: UInt8)
  case chunk(AttachmentID, offset: UInt64, bytes: [UInt8])
  /// The answer to who asked and gets nothing.
  case refusal(AttachmentID, Reason)
}
