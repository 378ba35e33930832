import UnisonoBase
import UnisonoReplica

/// Register 7: C of an item.
enum ContinuationCoding {
  private enum Kind: UInt8 { case line = 1, hold, ended }

  static func write(_ value: ContinuationValue, to writer: inout ItemWriter) {
    writer.item(1) { CellCoding.write(value.base.rate, to: &$0) }
    writer.item(2) { CellCoding.write(value.base.position, to: &$0) }
    writer.integer(3, value.sequence)
    switch value.kind {
    case .line(let coverage, let since, let at, let prior):
      writer.integer(4, Kind.line.rawValue)
      writer.integer(5, coverage)
      writer.time(6, since)
      if let at { writer.time(7, at) }
      if let prior {
        writer.item(8) {
          $0.time(prior.at)
          $0.number(prior.rate)
          $0.time(prior.since)
        }
      }
    case .hold(let at, let deadline):
      writer.integer(4, Kind.hold.rawValue)
      writer.time(7, at)
      writer.time(9, deadline)
    case .skip(let from, let at, let deadline):
      writer.integer(4, Kind.hold.rawValue)
      writer.time(7, at)
      writer.time(9, deadline)
      writer.time(12, from)
    case .ended(let at):
      writer.integer(4, Kind.ended.rawValue)
      writer.time(7, at)
    }
    if let original = value.original {
      writer.identifier(10, original.author)
      writer.time(11, original.time)
    }
  }

  static func read(_ reader: ByteReader) throws(WireError) -> ContinuationValue {
    var rate: CellKey?
    var position: CellKey?
    var sequence: UInt32?
    var kind: Kind?
    var coverage: UInt16?
    var since: Int64?
    var at: Int64?
    var prior: Line?
    var deadline: Int64?
    var originator: ParticipantID?
    var originalTime: Int64?
    var from: Int64?
    var items = Items(reader)
    while let item = try items.next() {
      switch item.tag {
      case 1: rate = try CellCoding.key(item)
      case 2: position = try CellCoding.key(item)
      case 3: sequence = try item.integer()
      case 4: kind = Kind(rawValue: try item.integer())
      case 5: coverage = try item.integer()
      case 6: since = try item.time()
      case 7: at = try item.time()
      case 8: prior = try line(item)
      case 9: deadline = try item.time()
      case 10: originator = try item.identifier()
      case 11: originalTime = try item.time()
      case 12: from = try item.time()
      default: try item.unknown()
      }
    }
    let value: ContinuationValue.Kind
    switch try kind.required() {
    case .line:
      guard deadline == nil, from == nil else { throw .range }
      value = .line(coverage: try coverage.required(), since: try since.required(), at: at, prior: prior)
    case .hold:
      guard coverage == nil, since == nil, prior == nil else { throw .range }
      let (at, deadline) = (try at.required(), try deadline.required())
      value = from.map { .skip(from: $0, at: at, deadline: deadline) } ?? .hold(at: at, deadline: deadline)
    case .ended:
      guard coverage == nil, since == nil, prior == nil, deadline == nil, from == nil else { throw .range }
      value = .ended(at: try at.required())
    }
    return ContinuationValue(
      base: Pair(rate: try rate.required(), position: try position.required()), sequence: try sequence.required(),
      kind: value, original: try CellCoding.original(originator, originalTime))
  }

  /// at i64, rate f64, since i64.
  private static func line(_ item: Item) throws(WireError) -> Line {
    guard item.value.remaining == 24 else { throw .width }
    var reader = item.value
    let at = try reader.time()
    let rate = try reader.number()
    guard rate.magnitude <= WireLimits.rate else { throw .range }
    return Line(at: at, rate: rate, since: try reader.time())
  }
}
