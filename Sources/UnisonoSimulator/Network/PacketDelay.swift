import UnisonoBase

/// One direction of a path: how long a packet takes, drawn one by one.
package struct PacketDelay: Hashable, Sendable {
  package enum Shape: Hashable, Sendable {
    /// Always the same.
    case constant
    /// Anything between base - spread and base + spread.
    case uniform
    /// A hard floor at base - spread and a long tail; base on average.
    case queueing
  }

  /// Two states, drawn for each packet: in the bad one more is added, and more is lost.
  package struct Burst: Hashable, Sendable {
    package var enters: Double
    package var leaves: Double
    package var adds: ClosedRange<Nanoseconds>
    package var loss: Double
  }

  /// ns.
  package var base: Nanoseconds
  /// ns.
  package var spread: Nanoseconds = 0
  package var shape = Shape.constant
  package var burst: Burst?
  /// How many packets are lost, by chance.
  package var loss: Double = 0

  /// ns; nil: the packet is lost. `isBad` is the state of bursts, kept by whoever asks.
  func draw(_ generator: inout Xoshiro256, isBad: inout Bool) -> Nanoseconds? {
    var delay = base
    switch shape {
    case .constant: break
    case .uniform: delay += generator.number(in: -spread...spread)
    case .queueing: delay += spread.scaled(by: (generator.exponential() + generator.exponential() - 2) / 2)
    }
    var loss = loss
    if let burst {
      isBad = isBad ? !generator.chance(burst.leaves) : generator.chance(burst.enters)
      if isBad {
        delay += generator.number(in: burst.adds)
        loss = max(loss, burst.loss)
      }
    }
    if loss > 0, generator.chance(loss) { return nil }
    return max(0, delay)
  }
}
