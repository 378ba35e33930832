import UnisonoBase

/// The room moves: to all by who moves it, or to one who missed that by the doorkeeper (wire 6.3, 6.4); and the
/// doorkeeper's notice that it moved.
package struct RekeyMessage: Equatable, Sendable {
  /// id(16) ‖ HPKE of door secret and content key(112).
  package static let wrapLength = 128

  /// At the door only: the sender's own INTRO, first as in every door message.
  package var intro: [UInt8]?
  /// The policy that says where to.
  package var levels: [[UInt8]]
  /// One for each who may follow; at the door one, with the sender's id, or none: a notice.
  package var wraps: [[UInt8]]
  /// In a notice, INTROs of the levels' authors, but for the sender's: who reads it may know none of them.
  package var authors: [[UInt8]]
  /// In a notice: nobody keeps this door any more, so that those who were away are no better off than strangers.
  package var isFinal: Bool

  package init(
    intro: [UInt8]? = nil, levels: [[UInt8]], wraps: [[UInt8]], authors: [[UInt8]] = [], isFinal: Bool = false
  ) {
    self.intro = intro
    self.levels = levels
    self.wraps = wraps
    self.authors = authors
    self.isFinal = isFinal
  }

  /// The first item tells the two forms apart: an INTRO, or a level, both made of items; at the door the wrap comes before
  /// the levels. Throws what is wrong.
  init(_ reader: ByteReader) throws(WireError) {
    var first: [[UInt8]] = []
    var second: [[UInt8]] = []
    var third: [[UInt8]] = []
    var fourth: [[UInt8]] = []
    isFinal = false
    var items = Items(reader, lists: [1, 2, 3, 4])
    while let item = try items.next() {
      switch item.tag {
      case 1:
        guard first.count < WireLimits.policyLevels else { throw .count }
        first.append(try item.bytes(upTo: WireLimits.policyLevel))
      case 2:
        guard second.count < WireLimits.participants else { throw .count }
        second.append(try item.bytes(exactly: Self.wrapLength))
      case 3:
        guard third.count < WireLimits.policyLevels else { throw .count }
        third.append(try item.bytes(upTo: WireLimits.policyLevel))
      case 4:
        guard fourth.count < WireLimits.policyLevels else { throw .count }
        fourth.append(try item.bytes(upTo: WireLimits.intro))
      case 5: isFinal = try item.boolean()
      default: try item.unknown()
      }
    }
    wraps = second
    authors = fourth
    guard !third.isEmpty else {
      guard !first.isEmpty else { throw .truncated }
      guard fourth.isEmpty, !isFinal else { throw .range }
      levels = first
      return
    }
    guard first.count == 1, second.count <= 1, first[0].count <= WireLimits.intro,
      second.isEmpty || fourth.isEmpty && !isFinal
    else { throw .range }
    intro = first[0]
    levels = third
  }

  func write(to writer: inout ItemWriter) {
    if let intro { writer.item(1, intro) } else { for level in levels { writer.item(1, level) } }
    for wrap in wraps { writer.item(2, wrap) }
    if intro != nil { for level in levels { writer.item(3, level) } }
    for author in authors { writer.item(4, author) }
    if isFinal { writer.boolean(5, true) }
  }
}
