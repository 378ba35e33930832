import UnisonoCore

/// What a test may ask of a player, at the room's present instant or at any earlier one.
public struct PlayerView {
  public let player: Player
  let clock: LocalClock
  let now: Nanoseconds

  public var item: ItemID? { player.item }
  public var commands: [ReceivedCommand] { player.commands }
  public var kinds: [PlaybackCommand.Kind] { player.commands.map(\.kind) }
  /// Where it is now, ns of its item.
  public var position: ItemTime { position(at: now) }
  /// 0: it stands.
  public var rate: Double { player.motion(at: clock.host(at: now)).rate }
  public var isPlaying: Bool { rate != 0 }
  /// What it has of its item now; nil: everything.
  public var range: ClosedRange<ItemTime>? { player.reach?.range(at: clock.host(at: now)) }

  /// Where it was at a true time.
  public func position(at time: Nanoseconds) -> ItemTime { player.position(at: clock.host(at: time)) }
  public func rate(at time: Nanoseconds) -> Double { player.motion(at: clock.host(at: time)).rate }
  /// What it was told after a true time.
  public func commands(since time: Nanoseconds) -> [ReceivedCommand] { player.commands.filter { $0.at > time } }
  public func kinds(since time: Nanoseconds) -> [PlaybackCommand.Kind] { commands(since: time).map(\.kind) }

  /// A change from standing to moving.
  public struct Start: Hashable, Sendable {
    /// True time.
    public var at: Nanoseconds
    public var position: ItemTime
    public var rate: Double

    public init(at: Nanoseconds, position: ItemTime, rate: Double) {
      self.at = at
      self.position = position
      self.rate = rate
    }
  }

  /// When and from where it began to move after a true time, until now.
  public func starts(since time: Nanoseconds = 0) -> [Start] {
    player.starts.map { Start(at: clock.time(at: $0.since), position: $0.at, rate: $0.rate) }
      .filter { $0.at > time && $0.at <= now }
  }
}
