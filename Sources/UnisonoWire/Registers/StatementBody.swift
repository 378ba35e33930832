import UnisonoBase
import UnisonoReplica

/// The bytes of a statement that its author signs (wire 8.5).
package enum StatementBody {
  /// Who does not know it must not take the statement for one of the session's first coordinator.
  private static let coordinatorTag: UInt8 = 128

  /// The body of an own statement. Throws what is wrong with its value: a text too long, a number that is none, a
  /// value that does not fit its key. `coordinator`: of whose items it is; nil: the session's first one's.
  package static func encode(_ statement: Statement, of coordinator: CoordinatorName? = nil) throws(WireError) -> [UInt8] {
    let value = try RegisterValueCoding.encode(statement.value, for: statement.key)
    var writer = ItemWriter()
    writer.integer(1, RegisterKeyCoding.number(statement.key))
    let key = RegisterKeyCoding.keyBytes(statement.key)
    if !key.isEmpty { writer.item(2, key) }
    writer.identifier(3, statement.author)
    writer.identifier(4, statement.policy)
    writer.time(5, statement.time)
    writer.item(6, value)
    if let original = statement.original {
      writer.identifier(7, original.author)
      writer.time(8, original.time)
    }
    if let coordinator { writer.item(coordinatorTag, coordinator.utf8) }
    // What could not be read back must not be signed: one check for every limit of the reader.
    guard try decode(writer.bytes, of: coordinator) != nil else { throw .range }
    return writer.bytes
  }

  /// Reads a body; nil: a register that this version does not know. `signed` is left nil: whoever checked the
  /// signature puts the bytes there. Throws for what was said of another coordinator's items than those that are asked for.
  package static func decode(_ body: [UInt8], of coordinator: CoordinatorName? = nil) throws(WireError) -> Statement? {
    guard body.count <= WireLimits.statementBody else { throw .count }
    var number: UInt8?
    var keyReader = ByteReader([])
    var author: ParticipantID?
    var policy: PolicyID?
    var time: Int64?
    var value: Item?
    var originator: ParticipantID?
    var originalTime: Int64?
    var said: CoordinatorName?
    var items = Items(body)
    while let item = try items.next() {
      switch item.tag {
      case 1: number = try item.integer()
      case 2: keyReader = item.value
      case 3: author = try item.identifier()
      case 4: policy = try item.identifier()
      case 5: time = try item.time()
      case 6: value = item
      case 7: originator = try item.identifier()
      case 8: originalTime = try item.time()
      case coordinatorTag: said = try CoordinatorMessage.name(item)
      default: try item.unknown()
      }
    }
    guard let key = try RegisterKeyCoding.key(try number.required(), keyReader) else { return nil }
    guard said == coordinator, coordinator == nil || key.isOfNamedCoordinator else { throw .range }
    return Statement(
      key: key, author: try author.required(), policy: try policy.required(), time: try time.required(),
      value: try RegisterValueCoding.decode(try value.required(), for: key),
      original: try CellCoding.original(originator, originalTime))
  }

  /// What digests hash of a statement (wire 11.3): the body as signed, so that two values with one stamp are not the same. Of what a
  /// participant says of itself its items only, but for where its player is (18, 19): that is told anew every few seconds, and on a long
  /// path it is always on its way to somebody. As they were signed, so that items of a later version count, too.
  @Sendable package static func digestInput(of statement: Statement) -> [UInt8] { digestInput(of: statement, of: nil) }

  /// The same of a statement about a named coordinator's items.
  package static func digestInput(of statement: Statement, of coordinator: CoordinatorName?) -> [UInt8] {
    guard case .participant(let value) = statement.value else {
      // What cannot be encoded is not said to anybody.
      return statement.signed?.body ?? (try? encode(statement, of: coordinator)) ?? []
    }
    var writer = ByteWriter()
    writer.integer(RegisterKeyCoding.number(statement.key))
    writer.append(RegisterKeyCoding.keyBytes(statement.key))
    writer.append(lastingItems(of: value, in: statement.signed))
    return writer.bytes
  }

  private static func lastingItems(of value: ParticipantValue, in signed: SignedStatement?) -> [UInt8] {
    var writer = ItemWriter()
    if let signed, let whole = Self.value(of: signed.body) {
      var items = Items(whole, lists: ParticipantCoding.lists)
      while let item = try? items.next() {
        if item.tag != 18, item.tag != 19 { writer.item(item.tag, item.value.rest) }
      }
    } else {
      var lasting = value
      lasting.position = nil
      lasting.positionAt = nil
      ParticipantCoding.write(lasting, to: &writer)
    }
    return writer.bytes
  }

  private static func value(of body: [UInt8]) -> ByteReader? {
    var items = Items(body)
    while let item = try? items.next() {
      if item.tag == 6 { return item.value }
    }
    return nil
  }
}
