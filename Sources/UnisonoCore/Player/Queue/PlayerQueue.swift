/// What is to be played, the current one first.
struct PlayerQueue: Sendable {
  static let limit = 1_024

  private(set) var current: PlayerItem?
  private(set) var upcoming: [PlayerItem] = []

  /// Whether an item of this identifier is there.
  func contains(_ id: ItemID) -> Bool { current?.id == id || upcoming.contains { $0.id == id } }

  /// Puts an item behind `other`, at the end for nil. Returns false if `other` is not there.
  mutating func insert(_ item: PlayerItem, after other: ItemID?) -> Bool {
    guard let other else {
      upcoming.append(item)
      return true
    }
    if current?.id == other {
      upcoming.insert(item, at: 0)
      return true
    }
    guard let index = upcoming.firstIndex(where: { $0.id == other }) else { return false }
    upcoming.insert(item, at: index + 1)
    return true
  }

  mutating func removeUpcoming(_ id: ItemID) { upcoming.removeAll { $0.id == id } }

  mutating func replaceCurrent(_ item: PlayerItem?) { current = item }

  /// The next one becomes current; nil: there is none, and nothing is.
  mutating func advance() { current = upcoming.isEmpty ? nil : upcoming.removeFirst() }

  mutating func noteDuration(_ duration: Nanoseconds) { current?.duration = duration }
}
