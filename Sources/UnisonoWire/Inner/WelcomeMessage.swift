import UnisonoBase

/// A member's answer to a hello: the content key, with what proves that it is the group's.
package struct WelcomeMessage: Equatable, Sendable {
  /// The welcomer's own INTRO.
  package var intro: [UInt8]
  /// X-Wing encapsulated key(1120) ‖ a `WelcomeText`, for the newcomer alone.
  package var sealed: [UInt8]

  package init(intro: [UInt8], sealed: [UInt8]) {
    self.intro = intro
    self.sealed = sealed
  }

  init(_ reader: ByteReader) throws(WireError) {
    var intro: [UInt8]?
    var sealed: [UInt8]?
    var items = Items(reader)
    while let item = try items.next() {
      switch item.tag {
      case 1: intro = try item.bytes(upTo: WireLimits.intro)
      case 2: sealed = try item.bytes(upTo: WireLimits.content)
      default: try item.unknown()
      }
    }
    self.intro = try intro.required()
    self.sealed = try sealed.required()
  }

  func write(to writer: inout ItemWriter) {
    writer.item(1, intro)
    writer.item(2, sealed)
  }
}

/// What a welcome hands over beside the content key, which is item 2 and not kept here: it is a secret.
package struct WelcomeText: Equatable, Sendable {
  package static let keyLength = 32

  /// The roster record that the key belongs to.
  package var record: [UInt8]
  /// The founding record, and the records by which the welcomer and the record's author came in, by number.
  package var proof: [[UInt8]]
  package var levels: [[UInt8]]
  /// INTROs of the authors of all that, and of others on the roster, as many as fit.
  package var intros: [[UInt8]]
  /// Who can read, in order.
  package var roster: [ParticipantID]
  /// The records between the one that the asker knows and this one.
  package var since: [[UInt8]]

  package init(
    record: [UInt8], proof: [[UInt8]] = [], levels: [[UInt8]] = [], intros: [[UInt8]] = [], roster: [ParticipantID] = [],
    since: [[UInt8]] = []
  ) {
    self.record = record
    self.proof = proof
    self.levels = levels
    self.intros = intros
    self.roster = roster
    self.since = since
  }

  /// Before the key's value: item 1, and the tag and length of item 2.
  package var head: [UInt8] {
    var writer = ItemWriter()
    writer.item(1, record)
    return writer.bytes + [2, 0, 0, UInt8(Self.keyLength)]
  }

  /// After the key's value.
  package var tail: [UInt8] {
    var writer = ItemWriter()
    for record in proof { writer.item(3, record) }
    for level in levels { writer.item(4, level) }
    for intro in intros { writer.item(5, intro) }
    writer.item(6) { for id in roster { $0.identifier(id) } }
    for record in since { writer.item(7, record) }
    return writer.bytes
  }

  /// Where the key begins in a text that starts with these bytes; nil: nowhere.
  package static func keyOffset(_ start: some Collection<UInt8>) -> Int? {
    let first = Array(start.prefix(4))
    guard first.count == 4, first[0] == 1 else { return nil }
    let length = Int(first[1]) << 16 | Int(first[2]) << 8 | Int(first[3])
    let head = Array(start.dropFirst(4 + length).prefix(4))
    return head == [2, 0, 0, UInt8(keyLength)] ? 8 + length : nil
  }

  /// Reads all but the key, in whose place zeros are.
  package init(reading bytes: [UInt8]) throws(WireError) {
    var record: [UInt8]?
    var roster: [ParticipantID]?
    proof = []
    levels = []
    intros = []
    since = []
    var items = Items(bytes, lists: [3, 4, 5, 7])
    while let item = try items.next() {
      switch item.tag {
      case 1: record = try item.bytes(upTo: WireLimits.rosterRecord)
      case 2: _ = try item.bytes(exactly: Self.keyLength)
      case 3: try item.bytes(upTo: WireLimits.rosterRecord, appendedTo: &proof, atMost: 3 * WireLimits.proof + 1)
      case 4: try item.bytes(upTo: WireLimits.policyLevel, appendedTo: &levels, atMost: WireLimits.policyLevels)
      case 5: try item.bytes(upTo: WireLimits.intro, appendedTo: &intros, atMost: WireLimits.introsPerMessage)
      case 6:
        roster = try item.elements(
          of: 16, upTo: WireLimits.roster, { (reader) throws(WireError) in try reader.identifier() },
          ascending: { _, _ in true })
      case 7: try item.bytes(upTo: WireLimits.rosterRecord, appendedTo: &since, atMost: WireLimits.recordsPerMessage)
      default: try item.unknown()
      }
    }
    self.record = try record.required()
    self.roster = try roster.required()
    guard Set(self.roster).count == self.roster.count else { throw .range }
  }
}
