import UnisonoBase
import UnisonoReplica

/// The lists that UPDATE and SNAPSHOT carry under different tags: statements, introductions, policy levels.
struct StatementLists {
  private(set) var number: UInt16?
  private(set) var of: UInt16?
  private(set) var statements: [SignedStatement] = []
  private(set) var intros: [[UInt8]] = []
  private(set) var levels: [[UInt8]] = []

  /// Items 1 and 2 are the part's number and the count of parts where `numbered`.
  init(
    _ reader: ByteReader, statements statementTag: UInt8, intros introTag: UInt8, levels levelTag: UInt8,
    numbered: Bool = false
  ) throws(WireError) {
    var items = Items(reader, lists: [statementTag, introTag, levelTag])
    statements.reserveCapacity(items.capacity(smallest: 144, limit: WireLimits.statementsPerMessage))
    while let item = try items.next() {
      switch item.tag {
      case 1 where numbered: number = try item.integer()
      case 2 where numbered: of = try item.integer()
      case statementTag:
        guard statements.count < WireLimits.statementsPerMessage else { throw .count }
        statements.append(try Self.statement(item))
      case introTag:
        guard intros.count < WireLimits.introsPerMessage else { throw .count }
        intros.append(try item.bytes(upTo: WireLimits.intro))
      case levelTag:
        guard levels.count < WireLimits.levelsPerMessage else { throw .count }
        levels.append(try item.bytes(upTo: WireLimits.policyLevel))
      default: try item.unknown()
      }
    }
  }

  static func statement(_ item: Item) throws(WireError) -> SignedStatement {
    var body: [UInt8]?
    var signature: [UInt8]?
    var items = Items(item.value)
    while let item = try items.next() {
      switch item.tag {
      case 1: body = try item.bytes(upTo: WireLimits.statementBody)
      case 2: signature = try item.bytes(exactly: 64)
      default: try item.unknown()
      }
    }
    return SignedStatement(body: try body.required(), signature: try signature.required())
  }

  static func write(_ statement: SignedStatement, tag: UInt8, to writer: inout ItemWriter) {
    writer.items(tag) {
      $0.item(1, statement.body)
      $0.item(2, statement.signature)
    }
  }

  /// Bytes that a statement takes in a message.
  static func length(_ statement: SignedStatement) -> Int { 12 + statement.body.count + statement.signature.count }
}
