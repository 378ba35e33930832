import UnisonoCrypto

/// Those who wait until it is known who is in a room at other hubs: to be shown that, or to be let in where the room is open already.
struct PendingLooks {
  struct Waiting {
    let connection: UInt64
    let entry: HubEntry
  }

  private var waiting: [[UInt8]: [Waiting]] = [:]

  mutating func add(_ entry: HubEntry, of connection: UInt64) {
    waiting[entry.topic, default: []].append(Waiting(connection: connection, entry: entry))
  }

  /// Removes those who wait for one room, in their order.
  mutating func remove(_ topic: [UInt8]) -> [Waiting] { waiting.removeValue(forKey: topic) ?? [] }
}
