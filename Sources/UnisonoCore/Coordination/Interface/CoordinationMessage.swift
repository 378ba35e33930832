/// What participants tell each other about registers (numbers of wire 11.3); everything else is the session's.
public enum CoordinationMessage: Equatable, Sendable {
  case update([Statement])
  case beat(Beat)
  case have([HaveEntry])
  /// Registers to send; empty: everything, as a snapshot (a joiner's first question).
  case want([RegisterKey])
  /// Policy levels, each after the one it stands on; their signatures were checked.
  case levels([PolicyLevel])
  /// The answer to an empty `want`; nil: "joining myself, ask somebody else".
  case snapshot([Statement]?)
}

/// A heartbeat.
public struct Beat: Equatable, Sendable {
  /// XOR of the hashes of the included registers, 32 bytes.
  public var digest: [UInt8]
  public var newestStamp: GroupTime
  /// Half the round trip to the hub, us.
  public var hubDelay: UInt32
  /// Stated bound of the clock's error, us.
  public var clockError: UInt32
  public init(digest: [UInt8], newestStamp: GroupTime, hubDelay: UInt32, clockError: UInt32) {
    self.digest = digest
    self.newestStamp = newestStamp
    self.hubDelay = hubDelay
    self.clockError = clockError
  }
}

/// "I have this register at this stamp".
public struct HaveEntry: Hashable, Sendable {
  public var key: RegisterKey
  public var stamp: Stamp
  public init(key: RegisterKey, stamp: Stamp) {
    self.key = key
    self.stamp = stamp
  }
}
