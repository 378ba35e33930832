import UnisonoBase

/// Policy of when and where a client tries again after a link was lost or refused.
///
/// Addresses are taken in turn. The first try after a loss is quick, so that a hiccup costs nothing; the waiting time
/// doubles from there, with a random part, so that a whole room does not come back in one instant.
package struct ReconnectPolicy: Equatable, Sendable {
  package static let shortest = Nanoseconds.milliseconds(100)
  package static let longest = Nanoseconds.seconds(10)

  package enum Outcome: Equatable, Sendable {
    /// Not reached, lost, or no place there: try the next.
    case failed
    /// No place there, and the hub said how long.
    case full(retry: Nanoseconds)
    /// Another hub than expected answers there: try the next at once.
    case wrongHub
    /// Nothing listens there: try the next at once.
    case gone
    /// Not admitted, or no common version: trying again changes nothing.
    case fatal
  }

  package enum Next: Equatable, Sendable {
    /// Connect to the address of this index after waiting.
    case connect(index: Int, after: Nanoseconds)
    case stop
  }

  private let addresses: Int
  private var index: Int
  private var tries = 0

  /// For a list of `addresses`, at least one, of which the one at `index` is tried first.
  package init(addresses: Int, startingAt index: Int = 0) {
    self.addresses = max(1, addresses)
    self.index = index
  }

  /// The first address to try.
  package var current: Int { index }

  /// A link came up: the next loss starts with the shortest wait, at the same address.
  package mutating func entered() { tries = 0 }

  /// The one whose turn it is is passed over.
  package mutating func skip() { index = (index + 1) % addresses }

  /// Next step after `outcome`. `wasEntered`: the link had been up, so its address deserves another try first.
  /// `random` is even in 0..<1.
  package mutating func next(after outcome: Outcome, wasEntered: Bool = false, random: Double) -> Next {
    if outcome == .fatal { return .stop }
    if !wasEntered { index = (index + 1) % addresses }
    tries += 1
    var wait = Self.longest
    // A full turn through the list counts as one try, and only its end waits long: dead addresses beside a good one delay
    // nothing.
    let turns = tries % addresses == 0 ? tries / addresses - 1 : 0
    if turns < 7 { wait = min(wait, Self.shortest << turns) }
    let jittered = wait.scaled(by: 0.75 + 0.5 * random)
    if case .full(let retry) = outcome {
      return .connect(index: index, after: clamped(addresses == 1 ? max(retry, jittered) : jittered))
    }
    if outcome == .wrongHub || outcome == .gone, !wasEntered, tries % addresses != 0 { return .connect(index: index, after: 0) }
    return .connect(index: index, after: clamped(jittered))
  }

  private func clamped(_ wait: Nanoseconds) -> Nanoseconds { max(Self.shortest, min(Self.longest, wait)) }
}
