import UnisonoBase
import UnisonoReplica

@testable import UnisonoRuntime

extension RoomEntry {
  /// Entry into an empty room at this address. `hub`: the hub's own id, where the address names its set.
  init(at address: HubAddress, hub: [UInt8]? = nil) {
    self.init(
      address: address.address, hubID: hub ?? address.hub, pinned: address.hub, clockID: .none, connection: 1, members: [],
      frameLimit: 0, bytesPerSecond: 0, udpPort: 0, advertised: [])
  }
}
