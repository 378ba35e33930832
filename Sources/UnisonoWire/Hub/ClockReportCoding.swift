import UnisonoBase
import UnisonoReplica

/// What CLOCKS says (wire 3.12).
extension ClockReport {
  package static let rates: ClosedRange<Int32> = -1_000_000...1_000_000

  package var body: [UInt8] {
    var writer = ItemWriter()
    writer.time(1, at)
    writer.item(2) {
      for reading in readings.prefix(WireLimits.clocks) {
        $0.identifier(reading.clock)
        $0.time(reading.offset)
        $0.integer(UInt32(bitPattern: reading.rate))
        $0.integer(reading.error)
        $0.integer(reading.growth)
        $0.integer(reading.goneFor)
      }
    }
    return writer.bytes
  }

  package init(body: [UInt8]) throws(WireError) {
    var at: HubTime?
    var readings: [ClockReading]?
    var items = Items(body)
    while let item = try items.next() {
      switch item.tag {
      case 1: at = try item.time()
      case 2: readings = try Self.readings(item)
      default: try item.unknown()
      }
    }
    self.init(at: try at.required(), readings: try readings.required())
  }

  private static func readings(_ item: Item) throws(WireError) -> [ClockReading] {
    try item.elements(of: 36, upTo: WireLimits.clocks) { (reader) throws(WireError) in
      let reading = ClockReading(
        clock: try reader.identifier(), offset: try reader.time(), rate: Int32(bitPattern: try reader.integer()),
        error: try reader.integer(), growth: try reader.integer(), goneFor: try reader.integer())
      guard rates.contains(reading.rate) else { throw .range }
      return reading
    } ascending: {
      $0.clock < $1.clock
    }
  }
}
