import UnisonoBase

/// COORDINATOR: a message about the registers of a coordinator beside the session's first one (wire 11.3).
package struct CoordinatorMessage: Equatable, Sendable {
  package var name: CoordinatorName
  /// Content of an UPDATE, BEAT, HAVE, WANT or SNAPSHOT, as it travels: who has no coordinator of this name does not read it.
  package var content: [UInt8]

  package init(name: CoordinatorName, content: [UInt8]) {
    self.name = name
    self.content = content
  }

  package var isUpdate: Bool { content.first == InnerMessage.MessageType.update.rawValue }

  init(_ reader: ByteReader) throws(WireError) {
    var name: CoordinatorName?
    var content: [UInt8]?
    var items = Items(reader)
    while let item = try items.next() {
      switch item.tag {
      case 1: name = try Self.name(item)
      case 2: content = try item.bytes(upTo: WireLimits.content)
      default: try item.unknown()
      }
    }
    self.init(name: try name.required(), content: try content.required())
  }

  func write(to writer: inout ItemWriter) {
    writer.item(1, name.utf8)
    writer.item(2, content)
  }

  static func name(_ item: Item) throws(WireError) -> CoordinatorName {
    guard let name = CoordinatorName(utf8: try item.bytes(upTo: CoordinatorName.maximumLength)) else { throw .text }
    return name
  }
}
