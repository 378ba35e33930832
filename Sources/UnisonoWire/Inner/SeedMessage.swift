import UnisonoBase

/// STAGE: an owner or host asks another for what proves at a hub that one speaks to the audience, or hands it over (wire 8.29). Inside
/// PRIVATE only.
package struct SeedMessage: Equatable, Sendable {
  /// The audience's name at a hub, 32 bytes.
  package var topic: [UInt8]
  /// Of the key whose public half the topic is, 32 bytes; nil: it is asked for.
  package var seed: [UInt8]?

  package init(topic: [UInt8], seed: [UInt8]? = nil) {
    self.topic = topic
    self.seed = seed
  }

  init(_ reader: ByteReader) throws(WireError) {
    var topic: [UInt8]?
    var items = Items(reader)
    while let item = try items.next() {
      switch item.tag {
      case 1: topic = try item.bytes(exactly: 32)
      case 2: seed = try item.bytes(exactly: 32)
      default: try item.unknown()
      }
    }
    self.topic = try topic.required()
  }

  func write(to writer: inout ItemWriter) {
    writer.item(1, topic)
    if let seed { writer.item(2, seed) }
  }
}
