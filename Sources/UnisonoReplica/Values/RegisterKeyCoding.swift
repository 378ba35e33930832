import UnisonoBase

/// Names of registers in bytes: a number, and for some a key.
package enum RegisterKeyCoding {
  package static func number(_ key: RegisterKey) -> UInt8 {
    switch key {
    case .clock: 1
    case .policy: 2
    case .end: 3
    case .activity: 4
    case .rate: 5
    case .position: 6
    case .continuation: 7
    case .participant: 8
    case .stallPolicy: 9
    case .actionAtEnd: 10
    case .startPolicy: 11
    case .playlistEntry: 12
    case .playlistCurrent: 13
    case .attachment: 15
    case .scheduledStart: 17
    case .skipPolicy: 18
    case .audience: 19
    }
  }

  package static func keyBytes(_ key: RegisterKey) -> [UInt8] {
    switch key {
    case .clock(let id): id.bytes
    case .policy, .end, .activity, .stallPolicy, .actionAtEnd, .startPolicy, .playlistCurrent, .scheduledStart, .skipPolicy, .audience: []
    case .rate(let item), .position(let item), .continuation(let item): item.utf8
    case .participant(let id): id.bytes
    case .playlistEntry(let id): id.bytes
    case .attachment(let slot): slot.author.bytes + [slot.number]
    }
  }

  /// The register `number` with the key that `reader` holds; nil: a register that this version does not know.
  package static func key(_ number: UInt8, _ reader: ByteReader) throws(WireError) -> RegisterKey? {
    switch number {
    case 1: return .clock(try identifier(reader))
    case 2:
      try reader.finish()
      return .policy
    case 3:
      try reader.finish()
      return .end
    case 4:
      try reader.finish()
      return .activity
    case 5: return .rate(try item(reader))
    case 6: return .position(try item(reader))
    case 7: return .continuation(try item(reader))
    case 8: return .participant(try identifier(reader))
    case 9:
      try reader.finish()
      return .stallPolicy
    case 10:
      try reader.finish()
      return .actionAtEnd
    case 11:
      try reader.finish()
      return .startPolicy
    case 12: return .playlistEntry(try identifier(reader))
    case 13:
      try reader.finish()
      return .playlistCurrent
    case 15: return .attachment(try slot(reader))
    case 17:
      try reader.finish()
      return .scheduledStart
    case 18:
      try reader.finish()
      return .skipPolicy
    case 19:
      try reader.finish()
      return .audience
    default:
      guard number < 128 else { throw .unknownMustUnderstand }
      return nil
    }
  }

  package static func item(_ reader: ByteReader) throws(WireError) -> ItemID {
    let bytes = reader.rest
    guard !bytes.isEmpty, bytes.count <= ItemID.maximumLength, !bytes.contains(0),
      String(validating: bytes, as: UTF8.self) != nil
    else { throw .text }
    return ItemID(utf8: bytes)
  }

  private static func identifier<Kind>(_ reader: ByteReader) throws(WireError) -> Identifier<Kind> {
    guard reader.remaining == 16 else { throw .width }
    var reader = reader
    return try reader.identifier()
  }

  private static func slot(_ reader: ByteReader) throws(WireError) -> AttachmentSlot {
    guard reader.remaining == 17 else { throw .width }
    var reader = reader
    let slot = AttachmentSlot(author: try reader.identifier(), number: try reader.integer())
    guard slot.number < WireLimits.attachmentsPerAuthor else { throw .range }
    return slot
  }

  package static func want(_ item: Item) throws(WireError) -> RegisterKey? {
    var reader = item.value
    return try key(try reader.integer(), reader)
  }

  package static func have(_ item: Item) throws(WireError) -> HaveEntry? {
    var reader = item.value
    let number: UInt8 = try reader.integer()
    let stamp = Stamp(time: try reader.time(), author: try reader.identifier())
    let sum = RegisterSum(high: try reader.integer(), low: try reader.integer())
    guard let key = try key(number, reader) else { return nil }
    return HaveEntry(key: key, stamp: stamp, sum: sum)
  }

  package static func write(_ key: RegisterKey, to writer: inout ByteWriter) {
    writer.integer(number(key))
    writer.append(keyBytes(key))
  }

  package static func write(_ entry: HaveEntry, to writer: inout ByteWriter) {
    writer.integer(number(entry.key))
    writer.time(entry.stamp.time)
    writer.identifier(entry.stamp.author)
    writer.integer(entry.sum.high)
    writer.integer(entry.sum.low)
    writer.append(keyBytes(entry.key))
  }
}
