import UnisonoBase

/// A HELLO that was sent over this link: a welcome answers exactly one.
struct PendingHello: Sendable {
  /// A later answer does not count. Whoever has the key can open the answer, so it is not kept for longer.
  static let lifetime = Nanoseconds.seconds(30)

  /// Type and items.
  let content: [UInt8]
  /// Made for it: the welcome is sealed to this.
  let key: AgreementKey
  /// True: sent by a participant that was away and may be behind; false: by one that could not read this one member.
  let isReturning: Bool
  let until: HostTime
}
