import UnisonoCore

/// A HELLO that was sent over this link: a welcome answers exactly one.
struct PendingHello: Sendable {
  /// Who answers later is asked again. Whoever holds the key opens what was answered, so it is not kept for longer.
  static let lifetime = Nanoseconds.seconds(30)

  /// Type and items.
  let content: [UInt8]
  /// Made for it: the welcome is sealed to this.
  let key: AgreementKey
  /// Of somebody who was away, and may be behind alone; else of one who could not read this one member.
  let isReturning: Bool
  let until: HostTime
}
