import UnisonoBase

/// A HELLO that was sent over this link, which answers within a time are for.
struct PendingHello: Sendable {
  /// A later answer does not count. Whoever has the key can open the answer, so it is not kept for longer.
  static let lifetime = Nanoseconds.seconds(10)

  /// Type and items.
  let content: [UInt8]
  /// Made for it: the welcome is sealed to this.
  let key: HybridKey
  let until: HostTime
}
