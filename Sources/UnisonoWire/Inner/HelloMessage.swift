import UnisonoBase

/// Asks a member to be let in, or for what the sender missed; sealed with what the invite gives.
package struct HelloMessage: Equatable, Sendable {
  /// Of an X-Wing public key.
  package static let keyLength = 1_216

  /// The sender's own INTRO, always the first item of a door message.
  package var intro: [UInt8]
  /// The roster record that the sender speaks in; nil: it has no content key.
  package var known: RecordID?
  package var reason: Reason
  /// X-Wing key made for this question alone: the answer is sealed to it, and nothing opens that once it is gone.
  package var freshKey: [UInt8]

  package enum Reason: UInt8, Sendable {
    case joining = 0
    /// The sender was away.
    case returning = 1
    /// What the receiver says cannot be read.
    case unreadable = 2
  }

  package init(intro: [UInt8], known: RecordID? = nil, reason: Reason = .joining, freshKey: [UInt8]) {
    self.intro = intro
    self.known = known
    self.reason = reason
    self.freshKey = freshKey
  }

  init(_ reader: ByteReader) throws(WireError) {
    var intro: [UInt8]?
    var freshKey: [UInt8]?
    known = nil
    reason = .joining
    var items = Items(reader)
    while let item = try items.next() {
      switch item.tag {
      case 1: intro = try item.bytes(upTo: WireLimits.intro)
      case 2: known = RecordID(bytes: try item.bytes(exactly: RecordID.length))
      case 3: reason = Reason(rawValue: try item.integer()) ?? .joining
      case 4: freshKey = try item.bytes(exactly: Self.keyLength)
      default: try item.unknown()
      }
    }
    self.intro = try intro.required()
    self.freshKey = try freshKey.required()
  }

  func write(to writer: inout ItemWriter) {
    writer.item(1, intro)
    if let known { writer.item(2, known.bytes) }
    if reason != .joining { writer.integer(3, reason.rawValue) }
    writer.item(4, freshKey)
  }
}
