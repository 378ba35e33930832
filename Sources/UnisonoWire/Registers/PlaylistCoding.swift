import UnisonoBase
import UnisonoReplica

/// Registers 12 and 13, and the copy that a participant says it plays.
enum PlaylistCoding {
  static func write(_ entry: PlaylistEntry, to writer: inout ItemWriter) {
    writer.item(1, entry.place.bytes)
    writer.item(2, entry.item.utf8)
    writer.time(3, entry.added)
    if entry.isRemoved { return writer.boolean(4, true) }
    if !entry.title.isEmpty { writer.text(5, entry.title) }
    write(entry.copy, from: 6, to: &writer)
    for address in entry.addresses { writer.text(9, address) }
    for range in entry.ranges {
      writer.item(10) {
        $0.time(range.begin)
        $0.time(range.end)
        $0.integer(range.kind.rawValue)
      }
    }
  }

  static func entry(_ reader: ByteReader) throws(WireError) -> PlaylistEntry {
    var place: PlaylistPlace?
    var identifier: ItemID?
    var added: Int64?
    var isRemoved = false
    var title = ""
    var copy = Copy()
    var addresses: [String] = []
    var ranges: [SkipRange] = []
    var items = Items(reader, lists: [9, 10])
    while let item = try items.next() {
      switch item.tag {
      case 1:
        guard let found = PlaylistPlace(try item.bytes(upTo: PlaylistPlace.longest)) else { throw .range }
        place = found
      case 2: identifier = try RegisterKeyCoding.item(item.value)
      case 3: added = try item.time()
      case 4: isRemoved = try item.boolean()
      case 5: title = try item.text(1, upTo: WireLimits.title)
      case 6, 7, 8: try read(item, tag: item.tag - 6, into: &copy)
      case 9:
        guard addresses.count < WireLimits.entryAddresses else { throw .count }
        addresses.append(try item.text(1, upTo: WireLimits.url))
      case 10:
        guard ranges.count < SkipRange.most else { throw .count }
        ranges.append(try range(item))
      default: try item.unknown()
      }
    }
    var entry = PlaylistEntry(
      place: try place.required(), item: try identifier.required(), added: try added.required(), title: title, copy: copy,
      addresses: addresses, ranges: ranges)
    entry.isRemoved = isRemoved
    guard !isRemoved || title.isEmpty && !copy.isKnown && addresses.isEmpty && ranges.isEmpty, SkipRange.fault(in: ranges) == nil
    else { throw .range }
    return entry
  }

  /// begin i64, end i64, kind u8.
  private static func range(_ item: Item) throws(WireError) -> SkipRange {
    guard item.value.remaining == 17 else { throw .width }
    var reader = item.value
    let (begin, end) = (try reader.time(), try reader.time())
    guard let kind = SkipRange.Kind(rawValue: try reader.integer()) else { throw .range }
    return SkipRange(begin: begin, end: end, kind: kind)
  }

  static func write(_ current: PlaylistCurrent, to writer: inout ItemWriter) {
    writer.identifier(1, current.entry)
    if let base = current.base {
      writer.identifier(2, base.author)
      writer.time(3, base.time)
      writer.integer(4, current.step)
    }
    if current.isByEnd { writer.boolean(5, true) }
  }

  static func current(_ reader: ByteReader) throws(WireError) -> PlaylistCurrent {
    var entry: EntryID?
    var author: ParticipantID?
    var time: Int64?
    var step: UInt32 = 0
    var isByEnd = false
    var items = Items(reader)
    while let item = try items.next() {
      switch item.tag {
      case 1: entry = try item.identifier()
      case 2: author = try item.identifier()
      case 3: time = try item.time()
      case 4: step = try item.integer()
      case 5: isByEnd = try item.boolean()
      default: try item.unknown()
      }
    }
    let current = PlaylistCurrent(
      entry: try entry.required(), base: try CellCoding.original(author, time), step: step, isByEnd: isByEnd)
    guard current.isWellFormed else { throw .range }
    return current
  }

  /// Item 21 of a participant.
  static func write(_ stated: StatedCopy, to writer: inout ItemWriter) {
    writer.identifier(1, stated.entry)
    write(stated.copy, from: 2, to: &writer)
  }

  static func stated(_ item: Item) throws(WireError) -> StatedCopy {
    var entry: EntryID?
    var copy = Copy()
    var items = Items(item.value)
    while let item = try items.next() {
      switch item.tag {
      case 1: entry = try item.identifier()
      case 2, 3, 4: try read(item, tag: item.tag - 2, into: &copy)
      default: try item.unknown()
      }
    }
    return StatedCopy(entry: try entry.required(), copy: copy)
  }

  /// Duration, size and hash, under three tags in a row; what is not known is left out.
  private static func write(_ copy: Copy, from tag: UInt8, to writer: inout ItemWriter) {
    if copy.duration != 0 { writer.time(tag, copy.duration) }
    if copy.size != 0 { writer.integer(tag + 1, copy.size) }
    if !copy.hash.isEmpty { writer.item(tag + 2, copy.hash) }
  }

  private static func read(_ item: Item, tag: UInt8, into copy: inout Copy) throws(WireError) {
    switch tag {
    case 0:
      copy.duration = try item.time()
      guard copy.duration > 0 else { throw .range }
    case 1:
      copy.size = try item.integer()
      guard copy.size > 0 else { throw .range }
    default: copy.hash = try item.bytes(exactly: Copy.hashLength)
    }
  }
}
