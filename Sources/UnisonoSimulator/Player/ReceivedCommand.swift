import UnisonoBase
import UnisonoCoordination
import UnisonoReplica

/// A command as a host got it.
package struct ReceivedCommand: Sendable {
  /// One of the starts that an item's state goes through: of which commands, and which one of them.
  struct Start: Equatable, Sendable {
    var rate: Stamp?
    var position: Stamp?
    /// Where it starts, where somebody lies: that one gives one stamp, or one step, two places.
    var at: ItemTime?
    var step: UInt32
    /// How far the own cut is ahead of the group's item time, ns.
    var cut: Nanoseconds
    /// Of the own copy that are not the group's.
    var ranges: [InterstitialRange]
  }

  /// True time.
  package var at: Nanoseconds
  package var command: PlaybackCommand
  /// What it prepares for; nil: nothing.
  var start: Start?
  /// True time at which the host completed it; nil: it did not.
  package var completedAt: Nanoseconds?

  package var kind: PlaybackCommand.Kind { command.kind }
}
