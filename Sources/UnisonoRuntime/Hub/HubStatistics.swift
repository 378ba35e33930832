/// Counters of a hub; the numbers of `unisono_hub_statistics`.
public struct HubStatistics: Equatable, Sendable {
  /// Rooms with somebody in them, now.
  public var rooms: UInt64 = 0
  /// Open connections, now, entered or not.
  public var connections: UInt64 = 0
  public var framesIn: UInt64 = 0
  public var framesOut: UInt64 = 0
  /// Bytes over TCP, with length fields.
  public var bytesIn: UInt64 = 0
  public var bytesOut: UInt64 = 0
  /// Entries turned down, and connections closed for breaking a rule or a limit.
  public var refused: UInt64 = 0
  /// Connections closed because they did not read.
  public var closedSlow: UInt64 = 0
  /// Clock probes answered.
  public var probes: UInt64 = 0

  public init() {}
}
