import UnisonoBase

/// What a listener says to the publishers (wire 8.28): that it wants to speak, something in writing, or a question for group time.
package struct HandMessage: Equatable, Sendable {
  package enum Word: UInt8, Sendable {
    /// It wants to be invited into the session.
    case asks = 1
    case says
    /// No word of anybody: it wants to know when this came, in group time.
    case time
  }

  /// A listener says each word at most once in so long.
  package static let pause = Nanoseconds.seconds(5)
  /// Bytes of UTF-8.
  package static let longestText = 255

  /// Signing key of who says it, 32 bytes: its id is the key's hash.
  package var key: [UInt8]
  package var word: Word
  /// "": it says nothing with it.
  package var text: String
  /// Ascending with what this listener says.
  package var number: UInt32
  /// X-Wing key that an invite is sealed to, 1,216 bytes; nil: it does not ask for one.
  package var inviteKey: [UInt8]?

  package init(key: [UInt8], word: Word, text: String, number: UInt32, inviteKey: [UInt8]?) {
    self.key = key
    self.word = word
    self.text = text
    self.number = number
    self.inviteKey = inviteKey
  }

  init(_ reader: ByteReader) throws(WireError) {
    var key: [UInt8]?
    var word: Word?
    var text: String?
    var number: UInt32?
    var inviteKey: [UInt8]?
    var items = Items(reader)
    while let item = try items.next() {
      switch item.tag {
      case 1: key = try item.bytes(exactly: 32)
      case 2:
        word = Word(rawValue: try item.integer())
        guard word != nil else { throw .range }
      case 3: text = try item.text(1, upTo: Self.longestText)
      case 4: number = try item.integer()
      case 5: inviteKey = try item.bytes(exactly: 1_216)
      default: try item.unknown()
      }
    }
    self.init(
      key: try key.required(), word: try word.required(), text: text ?? "", number: try number.required(), inviteKey: inviteKey)
    if self.word == .says { _ = try text.required() }
    if self.word == .time, text != nil { throw .range }
    if (self.word == .asks) != (inviteKey != nil) { throw .range }
  }

  func write(to writer: inout ItemWriter) {
    writer.item(1, key)
    writer.integer(2, word.rawValue)
    if !text.isEmpty { writer.text(3, text) }
    writer.integer(4, number)
    if let inviteKey { writer.item(5, inviteKey) }
  }
}
