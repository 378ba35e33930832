import UnisonoCore

/// Counters and clock figures of `unisono_session_statistics`.
public struct SessionStatistics: Equatable, Sendable {
  /// ns; nil: unknown.
  public var roundTrip: Nanoseconds?
  public var lastRoundTrip: Nanoseconds?
  public var probesSent: UInt64 = 0
  public var probesReceived: UInt64 = 0
  public var messagesSent: UInt64 = 0
  public var messagesReceived: UInt64 = 0
  public var bytesSent: UInt64 = 0
  public var bytesReceived: UInt64 = 0
  public var messagesRefused: UInt64 = 0
  public var reconnects: UInt64 = 0
  public var hubChanges: UInt64 = 0

  public init() {}
}
