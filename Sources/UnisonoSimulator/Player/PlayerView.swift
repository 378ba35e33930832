import UnisonoBase
import UnisonoCoordination

/// What a test may ask of a player, at the room's present instant or at any earlier one.
package struct PlayerView {
  package let player: Player
  let clock: LocalClock
  let now: Nanoseconds

  package var item: ItemID? { player.item }
  package var commands: [ReceivedCommand] { player.commands }
  package var kinds: [PlaybackCommand.Kind] { player.commands.map { $0.kind } }
  /// Where it is now, ns of its item.
  package var position: ItemTime { position(at: now) }
  /// 0: it stands.
  package var rate: Double { player.motion(at: clock.host(at: now)).rate }
  package var isPlaying: Bool { rate != 0 }
  /// What it has of its item now; nil: everything.
  package var range: ClosedRange<ItemTime>? { player.reach?.range(at: clock.host(at: now)) }

  /// Where it was at a true time.
  package func position(at time: Nanoseconds) -> ItemTime { player.position(at: clock.host(at: time)) }
  package func rate(at time: Nanoseconds) -> Double { player.motion(at: clock.host(at: time)).rate }
  /// What it was told after a true time.
  package func commands(since time: Nanoseconds) -> [ReceivedCommand] { player.commands.filter { $0.at > time } }
  package func kinds(since time: Nanoseconds) -> [PlaybackCommand.Kind] { commands(since: time).map { $0.kind } }

  /// A change from standing to moving.
  package struct Start: Hashable, Sendable {
    /// True time.
    package var at: Nanoseconds
    package var position: ItemTime
    package var rate: Double

    package init(at: Nanoseconds, position: ItemTime, rate: Double) {
      self.at = at
      self.position = position
      self.rate = rate
    }
  }

  /// When and from where it began to move after a true time, until now.
  package func starts(since time: Nanoseconds = 0) -> [Start] {
    player.starts.map { Start(at: clock.time(at: $0.since), position: $0.at, rate: $0.rate) }
      .filter { $0.at > time && $0.at <= now }
  }
}
