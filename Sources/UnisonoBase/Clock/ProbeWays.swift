/// The ways on which a hub is asked for its time.
package struct ProbeWays: OptionSet, Equatable, Sendable {
  package var rawValue: UInt8
  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// UDP: nothing waits for anything.
  package static let datagram = ProbeWays(rawValue: 1)
  /// In the stream to the hub, where it may wait behind other frames and for what was lost.
  package static let stream = ProbeWays(rawValue: 2)
}
