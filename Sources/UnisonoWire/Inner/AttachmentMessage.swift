import UnisonoBase
import UnisonoReplica

/// ATTACHMENTFETCH, ATTACHMENTCHUNK and ATTACHMENTREFUSAL in bytes (wire 8.17, 11.3).
enum AttachmentMessage {
  static func fetch(_ reader: ByteReader) throws(WireError) -> AttachmentSaying {
    var id: AttachmentID?
    var offset: UInt64?
    var count: UInt8?
    var items = Items(reader)
    while let item = try items.next() {
      switch item.tag {
      case 1: id = try self.id(item)
      case 2: offset = try self.offset(item)
      case 3: count = try item.integer()
      default: try item.unknown()
      }
    }
    let pieces = try count.required()
    guard pieces > 0, pieces <= WireLimits.attachmentWindow else { throw .range }
    return .fetch(try id.required(), offset: try offset.required(), count: pieces)
  }

  static func chunk(_ reader: ByteReader) throws(WireError) -> AttachmentSaying {
    var id: AttachmentID?
    var offset: UInt64?
    var bytes: [UInt8]?
    var items = Items(reader)
    while let item = try items.next() {
      switch item.tag {
      case 1: id = try self.id(item)
      case 2: offset = try self.offset(item)
      case 3: bytes = try item.bytes(upTo: WireLimits.attachmentChunk)
      default: try item.unknown()
      }
    }
    let piece = try bytes.required()
    guard !piece.isEmpty else { throw .count }
    return .chunk(try id.required(), offset: try offset.required(), bytes: piece)
  }

  static func refusal(_ reader: ByteReader) throws(WireError) -> AttachmentSaying {
    var id: AttachmentID?
    var reason: UInt8?
    var items = Items(reader)
    while let item = try items.next() {
      switch item.tag {
      case 1: id = try self.id(item)
      case 2: reason = try item.integer()
      default: try item.unknown()
      }
    }
    return .refusal(try id.required(), AttachmentSaying.Reason(rawValue: try reason.required()) ?? .notHere)
  }

  static func write(_ saying: AttachmentSaying, to writer: inout ItemWriter) {
    switch saying {
    case .fetch(let id, let offset, let count):
      writer.item(1, id.bytes)
      writer.integer(2, offset)
      writer.integer(3, count)
    case .chunk(let id, let offset, let bytes):
      writer.item(1, id.bytes)
      writer.integer(2, offset)
      writer.item(3, bytes)
    case .refusal(let id, let reason):
      writer.item(1, id.bytes)
      writer.integer(2, reason.rawValue)
    }
  }

  private static func id(_ item: Item) throws(WireError) -> AttachmentID {
    guard let id = AttachmentID(try item.bytes(exactly: AttachmentID.length)) else { throw .width }
    return id
  }

  private static func offset(_ item: Item) throws(WireError) -> UInt64 {
    let offset: UInt64 = try item.integer()
    guard offset <= WireLimits.attachmentSize else { throw .range }
    return offset
  }
}
