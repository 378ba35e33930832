import UnisonoBase
import UnisonoCoordination

/// The items to be played, the current one first, and whether the next one goes on playing.
struct PlayerQueue: Sendable {
  /// The next item is to go on playing, once it is current and nobody has said otherwise about it.
  private struct Continuation: Sendable {
    var item: ItemID
    var rate: Double
  }

  static let limit = 1_024

  private(set) var current: PlayerItem?
  private(set) var upcoming: [PlayerItem] = []
  private var continuation: Continuation?

  var hasContinuation: Bool { continuation != nil }

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

  /// The current item goes on at this rate, 0: it does not.
  mutating func goOn(at rate: Double) {
    continuation = nil
    if let current, rate != 0 { continuation = Continuation(item: current.id, rate: rate) }
  }

  /// Somebody said what is to be: nothing goes on by itself.
  mutating func endContinuation() { continuation = nil }

  /// Returns the rate to ask for, where the item's state is nobody's doing; what a person did about it counts.
  mutating func continuationRate(after change: TimingChange) -> Double? {
    guard let continuation, change.item == continuation.item, change.status != .none else { return nil }
    self.continuation = nil
    guard change.status == .paused, change.cause == .proposal else { return nil }
    return continuation.rate
  }
}
