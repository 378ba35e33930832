import UnisonoCore

/// A command's cell as its author first sent it.
public struct WrittenCell {
  /// True time at which it was given.
  public var at: Nanoseconds
  public var author: String
  public var key: RegisterKey
  public var stamp: Stamp
  public var value: RegisterValue
  /// Under which it was given.
  public var policy: PolicyID
  /// True time at which it was first sent.
  public var sentAt: Nanoseconds
  /// It was sent at once: its author took itself for connected.
  public var isFresh: Bool
  /// It was given in the very turn in which its author then read that its link was lost, or others'.
  public var isUnaware: Bool
  /// How far its author's group time was off at most, ns.
  public var clockError: Nanoseconds
  /// The link carried messages at that instant and others were in the room.
  public var isInGroup: Bool
}
