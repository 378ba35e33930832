import UnisonoBase
import UnisonoReplica

/// Register 8: what a participant says of itself.
enum ParticipantCoding {
  /// Items that may come more than once.
  static let lists: [UInt8] = [5, 8, 9, 14, 22, 23]

  static func write(_ value: ParticipantValue, to writer: inout ItemWriter) {
    writer.integer(1, value.incarnation)
    if let item = value.item { writer.item(2, item.utf8) }
    if let since = value.availableSince { writer.time(3, since) }
    if let ready = value.ready {
      writer.item(4, bytes(of: ready))
    }
    for suspension in value.suspensions {
      writer.items(5) {
        $0.text(1, suspension.reason)
        $0.time(2, suspension.since)
        if suspension.status != 0 { $0.integer(3, UInt32(bitPattern: suspension.status)) }
      }
    }
    write(value.stalled, tag: 6, to: &writer)
    write(value.ended, tag: 7, to: &writer)
    for interval in value.apart {
      writer.item(8) {
        $0.time(interval.from)
        $0.time(interval.to)
      }
    }
    CellCoding.write(value.waits, tag: 9, to: &writer)
    if value.startLatency != 0 { writer.time(10, value.startLatency) }
    if value.outputOffset != 0 { writer.time(11, value.outputOffset) }
    if !value.displayName.isEmpty { writer.text(12, value.displayName) }
    if !value.deviceName.isEmpty { writer.text(13, value.deviceName) }
    for hub in value.hubAddresses { HubAddressCoding.write(hub, tag: 14, to: &writer) }
    if value.left { writer.boolean(15, true) }
    if value.roleWish != 0 { writer.integer(16, value.roleWish) }
    if value.rate != 0 { writer.number(17, value.rate) }
    if let position = value.position { writer.time(18, position) }
    if let at = value.positionAt { writer.time(19, at) }
    if value.word != .notSaid { writer.integer(20, value.word.rawValue) }
    if let copy = value.copy { writer.items(21) { PlaylistCoding.write(copy, to: &$0) } }
    for cut in value.cuts {
      writer.items(22) {
        $0.identifier(1, cut.entry)
        $0.time(2, cut.offset)
      }
    }
    for name in value.coordinators { writer.item(23, name.utf8) }
  }

  static func read(_ reader: ByteReader) throws(WireError) -> ParticipantValue {
    var incarnation: UInt64?
    var value = ParticipantValue(incarnation: 0)
    var items = Items(reader, lists: lists)
    while let item = try items.next() {
      switch item.tag {
      case 1: incarnation = try item.integer()
      case 2: value.item = try RegisterKeyCoding.item(item.value)
      case 3: value.availableSince = try item.time()
      case 4: value.ready = try readiness(item)
      case 5:
        guard value.suspensions.count < WireLimits.reasons else { throw .count }
        value.suspensions.append(try suspension(item))
      case 6: value.stalled = try moment(item)
      case 7: value.ended = try moment(item)
      case 8:
        guard value.apart.count < WireLimits.apartIntervals else { throw .count }
        let (from, to) = try times(item)
        value.apart.append(ParticipantValue.Interval(from: from, to: to))
      case 9: try CellCoding.append(item, to: &value.waits)
      case 10: value.startLatency = try item.time()
      case 11: value.outputOffset = try item.time()
      case 12: value.displayName = try item.text(upTo: WireLimits.name)
      case 13: value.deviceName = try item.text(upTo: WireLimits.name)
      case 14:
        guard value.hubAddresses.count < WireLimits.hubAddresses else { throw .count }
        value.hubAddresses.append(try HubAddressCoding.read(item))
      case 15: value.left = try item.boolean()
      case 16: value.roleWish = try item.integer()
      case 17: value.rate = try item.number()
      case 18: value.position = try item.time()
      case 19: value.positionAt = try item.time()
      case 20: value.word = ReadyWord(rawValue: try item.integer()) ?? .notSaid
      case 21: value.copy = try PlaylistCoding.stated(item)
      case 22:
        guard value.cuts.count < WireLimits.cuts else { throw .count }
        let cut = try cut(item)
        guard !value.cuts.contains(where: { $0.entry == cut.entry }) else { throw .order }
        value.state(cut)
      case 23:
        let name = try CoordinatorMessage.name(item)
        guard value.coordinators.count < CoordinatorName.mostOpen else { throw .count }
        guard value.coordinators.last.map({ $0 < name }) ?? true else { throw .order }
        value.coordinators.append(name)
      default: try item.unknown()
      }
    }
    value.incarnation = try incarnation.required()
    return value
  }

  private static func cut(_ item: Item) throws(WireError) -> CutOffset {
    var entry: EntryID?
    var offset: Nanoseconds?
    var items = Items(item.value)
    while let item = try items.next() {
      switch item.tag {
      case 1: entry = try item.identifier()
      case 2: offset = try item.time()
      default: try item.unknown()
      }
    }
    let cut = CutOffset(entry: try entry.required(), offset: try offset.required())
    guard cut.offset != 0, CutOffset.isAllowed(cut.offset) else { throw .range }
    return cut
  }

  static func bytes(of readiness: ParticipantValue.Readiness) -> [UInt8] {
    var writer = ByteWriter()
    CellCoding.write(readiness.base.rate, to: &writer)
    CellCoding.write(readiness.base.position, to: &writer)
    writer.integer(readiness.sequence)
    return writer.bytes
  }

  private static func readiness(_ item: Item) throws(WireError) -> ParticipantValue.Readiness {
    guard item.value.remaining == 2 * CellCoding.keyLength + 4 else { throw .width }
    var reader = item.value
    let base = Pair(rate: try CellCoding.key(&reader), position: try CellCoding.key(&reader))
    return ParticipantValue.Readiness(base: base, sequence: try reader.integer())
  }

  private static func suspension(_ item: Item) throws(WireError) -> ParticipantValue.SuspensionReason {
    var reason: String?
    var since: Int64?
    var status: Int32 = 0
    var items = Items(item.value)
    while let item = try items.next() {
      switch item.tag {
      case 1: reason = try item.text(1, upTo: WireLimits.reason)
      case 2: since = try item.time()
      case 3:
        status = Int32(bitPattern: try item.integer())
        guard status < 0 else { throw .range }
      default: try item.unknown()
      }
    }
    return ParticipantValue.SuspensionReason(
      reason: try reason.required(), since: try since.required(), status: status)
  }

  private static func write(_ moment: ParticipantValue.Moment?, tag: UInt8, to writer: inout ItemWriter) {
    guard let moment else { return }
    writer.item(tag) {
      $0.time(moment.at)
      $0.time(moment.since)
    }
  }

  private static func moment(_ item: Item) throws(WireError) -> ParticipantValue.Moment {
    let (at, since) = try times(item)
    return ParticipantValue.Moment(at: at, since: since)
  }

  private static func times(_ item: Item) throws(WireError) -> (Int64, Int64) {
    guard item.value.remaining == 16 else { throw .width }
    var reader = item.value
    return (try reader.time(), try reader.time())
  }
}
