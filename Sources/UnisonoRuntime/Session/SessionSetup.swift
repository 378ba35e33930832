import UnisonoCore
import UnisonoCrypto

/// Configuration of a session object.
public struct SessionSetup {
  public enum Origin {
    /// A new session. `hub` nil: one in this process.
    case host(hub: HubAddress?, hubOptions: HubOptions, controlPolicy: UInt8, activity: Activity?)
    case invited(Invite)
  }

  public var origin: Origin
  public var displayName: String
  public var deviceName: String
  /// A secret of the person whose device this is, 16 bytes; nil: none was given.
  public var person: [UInt8]?
  /// First id of playback commands.
  public var firstCommand: UInt64
  /// Seed of jitter; never of keys.
  public var seed: UInt64
  /// Keeps a hub ready for the others, from joining on, for when theirs dies.
  public var keepsStandbyHub: Bool
  /// Started without a window: others see that in a request for the foreground.
  public var inBackground: Bool
  /// Role that the participant would like to have; nil: that of joiners.
  public var roleWish: Role?
  /// Rule by which somebody stands in when the creator of a new session is gone.
  public var succession: SuccessionTerms

  public init(
    origin: Origin, displayName: String, deviceName: String, firstCommand: UInt64, seed: UInt64,
    person: [UInt8]? = nil, keepsStandbyHub: Bool = true, inBackground: Bool = false, roleWish: Role? = nil,
    succession: SuccessionTerms = SuccessionTerms(rule: .bySeniority)
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
  }
}
