/// The ways on which a hub is asked for its time.
public struct ProbeWays: OptionSet, Equatable, Sendable {
  public var rawValue: UInt8
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// UDP: nothing waits for anything.
  public static let datagram = ProbeWays(rawValue: 1)
  /// In the stream to the hub, where it may wait behind other frames and for what was lost.
  public static let stream = ProbeWays(rawValue: 2)
}
