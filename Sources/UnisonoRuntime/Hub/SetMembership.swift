import UnisonoCrypto

/// The set of hubs that a hub belongs to: its keys, the way to the others, and who is told that this hub cannot go on in it.
package struct SetMembership {
  package var keys: HubSetKeys
  package var peers: any HubPeers
  /// In words for whoever runs the hub: it has to end.
  package var failed: (String) -> Void

  package init(keys: HubSetKeys, peers: any HubPeers, failed: @escaping (String) -> Void) {
    self.keys = keys
    self.peers = peers
    self.failed = failed
  }
}
