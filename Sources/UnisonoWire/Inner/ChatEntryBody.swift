import UnisonoBase
import UnisonoReplica

/// The bytes of an entry of the chat that its author signs (wire 8.10).
package enum ChatEntryBody {
  package static func encode(_ entry: ChatEntry) -> [UInt8] {
    var writer = ItemWriter()
    writer.identifier(1, entry.id.author)
    writer.integer(2, entry.id.number)
    writer.time(3, entry.time)
    writer.text(4, entry.text)
    if let item = entry.item { writer.item(5, Array(item.utf8)) }
    if let time = entry.itemTime { writer.time(6, time) }
    if !entry.name.isEmpty { writer.text(7, entry.name) }
    return writer.bytes
  }

  /// Reads a body. `signed` is left empty: whoever checked the signature puts the bytes there.
  package static func decode(_ body: [UInt8]) throws(WireError) -> ChatEntry {
    guard body.count <= WireLimits.chatBody else { throw .count }
    var author: ParticipantID?
    var number: UInt64?
    var time: GroupTime?
    var text: String?
    var itemID: ItemID?
    var itemTime: ItemTime?
    var name = ""
    var items = Items(body)
    while let item = try items.next() {
      switch item.tag {
      case 1: author = try item.identifier()
      case 2: number = try item.integer()
      case 3: time = try item.time()
      case 4: text = try item.text(1, upTo: WireLimits.chatText)
      case 5: itemID = ItemID(try item.text(1, upTo: ItemID.maximumLength))
      case 6: itemTime = try item.time()
      case 7: name = try item.text(upTo: WireLimits.name)
      default: try item.unknown()
      }
    }
    let id = ChatEntry.ID(author: try author.required(), number: try number.required())
    guard id.number > 0 else { throw .range }
    return ChatEntry(
      id: id, time: try time.required(), text: try text.required(), name: name, item: itemID, itemTime: itemTime)
  }
}
