import UnisonoCore

/// A hub that a client may turn to.
public struct HubCandidate: Hashable, Sendable {
  public var address: HubAddress
  /// A member of the session told it: it counts against the dial budget, so that no member can point the others at a
  /// victim. The invite's hubs and the own one do not.
  public var isListed: Bool
  /// The standby hub in this process. Alone in it one has met nobody: it is entered when somebody else is there.
  public var isStandby: Bool

  public init(_ address: HubAddress, isListed: Bool = false, isStandby: Bool = false) {
    self.address = address
    self.isListed = isListed
    self.isStandby = isStandby
  }
}
