import UnisonoBase
import UnisonoReplica

/// Register 17; no items: nothing is scheduled any more.
enum ScheduledStartCoding {
  static func write(_ start: ScheduledStart?, to writer: inout ItemWriter) {
    guard let start else { return }
    writer.item(1, start.item.utf8)
    writer.time(2, start.instant)
    if let time = start.calendarTime { writer.time(3, time) }
  }

  static func read(_ reader: ByteReader) throws(WireError) -> ScheduledStart? {
    var place: ItemID?
    var instant: GroupTime?
    var calendarTime: Int64?
    var items = Items(reader)
    while let item = try items.next() {
      switch item.tag {
      case 1: place = try RegisterKeyCoding.item(item.value)
      case 2: instant = try item.time()
      case 3: calendarTime = try item.time()
      default: try item.unknown()
      }
    }
    guard (place == nil) == (instant == nil) else { throw .truncated }
    guard let place, let instant else { return nil }
    return ScheduledStart(item: place, instant: instant, calendarTime: calendarTime)
  }
}
