import UnisonoBase

/// Roster records, and INTROs of those on them, for members who do not know them yet.
package struct EpochMessage: Equatable, Sendable {
  /// Each after the one that it follows.
  package var records: [[UInt8]]
  package var intros: [[UInt8]]

  package init(records: [[UInt8]] = [], intros: [[UInt8]] = []) {
    self.records = records
    self.intros = intros
  }

  init(_ reader: ByteReader) throws(WireError) {
    records = []
    intros = []
    var items = Items(reader, lists: [1, 2])
    while let item = try items.next() {
      switch item.tag {
      case 1: try item.bytes(upTo: WireLimits.rosterRecord, appendedTo: &records, atMost: WireLimits.recordsPerMessage)
      case 2: try item.bytes(upTo: WireLimits.intro, appendedTo: &intros, atMost: WireLimits.introsPerMessage)
      default: try item.unknown()
      }
    }
  }

  func write(to writer: inout ItemWriter) {
    for record in records { writer.item(1, record) }
    for intro in intros { writer.item(2, intro) }
  }
}

/// Asks a member for what its frames cannot be read without.
package struct AskMessage: Equatable, Sendable {
  /// Epoch that the sender does not know; nil: none.
  package var epoch: EpochID?
  /// The record that the sender speaks in.
  package var known: RecordID
  /// Members whose INTROs the sender does not have.
  package var strangers: [ParticipantID]

  package init(epoch: EpochID? = nil, known: RecordID, strangers: [ParticipantID] = []) {
    self.epoch = epoch
    self.known = known
    self.strangers = strangers
  }

  init(_ reader: ByteReader) throws(WireError) {
    var known: RecordID?
    epoch = nil
    strangers = []
    var items = Items(reader)
    while let item = try items.next() {
      switch item.tag {
      case 1: epoch = EpochID(bytes: try item.bytes(exactly: EpochID.length))
      case 2: known = RecordID(bytes: try item.bytes(exactly: RecordID.length))
      case 3: strangers = try item.identifiers(upTo: WireLimits.roster)
      default: try item.unknown()
      }
    }
    self.known = try known.required()
  }

  func write(to writer: inout ItemWriter) {
    if let epoch { writer.item(1, epoch.bytes) }
    writer.item(2, known.bytes)
    if !strangers.isEmpty { writer.identifiers(3, strangers) }
  }
}
