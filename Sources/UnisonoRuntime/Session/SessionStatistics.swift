import UnisonoBase

/// Counters and clock figures of `unisono_session_statistics`.
package struct SessionStatistics: Equatable, Sendable {
  /// ns; nil: unknown.
  package var roundTrip: Nanoseconds?
  package var lastRoundTrip: Nanoseconds?
  package var probesSent: UInt64 = 0
  package var probesReceived: UInt64 = 0
  package var messagesSent: UInt64 = 0
  package var messagesReceived: UInt64 = 0
  package var bytesSent: UInt64 = 0
  package var bytesReceived: UInt64 = 0
  package var messagesRefused: UInt64 = 0
  package var reconnects: UInt64 = 0
  package var hubChanges: UInt64 = 0

  package init() {}
}
