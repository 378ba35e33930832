import UnisonoBase

/// A notice that one hub keeps, for the others to keep it as well (hubs 4.6).
package struct HubNotice: Equatable, Sendable {
  /// 32 bytes.
  package var topic: [UInt8]
  /// ms since it was left.
  package var age: UInt32
  /// Names who left it, for limits: equal for all that one address or prefix left in the set.
  package var keeper: UInt64
  package var envelope: [UInt8]

  package init(topic: [UInt8], age: UInt32, keeper: UInt64, envelope: [UInt8]) {
    self.topic = topic
    self.age = age
    self.keeper = keeper
    self.envelope = envelope
  }

  func write(to writer: inout ItemWriter) {
    writer.item(1, topic)
    writer.integer(2, age)
    writer.integer(3, keeper)
    writer.item(255, envelope)
  }

  init(_ reader: ByteReader) throws(WireError) {
    var topic: [UInt8]?
    var age: UInt32?
    var keeper: UInt64?
    var envelope: [UInt8]?
    var items = Items(reader)
    while let item = try items.next() {
      switch item.tag {
      case 1: topic = try item.bytes(exactly: 32)
      case 2: age = try item.integer()
      case 3: keeper = try item.integer()
      case 255:
        guard item.value.remaining >= EnvelopeHeader.envelopeLengths.lowerBound else { throw .truncated }
        envelope = try item.bytes(upTo: HubSetLimits.notice)
      default: try item.unknown()
      }
    }
    self.topic = try topic.required()
    self.age = try age.required()
    self.keeper = try keeper.required()
    self.envelope = try envelope.required()
  }
}
