/// How a hub's clock maps onto group time: `group = clock + offset` (coordination 2.1).
public struct ClockValue: Hashable, Sendable {
  /// ns.
  public var offset: Nanoseconds
  /// Bound of the offset's error, us.
  public var error: UInt32

  public init(offset: Nanoseconds, error: UInt32) {
    self.offset = offset
    self.error = error
  }
}
