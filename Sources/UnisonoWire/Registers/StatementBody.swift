import UnisonoBase
import UnisonoReplica

/// The bytes of a statement that its author signs (wire 8.5).
package enum StatementBody {
  /// The body of an own statement. Throws what is wrong with its value: a text too long, a number that is none, a
  /// value that does not fit its key.
  package static func encode(_ statement: Statement) throws(WireError) -> [UInt8] {
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
    // What could not be read back must not be signed: one check for every limit of the reader.
    guard try decode(writer.bytes) != nil else { throw .range }
    return writer.bytes
  }

  /// Reads a body; nil: a register that this version does not know. `signed` is left nil: whoever checked the
  /// signature puts the bytes there.
  package static func decode(_ body: [UInt8]) throws(WireError) -> Statement? {
    guard body.count <= WireLimits.statementBody else { throw .count }
    var number: UInt8?
    var keyReader = ByteReader([])
    var author: ParticipantID?
    var policy: PolicyID?
    var time: Int64?
    var value: Item?
    var originator: ParticipantID?
    var originalTime: Int64?
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
      default: try item.unknown()
      }
    }
    guard let key = try RegisterKeyCoding.key(try number.required(), keyReader) else { return nil }
    return Statement(
      key: key, author: try author.required(), policy: try policy.required(), time: try time.required(),
      value: try RegisterValueCoding.decode(try value.required(), for: key),
      original: try CellCoding.original(originator, originalTime))
  }

  /// What digests hash of a statement (wire 11.3): the body as signed, so that two values with one stamp are not the same. Of what a
  /// participant says of itself its items only, but for where its player is (18, 19): that is told anew every few seconds, and on a long
  /// path it is always on its way to somebody. As they were signed, so that items of a later version count, too.
  @Sendable package static func digestInput(of statement: Statement) -> [UInt8] {
    guard case .participant(let value) = statement.value else {
      // What cannot be encoded is not said to anybody.
      return statement.signed?.body ?? (try? encode(statement)) ?? []
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
