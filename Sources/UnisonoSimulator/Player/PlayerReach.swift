import UnisonoBase

/// What a player has of its item.
package enum PlayerReach: Hashable, Sendable {
  /// From 0 to here; it stands there when it has played that far.
  case cut(end: ItemTime)
  /// The last `window` ns before an edge that moves on with the player's clock, and is at `edge` at its host time 0.
  case live(edge: ItemTime, window: Nanoseconds)

  package func range(at host: HostTime) -> ClosedRange<ItemTime> {
    switch self {
    case .cut(let end): 0...end
    case .live(let edge, let window): (edge + host - window)...(edge + host)
    }
  }

  /// How fast it goes on at the end of what it has.
  var rateAtEnd: Double { if case .cut = self { 0 } else { 1 } }

  var isLive: Bool { if case .live = self { true } else { false } }
}
