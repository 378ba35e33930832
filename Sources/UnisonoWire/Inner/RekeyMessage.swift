import UnisonoBase

/// The session moves to another room: to all by who moves it, or to one who missed that by the relocation keeper (wire 6.6, 6.8);
/// and the keeper's notice that it moved.
package struct RekeyMessage: Equatable, Sendable {
  /// id(16) ‖ X-Wing encapsulated key(1120) ‖ door secret and content key, sealed(80).
  package static let wrapLength = 1_216

  /// At the door only: the sender's own INTRO, first as in every door message.
  package var intro: [UInt8]?
  /// The policy that says where to.
  package var levels: [[UInt8]]
  /// The founding record of the room; nil: a notice.
  package var record: [UInt8]?
  /// One for each to whom the message goes; at the door one, with the recipient's id, or none: a notice.
  package var wraps: [[UInt8]]
  /// At the door, INTROs of the levels' authors, but for the sender's: who reads it may know none of them.
  package var authors: [[UInt8]]
  /// In a notice: nobody keeps this door any more, so that those who were away are no better off than strangers.
  package var isFinal: Bool

  package init(
    intro: [UInt8]? = nil, levels: [[UInt8]], record: [UInt8]? = nil, wraps: [[UInt8]] = [], authors: [[UInt8]] = [],
    isFinal: Bool = false
  ) {
    self.intro = intro
    self.levels = levels
    self.record = record
    self.wraps = wraps
    self.authors = authors
    self.isFinal = isFinal
  }

  /// Item 1 is an INTRO where levels come as item 4, at the door; else the levels. Throws what is wrong.
  init(_ reader: ByteReader) throws(WireError) {
    var first: [[UInt8]] = []
    var fourth: [[UInt8]] = []
    record = nil
    wraps = []
    authors = []
    isFinal = false
    var items = Items(reader, lists: [1, 3, 4, 5])
    while let item = try items.next() {
      switch item.tag {
      case 1: try item.bytes(upTo: WireLimits.policyLevel, appendedTo: &first, atMost: WireLimits.policyLevels)
      case 2: record = try item.bytes(upTo: WireLimits.rosterRecord)
      case 3:
        guard wraps.count < WireLimits.wrapsPerMessage else { throw .count }
        wraps.append(try item.bytes(exactly: Self.wrapLength))
      case 4: try item.bytes(upTo: WireLimits.policyLevel, appendedTo: &fourth, atMost: WireLimits.policyLevels)
      case 5: try item.bytes(upTo: WireLimits.intro, appendedTo: &authors, atMost: WireLimits.policyLevels)
      case 6: isFinal = try item.boolean()
      default: try item.unknown()
      }
    }
    guard !first.isEmpty else { throw .truncated }
    guard !fourth.isEmpty else {
      guard authors.isEmpty, !isFinal, record != nil else { throw .range }
      levels = first
      return
    }
    guard first.count == 1, first[0].count <= WireLimits.intro, wraps.count <= 1, wraps.isEmpty == (record == nil),
      wraps.isEmpty || !isFinal
    else { throw .range }
    intro = first[0]
    levels = fourth
  }

  func write(to writer: inout ItemWriter) {
    if let intro { writer.item(1, intro) } else { for level in levels { writer.item(1, level) } }
    if let record { writer.item(2, record) }
    for wrap in wraps { writer.item(3, wrap) }
    if intro != nil { for level in levels { writer.item(4, level) } }
    for author in authors { writer.item(5, author) }
    if isFinal { writer.boolean(6, true) }
  }
}
