import UnisonoBase
import UnisonoReplica

/// Register 19; no items: there is no audience any more.
enum AudienceCoding {
  static func write(_ value: AudienceValue?, to writer: inout ItemWriter) {
    guard let value else { return }
    writer.item(1, value.secret)
    writer.item(2, value.topic)
    for hub in value.hubs { HubAddressCoding.write(hub, tag: 3, to: &writer) }
    if let former = value.former { writer.item(4, former) }
  }

  static func read(_ reader: ByteReader) throws(WireError) -> AudienceValue? {
    var secret: [UInt8]?
    var topic: [UInt8]?
    var hubs: [HubAddress] = []
    var former: [UInt8]?
    var items = Items(reader, lists: [3])
    while let item = try items.next() {
      switch item.tag {
      case 1: secret = try item.bytes(exactly: 32)
      case 2: topic = try item.bytes(exactly: 32)
      case 3:
        guard hubs.count < WireLimits.hubAddresses else { throw .count }
        hubs.append(try HubAddressCoding.read(item))
      case 4: former = try item.bytes(exactly: 32)
      default: try item.unknown()
      }
    }
    guard (secret == nil) == (topic == nil), (secret == nil) == hubs.isEmpty, former == nil || topic != nil else { throw .truncated }
    guard let secret, let topic else { return nil }
    return AudienceValue(secret: secret, topic: topic, hubs: hubs, former: former)
  }
}
