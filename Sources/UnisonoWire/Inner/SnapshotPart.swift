import UnisonoBase
import UnisonoReplica

/// One part of the answer to an empty WANT.
package struct SnapshotPart: Equatable, Sendable {
  /// From 0.
  package var number: UInt16
  /// How many parts there are; 0: "joining myself, ask another", with nothing in it.
  package var of: UInt16
  package var statements: [SignedStatement]
  package var levels: [[UInt8]]
  package var intros: [[UInt8]]

  package init(
    number: UInt16, of: UInt16, statements: [SignedStatement] = [], levels: [[UInt8]] = [], intros: [[UInt8]] = []
  ) {
    self.number = number
    self.of = of
    self.statements = statements
    self.levels = levels
    self.intros = intros
  }

  /// "Joining myself, ask another."
  package static let joining = Self(number: 0, of: 0)

  init(_ reader: ByteReader) throws(WireError) {
    let lists = try StatementLists(reader, statements: 3, intros: 5, levels: 4, numbered: true)
    number = try lists.number.required()
    of = try lists.of.required()
    statements = lists.statements
    levels = lists.levels
    intros = lists.intros
    guard of <= WireLimits.snapshotParts else { throw .count }
    if of == 0 {
      guard number == 0, statements.isEmpty, levels.isEmpty, intros.isEmpty else { throw .range }
    } else if number >= of {
      throw .range
    }
  }

  func write(to writer: inout ItemWriter) {
    writer.integer(1, number)
    writer.integer(2, of)
    for statement in statements { StatementLists.write(statement, tag: 3, to: &writer) }
    for level in levels { writer.item(4, level) }
    for intro in intros { writer.item(5, intro) }
  }
}
