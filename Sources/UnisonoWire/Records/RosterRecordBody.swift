import UnisonoBase

/// What the author of a roster record signs: who may read from it on (wire 6.1).
///
/// Every body has one spelling, so that what is hashed can be made again from its fields.
package struct RosterRecordBody: Hashable, Sendable {
  package enum Kind: UInt8, Sendable {
    /// Begins a room: its roster is everybody named here.
    case founding = 0
    /// Follows another record, and adds to its roster.
    case step = 1
    /// Begins a room where nobody could show a founding record.
    case unproven = 2
  }

  package var kind: Kind
  /// nil: a founding record.
  package var parent: RecordID?
  /// One more than the parent's; a founding record's is 0.
  package var number: UInt32
  package var author: ParticipantID
  /// Who comes in, by seniority: 1-512 in a founding record, 0-32 in a step.
  package var admitted: [ParticipantID]
  /// H(ids of the whole roster, in order), 32 bytes.
  package var rosterHash: [UInt8]
  /// The policy that the founding record's level stands on; nil: a step.
  package var policy: PolicyID?
  /// What a holder of the content key can compare it with, 32 bytes.
  package var commit: [UInt8]

  package init(
    kind: Kind, parent: RecordID? = nil, number: UInt32 = 0, author: ParticipantID, admitted: [ParticipantID],
    rosterHash: [UInt8], policy: PolicyID? = nil, commit: [UInt8] = []
  ) {
    self.kind = kind
    self.parent = parent
    self.number = number
    self.author = author
    self.admitted = admitted
    self.rosterHash = rosterHash
    self.policy = policy
    self.commit = commit
  }

  /// Items 1-6: what the content key of a step is made from.
  package var derivedFrom: [UInt8] { writer.bytes }

  /// Items 1-7: what the commitment covers beside the key.
  package var committed: [UInt8] {
    var writer = writer
    if let policy { writer.identifier(7, policy) }
    return writer.bytes
  }

  package var bytes: [UInt8] {
    var writer = writer
    if let policy { writer.identifier(7, policy) }
    writer.item(8, commit)
    return writer.bytes
  }

  private var writer: ItemWriter {
    var writer = ItemWriter()
    writer.integer(1, kind.rawValue)
    if let parent { writer.item(2, parent.bytes) }
    writer.integer(3, number)
    writer.identifier(4, author)
    writer.item(5) { for id in admitted { $0.identifier(id) } }
    writer.item(6, rosterHash)
    return writer
  }

  /// Reads one. Throws what is wrong with it by itself; its place among others is not judged.
  package init(reading bytes: [UInt8]) throws(WireError) {
    var kind: Kind?
    var number: UInt32?
    var author: ParticipantID?
    var admitted: [ParticipantID]?
    var rosterHash: [UInt8]?
    var commit: [UInt8]?
    var items = Items(bytes)
    while let item = try items.next() {
      switch item.tag {
      case 1: kind = Kind(rawValue: try item.integer())
      case 2: parent = RecordID(bytes: try item.bytes(exactly: RecordID.length))
      case 3: number = try item.integer()
      case 4: author = try item.identifier()
      case 5:
        admitted = try item.elements(
          of: 16, upTo: WireLimits.roster, { (reader) throws(WireError) in try reader.identifier() },
          ascending: { _, _ in true })
      case 6: rosterHash = try item.bytes(exactly: 32)
      case 7: policy = try item.identifier()
      case 8: commit = try item.bytes(exactly: 32)
      // A key is derived from these bytes, so a later version cannot add to them.
      default: throw .order
      }
    }
    self.kind = try kind.required()
    self.number = try number.required()
    self.author = try author.required()
    self.admitted = try admitted.required()
    self.rosterHash = try rosterHash.required()
    self.commit = try commit.required()
    guard Set(self.admitted).count == self.admitted.count, !self.admitted.contains(.none), self.author != .none else {
      throw .range
    }
    if self.kind == .step {
      guard parent != nil, policy == nil, self.number > 0, self.admitted.count <= WireLimits.admitted else { throw .range }
    } else {
      guard parent == nil, policy != nil, self.number == 0, !self.admitted.isEmpty else { throw .range }
    }
  }
}
