import UnisonoBase

/// Asks a member to be let in; sealed with what the invite gives.
package struct HelloMessage: Equatable, Sendable {
  /// The sender's own INTRO, always the first item of a door message.
  package var intro: [UInt8]
  /// The epoch whose key the sender already has.
  package var knownEpoch: EpochID?
  package var reason: Reason
  /// X25519 key made for this question alone: the answer is sealed to it, and nothing opens that once it is gone. nil: to the
  /// INTRO's key, which lives as long as the sender.
  package var freshKey: [UInt8]?

  package enum Reason: UInt8, Sendable {
    case joining = 0
    /// A message named an epoch or a generation that the sender cannot follow.
    case unknownEpoch = 1
    /// The key that another member gave opens nothing.
    case wrongKey = 2
  }

  package init(intro: [UInt8], knownEpoch: EpochID? = nil, reason: Reason = .joining, freshKey: [UInt8]? = nil) {
    self.intro = intro
    self.knownEpoch = knownEpoch
    self.reason = reason
    self.freshKey = freshKey
  }

  init(_ reader: ByteReader) throws(WireError) {
    var intro: [UInt8]?
    knownEpoch = nil
    reason = .joining
    var items = Items(reader)
    while let item = try items.next() {
      switch item.tag {
      case 1: intro = try item.bytes(upTo: WireLimits.intro)
      case 2: knownEpoch = EpochID(bytes: try item.bytes(exactly: 8))
      case 3: reason = Reason(rawValue: try item.integer()) ?? .joining
      case 4: freshKey = try item.bytes(exactly: 32)
      default: try item.unknown()
      }
    }
    self.intro = try intro.required()
  }

  func write(to writer: inout ItemWriter) {
    writer.item(1, intro)
    if let knownEpoch { writer.item(2, knownEpoch.bytes) }
    if reason != .joining { writer.integer(3, reason.rawValue) }
    if let freshKey { writer.item(4, freshKey) }
  }
}
