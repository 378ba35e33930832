import UnisonoBase

/// How a simulated context is connected to all others: delays one way, evenly spread jitter and losses of datagrams. What is sent
/// over streams is late, never lost.
package struct SimulatedLink: Sendable {
  /// Nothing passes: datagrams are lost, streams stand still.
  package var isDown = false
  package var delayOut: Nanoseconds = .microseconds(100)
  package var delayIn: Nanoseconds = .microseconds(100)
  /// Each passage is late or early by up to so much.
  package var jitter: Nanoseconds = 0
  /// 0...1.
  package var loss = 0.0

  package init() {}

  /// The way out of this one and in through `other`.
  func path(to other: SimulatedLink) -> VirtualPath {
    VirtualPath(
      delay: delayOut.adding(other.delayIn), jitter: jitter.adding(other.jitter), loss: 1 - (1 - loss) * (1 - other.loss))
  }
}
