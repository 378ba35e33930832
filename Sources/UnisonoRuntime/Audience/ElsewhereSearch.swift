import UnisonoBase

/// When one who listens, and hears nothing, turns to another hub: of hubs that do not hear each other each has what is said there.
///
/// First at random within a while after it fell silent, so that not all who do come at once; then after twice as long each time, up to
/// `longest`, as in an audience where nobody speaks at any hub.
struct ElsewhereSearch: Sendable {
  /// Over which those who fell silent turn elsewhere, and how many of them in a second.
  private static let leastSpread = Nanoseconds.seconds(15)
  private static let movers: Int64 = 1_000
  private static let longest = Nanoseconds.seconds(600)

  /// Host time; nil: something is heard.
  private(set) var due: HostTime?
  /// Over which the next time is spread.
  private var spread: Nanoseconds = 0

  /// Nothing is heard. `listeners`: how many may have fallen silent at once; `fraction`: at random, 0..<1.
  mutating func begin(listeners: UInt32, fraction: Double, now: HostTime) {
    spread = min(Self.longest, max(Self.leastSpread, .seconds(Int64(listeners)) / Self.movers))
    due = now.adding(spread.scaled(by: fraction))
  }

  /// Another hub is turned to.
  mutating func turned(fraction: Double, now: HostTime) {
    spread = min(Self.longest, 2 * spread)
    due = now.adding((spread / 2).scaled(by: 1 + fraction))
  }

  /// Something is heard.
  mutating func end() { due = nil }
}
