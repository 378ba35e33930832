import UnisonoBase
import UnisonoReplica

/// A member's answer to a hello that it cannot grant; or, as notice at a door, that the session was ended.
package struct DeclineMessage: Equatable, Sendable {
  /// The sender's own INTRO, always the first item of a door message.
  package var intro: [UInt8]
  package var reason: Reason
  /// In a notice: the policy in force, INTROs of the levels' authors but for the sender's, and the sender's statement that ended
  /// the session.
  package var levels: [[UInt8]]
  package var authors: [[UInt8]]
  package var end: SignedStatement?

  package enum Reason: UInt8, Sendable {
    /// Or a reason that this version does not know.
    case other = 0
    /// As many participants are there as a session can have.
    case full = 1
    /// The session was ended for everybody.
    case ended = 2
    /// An owner closed the group: nobody new is let in.
    case closed = 3
  }

  package init(
    intro: [UInt8], reason: Reason, levels: [[UInt8]] = [], authors: [[UInt8]] = [], end: SignedStatement? = nil
  ) {
    self.intro = intro
    self.reason = reason
    self.levels = levels
    self.authors = authors
    self.end = end
  }

  init(_ reader: ByteReader) throws(WireError) {
    var intro: [UInt8]?
    reason = .other
    levels = []
    authors = []
    var items = Items(reader, lists: [3, 4])
    while let item = try items.next() {
      switch item.tag {
      case 1: intro = try item.bytes(upTo: WireLimits.intro)
      case 2: reason = Reason(rawValue: try item.integer()) ?? .other
      case 3: try item.bytes(upTo: WireLimits.policyLevel, appendedTo: &levels, atMost: WireLimits.policyLevels)
      case 4: try item.bytes(upTo: WireLimits.intro, appendedTo: &authors, atMost: WireLimits.policyLevels)
      case 5: end = try StatementLists.statement(item)
      default: try item.unknown()
      }
    }
    self.intro = try intro.required()
    guard (reason == .ended) == (end != nil), end != nil || levels.isEmpty && authors.isEmpty else { throw .range }
  }

  func write(to writer: inout ItemWriter) {
    writer.item(1, intro)
    if reason != .other { writer.integer(2, reason.rawValue) }
    for level in levels { writer.item(3, level) }
    for author in authors { writer.item(4, author) }
    if let end { StatementLists.write(end, tag: 5, to: &writer) }
  }
}
