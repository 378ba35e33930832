import UnisonoBase
import UnisonoReplica

/// Registers 5 and 6: the cells R and P, and the pieces that other registers share with them.
enum CellCoding {
  /// Policy 16, rank u8, stamp i64, author 16.
  static let keyLength = 41

  static func write(_ key: CellKey, to writer: inout ByteWriter) {
    writer.identifier(key.policy)
    writer.integer(key.rank.rawValue)
    writer.time(key.stamp.time)
    writer.identifier(key.stamp.author)
  }

  static func key(_ reader: inout ByteReader) throws(WireError) -> CellKey {
    let policy: PolicyID = try reader.identifier()
    guard let rank = CellKey.Rank(rawValue: try reader.integer()) else { throw .range }
    let time = try reader.time()
    return CellKey(policy: policy, rank: rank, stamp: Stamp(time: time, author: try reader.identifier()))
  }

  static func key(_ item: Item) throws(WireError) -> CellKey {
    guard item.value.remaining == keyLength else { throw .width }
    var reader = item.value
    return try key(&reader)
  }

  static func write(_ waits: [Wait], tag: UInt8, to writer: inout ItemWriter) {
    for wait in waits {
      writer.items(tag) {
        $0.text(1, wait.reason)
        if wait.limit != .max { $0.integer(2, wait.limit) }
      }
    }
  }

  static func append(_ item: Item, to waits: inout [Wait]) throws(WireError) {
    guard waits.count < WireLimits.reasons else { throw .count }
    var reason: String?
    var limit = UInt32.max
    var items = Items(item.value)
    while let item = try items.next() {
      switch item.tag {
      case 1: reason = try item.text(1, upTo: WireLimits.reason)
      case 2: limit = try item.integer()
      default: try item.unknown()
      }
    }
    waits.append(Wait(reason: try reason.required(), limit: limit))
  }

  static func write(_ value: RateValue, to writer: inout ItemWriter) {
    writer.integer(1, value.rank.rawValue)
    writer.number(2, value.rate)
    writer.time(3, value.at)
    if let base = value.basePosition { writer.item(4) { write(base, to: &$0) } }
    if value.snap { writer.boolean(5, true) }
    write(value.waits, tag: 6, to: &writer)
    if let deadline = value.deadline { writer.time(7, deadline) }
    if let settle = value.settle { writer.time(8, settle) }
    write(original: value.original, to: &writer)
    if let until = value.readyUntil { writer.time(11, until) }
    if !value.named.isEmpty { writer.identifiers(12, value.named) }
  }

  static func rate(_ reader: ByteReader) throws(WireError) -> RateValue {
    var rank: CellKey.Rank?
    var rate: Double?
    var at: Int64?
    var originator: ParticipantID?
    var originalTime: Int64?
    var value = RateValue(rank: .nullProposal, rate: 0, at: 0)
    var items = Items(reader, lists: [6])
    while let item = try items.next() {
      switch item.tag {
      case 1: rank = CellKey.Rank(rawValue: try item.integer())
      case 2: rate = try item.number()
      case 3: at = try item.time()
      case 4: value.basePosition = try key(item)
      case 5: value.snap = try item.boolean()
      case 6: try append(item, to: &value.waits)
      case 7: value.deadline = try item.time()
      case 8: value.settle = try item.time()
      case 9: originator = try item.identifier()
      case 10: originalTime = try item.time()
      case 11: value.readyUntil = try item.time()
      case 12: value.named = try item.identifiers(upTo: WireLimits.namedPersons)
      default: try item.unknown()
      }
    }
    value.rank = try rank.required()
    value.rate = try rate.required()
    guard value.rate.magnitude <= WireLimits.rate else { throw .range }
    value.at = try at.required()
    value.original = try original(originator, originalTime)
    return value
  }

  static func write(_ value: PositionValue, to writer: inout ItemWriter) {
    writer.integer(1, value.rank.rawValue)
    writer.time(2, value.position)
    write(value.waits, tag: 3, to: &writer)
    if let deadline = value.deadline { writer.time(4, deadline) }
    write(original: value.original, to: &writer)
    if let until = value.readyUntil { writer.time(11, until) }
    if !value.named.isEmpty { writer.identifiers(12, value.named) }
  }

  static func position(_ reader: ByteReader) throws(WireError) -> PositionValue {
    var rank: CellKey.Rank?
    var position: Int64?
    var originator: ParticipantID?
    var originalTime: Int64?
    var value = PositionValue(rank: .nullProposal, position: 0)
    var items = Items(reader, lists: [3])
    while let item = try items.next() {
      switch item.tag {
      case 1: rank = CellKey.Rank(rawValue: try item.integer())
      case 2: position = try item.time()
      case 3: try append(item, to: &value.waits)
      case 4: value.deadline = try item.time()
      case 9: originator = try item.identifier()
      case 10: originalTime = try item.time()
      case 11: value.readyUntil = try item.time()
      case 12: value.named = try item.identifiers(upTo: WireLimits.namedPersons)
      default: try item.unknown()
      }
    }
    value.rank = try rank.required()
    value.position = try position.required()
    value.original = try original(originator, originalTime)
    return value
  }

  private static func write(original: Stamp?, to writer: inout ItemWriter) {
    guard let original else { return }
    writer.identifier(9, original.author)
    writer.time(10, original.time)
  }

  /// Both or neither: a confirmation names whose command it repeats, and its stamp.
  static func original(_ author: ParticipantID?, _ time: Int64?) throws(WireError) -> Stamp? {
    switch (author, time) {
    case (let author?, let time?): return Stamp(time: time, author: author)
    case (nil, nil): return nil
    default: throw .truncated
    }
  }
}
