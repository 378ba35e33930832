import UnisonoBase

/// A member's answer to a hello that it cannot grant.
package struct DeclineMessage: Equatable, Sendable {
  /// The sender's own INTRO, always the first item of a door message.
  package var intro: [UInt8]
  package var reason: Reason

  package enum Reason: UInt8, Sendable {
    /// Or a reason that this version does not know.
    case other = 0
    /// As many participants are there as a session can have.
    case full = 1
  }

  package init(intro: [UInt8], reason: Reason) {
    self.intro = intro
    self.reason = reason
  }

  init(_ reader: ByteReader) throws(WireError) {
    var intro: [UInt8]?
    reason = .other
    var items = Items(reader)
    while let item = try items.next() {
      switch item.tag {
      case 1: intro = try item.bytes(upTo: WireLimits.intro)
      case 2: reason = Reason(rawValue: try item.integer()) ?? .other
      default: try item.unknown()
      }
    }
    self.intro = try intro.required()
  }

  func write(to writer: inout ItemWriter) {
    writer.item(1, intro)
    if reason != .other { writer.integer(2, reason.rawValue) }
  }
}
