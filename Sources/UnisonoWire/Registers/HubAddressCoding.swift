import UnisonoBase
import UnisonoReplica

/// A hub's address inside another item: 1 "host:port" · 2 hub id(16), both always.
enum HubAddressCoding {
  static func write(_ hub: HubAddress, tag: UInt8, to writer: inout ItemWriter) {
    writer.items(tag) {
      $0.text(1, hub.address)
      $0.item(2, hub.hub)
    }
  }

  static func read(_ item: Item) throws(WireError) -> HubAddress {
    var address: String?
    var hub: [UInt8]?
    var items = Items(item.value)
    while let item = try items.next() {
      switch item.tag {
      case 1: address = try item.text(1, upTo: WireLimits.hubAddress)
      case 2: hub = try item.bytes(exactly: 16)
      default: try item.unknown()
      }
    }
    return HubAddress(address: try address.required(), hub: try hub.required())
  }
}
