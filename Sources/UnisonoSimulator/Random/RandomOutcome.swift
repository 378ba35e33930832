import UnisonoCore

/// What came of one seed.
public struct RandomOutcome: Sendable {
  public var seed: UInt64
  public var profile: Profile
  public var participants: Int
  /// What people did.
  public var actions: Int
  /// What coordinations took in.
  public var events: Int
  /// What hosts were told.
  public var commands: Int
  /// True time the run took, ns.
  public var duration: Nanoseconds
  /// The longest that anybody waited without anything new happening, ns.
  public var longestWait: Nanoseconds
  public var violations: [Violation]
  /// Empty unless asked for.
  public var log: [String]
}
