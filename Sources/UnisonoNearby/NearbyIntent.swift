/// What one device asks of another.
package enum NearbyIntent: UInt8, Sendable, CaseIterable {
  /// "Let me join": the asked device has a session and hands out its invite.
  case join = 1
  /// "Come and join mine": the asking device has a session and hands over its invite.
  case invite = 2
}
