/// Counters of a hub; the numbers of `unisono_hub_statistics`.
package struct HubStatistics: Equatable, Sendable {
  /// Rooms with somebody in them, now.
  package var rooms: UInt64 = 0
  /// Open connections, now, entered or not.
  package var connections: UInt64 = 0
  package var framesIn: UInt64 = 0
  package var framesOut: UInt64 = 0
  /// Bytes over TCP, with length fields.
  package var bytesIn: UInt64 = 0
  package var bytesOut: UInt64 = 0
  /// Entries turned down, and connections closed for breaking a rule or a limit.
  package var refused: UInt64 = 0
  /// Connections closed because they did not read.
  package var closedSlow: UInt64 = 0
  /// Clock probes answered.
  package var probes: UInt64 = 0

  package init() {}
}
