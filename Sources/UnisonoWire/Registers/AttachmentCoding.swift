import UnisonoBase
import UnisonoReplica

/// Register 15: what a participant offers in one of its places (wire 8.16). An empty value: nothing.
enum AttachmentCoding {
  static func write(_ value: AttachmentValue?, to writer: inout ItemWriter) {
    guard let value else { return }
    writer.item(1, value.id.bytes)
    writer.text(2, value.name)
    if !value.type.isEmpty { writer.text(3, value.type) }
    writer.integer(4, value.size)
  }

  static func read(_ reader: ByteReader) throws(WireError) -> AttachmentValue? {
    var id: AttachmentID?
    var name: String?
    var type: String?
    var size: UInt64?
    var items = Items(reader)
    while let item = try items.next() {
      switch item.tag {
      case 1: id = AttachmentID(try item.bytes(exactly: AttachmentID.length))
      case 2: name = try item.text(1, upTo: WireLimits.attachmentName)
      case 3: type = try item.text(upTo: WireLimits.attachmentType)
      case 4: size = try item.integer()
      default: try item.unknown()
      }
    }
    guard let id else {
      guard name == nil, type == nil, size == nil else { throw .range }
      return nil
    }
    let value = AttachmentValue(id: id, name: try name.required(), type: type ?? "", size: try size.required())
    guard value.size <= WireLimits.attachmentSize else { throw .range }
    return value
  }
}
