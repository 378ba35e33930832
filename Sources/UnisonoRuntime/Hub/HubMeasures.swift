/// What whoever runs a hub measures it by: its statistics, and what stands behind them, now or since the start.
package struct HubMeasures: Sendable {
  package var statistics = HubStatistics()
  /// Connections that are in a room, and that are not yet.
  package var entered = 0
  package var unentered = 0
  /// Of those who entered beside, those who listen; and audiences, those at rest included.
  package var listeners = 0
  package var audiences = 0
  /// Participants of the largest room.
  package var largestRoom = 0
  /// Entries that succeeded, since the start.
  package var entries: UInt64 = 0
  /// Connections that ended, since the start.
  package var endings: UInt64 = 0
  package var refusals: [RefusalCause: UInt64] = [:]
  /// Connections whose reading rests.
  package var resting = 0
  /// Memory for what was received, and for what waits to be sent, bytes.
  package var inboundMemory = 0
  package var outboundMemory = 0
  /// Envelopes kept for those who come later.
  package var notices = 0
  /// Requests for files of its site that are being answered, and all since the start.
  package var visits = 0
  package var visitRequests: UInt64 = 0
  package var isDraining = false
  /// Hubs of the same set that are known.
  package var otherHubs = 0
  /// Clients may be sent here.
  package var isReady = true
  package var limits = HubLimits()

  package init() {}
}
