import UnisonoCrypto

/// Those who wait until it is known who is in a room at other hubs: to be shown that, or to be let in where the room, or the audience, is
/// open already.
struct PendingLooks {
  struct Waiting {
    let connection: UInt64
    let entry: HubEntry
  }

  /// For so many rooms at a time somebody waits who opens none.
  private static let most = 256

  private var waiting: [[UInt8]: [Waiting]] = [:]

  mutating func add(_ entry: HubEntry, of connection: UInt64) {
    waiting[entry.topic, default: []].append(Waiting(connection: connection, entry: entry))
  }

  /// Somebody waits for this room.
  func isAwaited(_ topic: [UInt8]) -> Bool { waiting[topic] != nil }

  /// Another room is not looked for on behalf of who opens none: anybody can name any.
  var isFull: Bool { waiting.count >= Self.most }

  /// Removes those who wait for one room, in their order.
  mutating func remove(_ topic: [UInt8]) -> [Waiting] { waiting.removeValue(forKey: topic) ?? [] }
}
