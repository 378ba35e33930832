import UnisonoCrypto
import UnisonoReplica

/// Configuration of a session object.
package struct SessionSetup {
  package enum Origin {
    /// A new session. `hub` nil: one in this process.
    case host(hub: HubLine?, hubOptions: HubOptions, controlPolicy: UInt8, activity: Activity?)
    case invited(Invite)
    /// Goes on from another day. `invite`: where the group is now; nil: where it was, and at `hub`, or else at a hub in this process.
    case continued(Continuation, invite: Invite?, hub: HubLine?, hubOptions: HubOptions)

    /// The day that it goes on from; nil: it is another session, or another participant's.
    var past: Continuation? { if case .continued(let past, _, _, _) = self { past } else { nil } }
  }

  package var origin: Origin
  package var displayName: String
  package var deviceName: String
  /// A secret of the person whose device this is, 16 bytes; nil: none was given.
  package var person: [UInt8]?
  /// First id of playback commands.
  package var firstCommand: UInt64
  /// Seed of jitter; never of keys.
  package var seed: UInt64
  /// Keeps a hub ready for the others, from joining on, for when theirs dies.
  package var keepsStandbyHub: Bool
  /// Started without a window: others see that in a request for the foreground.
  package var inBackground: Bool
  /// Role that the participant would like to have; nil: that of joiners.
  package var roleWish: Role?
  /// Rule by which somebody stands in when the creator of a new session is gone.
  package var succession: SuccessionTerms
  /// Calendar time now, ns since 1970, UTC. Only who goes on from another day asks how long ago that was.
  package var calendarTime: Int64

  package init(
    origin: Origin, displayName: String, deviceName: String, firstCommand: UInt64, seed: UInt64,
    person: [UInt8]? = nil, keepsStandbyHub: Bool = true, inBackground: Bool = false, roleWish: Role? = nil,
    succession: SuccessionTerms = SuccessionTerms(rule: .bySeniority), calendarTime: Int64 = 0
  ) {
    self.origin = origin
    self.displayName = displayName
    self.deviceName = deviceName
    self.firstCommand = firstCommand
    self.seed = seed
    self.person = person
    self.keepsStandbyHub = keepsStandbyHub
    self.inBackground = inBackground
    self.roleWish = roleWish
    self.succession = succession
    self.calendarTime = calendarTime
  }
}
