import UnisonoBase
import UnisonoReplica

/// A hub's word that it is about to end, and where to go (wire 3.9).
package struct NextFrame: Hashable, Sendable {
  /// Hubs to go to, best first, at most `WireLimits.hubAddresses`; empty: whatever the client knows. Not judged.
  package var hubs: [HubAddress]
  /// ms until it ends.
  package var within: UInt32

  package init(hubs: [HubAddress] = [], within: UInt32) {
    self.hubs = hubs
    self.within = within
  }

  package var body: [UInt8] {
    var writer = ItemWriter()
    for hub in hubs.prefix(WireLimits.hubAddresses) { HubAddressCoding.write(hub, tag: 1, to: &writer) }
    writer.integer(2, within)
    return writer.bytes
  }

  package init(body: [UInt8]) throws(WireError) {
    var hubs: [HubAddress] = []
    var within: UInt32?
    var items = Items(body, lists: [1])
    while let item = try items.next() {
      switch item.tag {
      case 1:
        guard hubs.count < WireLimits.hubAddresses else { throw .count }
        hubs.append(try HubAddressCoding.read(item))
      case 2: within = try item.integer()
      default: try item.unknown()
      }
    }
    self.hubs = hubs
    self.within = try within.required()
  }
}
