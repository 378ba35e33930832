import UnisonoCore

/// A command's cell as its author first sent it.
public struct WrittenCell {
  /// True time at which it was given.
  public var at: Nanoseconds
  public var author: String
  public var key: RegisterKey
  public var stamp: Stamp
  public var value: RegisterValue
  /// The link carried messages at that instant and others were in the room.
  public var inCompany: Bool
}
