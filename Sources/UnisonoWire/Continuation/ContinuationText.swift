import UnisonoBase
import UnisonoReplica

/// What a token to go on by says, without its secrets (wire 8.25).
package struct ContinuationText: Equatable, Sendable {
  package static let originLength = 19
  package static let passLength = 38
  package static let hubs = 16

  /// The session's, 19 bytes.
  package var origin: [UInt8]
  /// When it was made: calendar time, ns since 1970, UTC.
  package var made: Int64
  /// The same in group time, ns.
  package var time: GroupTime
  /// Number of the author's last lane.
  package var lane: UInt32
  /// Where the group may be found, at most 16.
  package var hubs: [HubAddress]
  /// Passes of those that ask for one, 38 bytes each, by the hub's id.
  package var passes: [[UInt8]: [UInt8]]
  /// The record that the author spoke in, what proves it, the policy in force, and introductions of the authors of all that counts.
  package var record: WelcomeText
  /// Levels, beside those in force, that statements cite.
  package var levels: [[UInt8]]
  package var statements: [SignedStatement]

  package init(
    origin: [UInt8], made: Int64, time: GroupTime, lane: UInt32, hubs: [HubAddress] = [], passes: [[UInt8]: [UInt8]] = [:],
    record: WelcomeText, levels: [[UInt8]] = [], statements: [SignedStatement] = []
  ) {
    self.origin = origin
    self.made = made
    self.time = time
    self.lane = lane
    self.hubs = hubs
    self.passes = passes
    self.record = record
    self.levels = levels
    self.statements = statements
  }

  package var encoded: [UInt8] {
    var writer = ItemWriter()
    writer.item(1, origin)
    writer.time(2, made)
    writer.time(3, time)
    writer.integer(4, lane)
    for hub in hubs { HubAddressCoding.write(hub, tag: 5, to: &writer) }
    for (hub, pass) in passes.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) { writer.item(6, hub + pass) }
    writer.item(7, record.head + [UInt8](repeating: 0, count: WelcomeText.keyLength) + record.tail)
    for level in levels { writer.item(8, level) }
    for statement in statements { StatementLists.write(statement, tag: 9, to: &writer) }
    return writer.bytes
  }

  package init(reading bytes: [UInt8]) throws(WireError) {
    var origin: [UInt8]?
    var made: Int64?
    var time: Int64?
    var lane: UInt32?
    var record: WelcomeText?
    hubs = []
    passes = [:]
    levels = []
    statements = []
    var lastPass: [UInt8] = []
    var items = Items(bytes, lists: [5, 6, 8, 9])
    while let item = try items.next() {
      switch item.tag {
      case 1: origin = try item.bytes(exactly: Self.originLength)
      case 2: made = try item.time()
      case 3: time = try item.time()
      case 4: lane = try item.integer()
      case 5:
        guard hubs.count < Self.hubs else { throw .count }
        hubs.append(try HubAddressCoding.read(item))
      case 6:
        let both = try item.bytes(exactly: 16 + Self.passLength)
        let hub = Array(both.prefix(16))
        guard passes.count < Self.hubs else { throw .count }
        guard lastPass.lexicographicallyPrecedes(hub) else { throw .order }
        lastPass = hub
        passes[hub] = Array(both.dropFirst(16))
      case 7: record = try WelcomeText(reading: item.value.rest)
      case 8: try item.bytes(upTo: WireLimits.policyLevel, appendedTo: &levels, atMost: WireLimits.levelsPerMessage)
      case 9:
        guard statements.count < WireLimits.statementsPerMessage else { throw .count }
        statements.append(try StatementLists.statement(item))
      default: try item.unknown()
      }
    }
    self.origin = try origin.required()
    self.made = try made.required()
    self.time = try time.required()
    self.lane = try lane.required()
    self.record = try record.required()
  }
}
