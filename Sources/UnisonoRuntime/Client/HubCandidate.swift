import UnisonoBase
import UnisonoReplica

/// A hub that a client may turn to.
package struct HubCandidate: Hashable, Sendable {
  package var address: HubAddress
  /// A member of the session told it: it counts against the dial budget, so that no member can point the others at a
  /// victim. The invite's hubs and the own one do not.
  package var isListed: Bool
  /// In this process.
  package var isOwn: Bool
  /// In this process, and none of the invite's. Alone in it one has met nobody: it is the last choice.
  package var isStandby: Bool
  /// In the invite, and in nobody's process that is known: it lives by itself, and old invites lead there.
  package var isPublic: Bool
  /// Its id is a set's: each address with it may be another hub's.
  package var isOfSet = false
  /// Found not to do as it should: it is turned to after all others.
  package var isDoubted = false
  /// Member in whose process it is; nil: nobody's that is known.
  package var keeper: ParticipantID?
  /// Host time at which whose process it is in was here last; `.max`: it is here, or it is nobody's.
  package var lastSeen: HostTime

  package init(
    _ address: HubAddress, isListed: Bool = false, isPublic: Bool = false, keeper: ParticipantID? = nil,
    lastSeen: HostTime = .max
  ) {
    self.address = address
    self.isListed = isListed
    isOwn = false
    isStandby = false
    self.isPublic = isPublic
    self.keeper = keeper
    self.lastSeen = lastSeen
  }

  /// Whether a search treats both alike, whenever the keeper was here last.
  func isSame(as other: HubCandidate) -> Bool {
    var other = other
    other.lastSeen = lastSeen
    return self == other
  }

  /// Stands for the process that it leads to: all addresses of a hub do that is known by its own id.
  var process: HubAddress { isOfSet ? address : HubAddress(address: "", hub: address.hub) }

  /// The hub in this process.
  init(own address: HubAddress, isStandby: Bool) {
    self.init(address)
    isOwn = true
    self.isStandby = isStandby
  }
}
