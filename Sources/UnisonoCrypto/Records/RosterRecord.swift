import UnisonoBase
import UnisonoWire

/// A signed record that says who may read from it on; a content key belongs to each (wire 6).
///
/// A *founding record* begins a room with a roster. A *step* follows another record and adds to its roster; its key is computed from
/// that one's key and the step itself, so who was not told of a newcomer speaks under a key that the newcomer does not have.
package struct RosterRecord: Hashable, Sendable {
  package let body: RosterRecordBody
  /// H of what was signed.
  package let id: RecordID
  /// Body and signature as items: what travels.
  package let bytes: [UInt8]
  private let signature: [UInt8]

  package var epoch: EpochID { id.epoch }
  package var author: ParticipantID { body.author }
  package var number: UInt32 { body.number }

  /// Reads one; its signature is not verified yet. Throws what is wrong with it by itself.
  package init(reading bytes: [UInt8], scope: Scope) throws(WireError) {
    guard bytes.count <= WireLimits.rosterRecord else { throw .count }
    var body: [UInt8]?
    var signature: [UInt8]?
    var items = Items(bytes)
    while let item = try items.next() {
      switch item.tag {
      case 1: body = try item.bytes(upTo: WireLimits.rosterRecord)
      case 2: signature = try item.bytes(exactly: VerifyingKey.signatureLength)
      // Two spellings of one record would be two answers to who said it.
      default: throw .order
      }
    }
    self.body = try RosterRecordBody(reading: try body.required())
    self.signature = try signature.required()
    self.bytes = bytes
    id = Self.id(of: self.body, scope: scope)
  }

  private init(_ body: RosterRecordBody, scope: Scope, author: SigningKey) {
    self.body = body
    id = Self.id(of: body, scope: scope)
    signature = author.sign(.record, scope.bytes + body.bytes)
    var writer = ItemWriter()
    writer.item(1, body.bytes)
    writer.item(2, signature)
    bytes = writer.bytes
  }

  private static func id(of body: RosterRecordBody, scope: Scope) -> RecordID {
    RecordID(bytes: Hash.sha256(Label.record.bytes + scope.bytes + body.bytes)) ?? .none
  }

  /// Begins a room.
  ///
  /// - Parameters:
  ///   - roster: by seniority, the author among them.
  ///   - policy: what the level that names this record stands on; the empty one at a session's beginning.
  ///   - chain: fresh content key.
  package static func founding(
    _ kind: RosterRecordBody.Kind = .founding, roster: [ParticipantID], policy: PolicyID, chain: Secret, scope: Scope,
    author: SigningKey
  ) -> RosterRecord {
    var body = RosterRecordBody(
      kind: kind, author: author.publicKey.participantID, admitted: roster, rosterHash: rosterHash(roster), policy: policy)
    body.commit = ContentKey.commitment(to: chain, of: body, scope: scope)
    return RosterRecord(body, scope: scope, author: author)
  }

  /// A step that lets `admitted` in, and its content key.
  ///
  /// - Parameters:
  ///   - roster: the parent's.
  ///   - chain: the parent's content key.
  package static func step(
    after parent: RosterRecord, roster: [ParticipantID], admitting admitted: [ParticipantID], chain: Secret, scope: Scope,
    author: SigningKey
  ) -> (record: RosterRecord, chain: Secret) {
    var body = RosterRecordBody(
      kind: .step, parent: parent.id, number: parent.number &+ 1, author: author.publicKey.participantID, admitted: admitted,
      rosterHash: rosterHash(roster + admitted))
    let next = ContentKey.next(after: chain, by: body, scope: scope)
    body.commit = ContentKey.commitment(to: next, of: body, scope: scope)
    return (RosterRecord(body, scope: scope, author: author), next)
  }

  /// Whether the holder of `author` signed it; the id in it is compared, too.
  package func isSigned(by author: VerifyingKey, scope: Scope) -> Bool {
    author.participantID == body.author && author.verifies(signature, .record, scope.bytes + body.bytes)
  }

  /// What item 6 of a record with this roster says.
  package static func rosterHash(_ roster: [ParticipantID]) -> [UInt8] { Hash.sha256(roster.flatMap { $0.bytes }) }

  package static func == (left: Self, right: Self) -> Bool { left.id == right.id && left.signature == right.signature }
  package func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

/// Content keys of roster records (wire 6.2).
package enum ContentKey {
  /// The key of a step, from its parent's.
  package static func next(after parent: Secret, by step: RosterRecordBody, scope: Scope) -> Secret {
    parent.expand(.next, scope.bytes + Hash.sha256(step.derivedFrom))
  }

  /// What a record's author shows of its key: holders compare it with theirs.
  package static func commitment(to chain: Secret, of body: RosterRecordBody, scope: Scope) -> [UInt8] {
    chain.expand(.commit, scope.bytes + Hash.sha256(body.committed)).bytes
  }
}
