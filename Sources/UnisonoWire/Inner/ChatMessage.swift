import UnisonoBase
import UnisonoReplica

/// CHAT, REACTION and what members tell each other of the chat, in bytes (wire 11.3).
enum ChatMessage {
  static let digest = 32
  /// Author, number, hash.
  private static let nameSize = 32

  static func entry(_ reader: ByteReader) throws(WireError) -> SignedStatement {
    var entry: SignedStatement?
    var items = Items(reader)
    while let item = try items.next() {
      if item.tag == 1 { entry = try signed(item) } else { try item.unknown() }
    }
    return try entry.required()
  }

  static func write(_ entry: SignedStatement, to writer: inout ItemWriter) { StatementLists.write(entry, tag: 1, to: &writer) }

  static func entries(_ reader: ByteReader) throws(WireError) -> [SignedStatement] {
    var entries: [SignedStatement] = []
    var items = Items(reader, lists: [1])
    while let item = try items.next() {
      guard item.tag == 1 else {
        try item.unknown()
        continue
      }
      guard entries.count < WireLimits.chatEntries else { throw .count }
      entries.append(try signed(item))
    }
    return entries
  }

  private static func signed(_ item: Item) throws(WireError) -> SignedStatement {
    let entry = try StatementLists.statement(item)
    guard entry.body.count <= WireLimits.chatBody else { throw .count }
    return entry
  }

  static func reaction(_ reader: ByteReader) throws(WireError) -> Reaction {
    var text: String?
    var itemID: ItemID?
    var itemTime: ItemTime?
    var items = Items(reader)
    while let item = try items.next() {
      switch item.tag {
      case 1: text = try item.text(1, upTo: WireLimits.reaction)
      case 2: itemID = ItemID(try item.text(1, upTo: ItemID.maximumLength))
      case 3: itemTime = try item.time()
      default: try item.unknown()
      }
    }
    return Reaction(try text.required(), item: itemID, itemTime: itemTime)
  }

  static func write(_ reaction: Reaction, to writer: inout ItemWriter) {
    writer.text(1, reaction.text)
    if let item = reaction.item { writer.item(2, Array(item.utf8)) }
    if let time = reaction.itemTime { writer.time(3, time) }
  }

  static func names(_ reader: ByteReader) throws(WireError) -> [ChatName] {
    var names: [ChatName] = []
    var items = Items(reader)
    while let item = try items.next() {
      guard item.tag == 1 else {
        try item.unknown()
        continue
      }
      names = try item.elements(of: nameSize, upTo: WireLimits.chatEntries, name) { $0.id < $1.id }
    }
    return names
  }

  private static func name(_ reader: inout ByteReader) throws(WireError) -> ChatName {
    let id = ChatEntry.ID(author: try reader.identifier(), number: try reader.integer())
    return ChatName(id: id, hash: try reader.integer())
  }

  /// `names`: ascending by id.
  static func write(_ names: [ChatName], to writer: inout ItemWriter) {
    guard !names.isEmpty else { return }
    writer.item(1) { bytes in
      for name in names {
        bytes.identifier(name.id.author)
        bytes.integer(name.id.number)
        bytes.integer(name.hash)
      }
    }
  }
}
