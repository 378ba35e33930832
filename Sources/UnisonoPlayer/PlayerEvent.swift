import UnisonoBase
import UnisonoCoordination
import UnisonoReplica

/// Everything that can happen to a player: `(state, event, now) -> (state, effects)`.
package enum PlayerEvent: Sendable {
  // From the person, through the host.
  case insert(PlayerItem, after: ItemID?)
  case remove(ItemID)
  case advance
  /// nil: nothing plays.
  case replaceCurrent(PlayerItem?)
  /// At the default rate.
  case play
  case pause
  /// 0 pauses.
  case setRate(Double)
  /// nil: at the default rate.
  case playImmediately(rate: Double?)
  case setDefaultRate(Double)
  /// `id` is the caller's name for the seek, unique in the player's life; tolerances are ns, `.max`: any.
  case seek(id: UInt64, to: ItemTime, before: Nanoseconds, after: Nanoseconds)
  case scrubBegin
  case scrubTo(ItemTime)
  /// true: the group goes where the slider was left.
  case scrubEnd(commit: Bool)
  /// "What did they say": back by so much, for the own host alone, until the group is caught up with.
  case replay(back: Nanoseconds, rate: Double)
  case interruptionBegin
  case interruptionEnd(resume: Bool)
  case interstitialBegin
  case interstitialEnd
  /// The person's own, 0...1.
  case setVolume(Double)
  /// Somebody else began or ceased to speak: true while anybody does.
  case othersSpeak(Bool)
  case setRenderSize(width: Int32, height: Int32)
  /// false: the last place where it was shown is gone.
  case shown(Bool)

  // From the renderer.
  case report(RendererReport)

  // From the coordination.
  case command(PlaybackCommand)
  /// The group's timing as of the last turn.
  case timing(PublishedTiming)
  case timingChanged(TimingChange)
  case suspensionsChanged([String])
  /// A request of this player was refused; the status is an error code of the C API.
  case refused(operation: Operation, status: Int32)
  /// The group as of its last turn: it waits for one that stalls; nobody else is on the item.
  case company(waitsForStalls: Bool, isAlone: Bool, actionAtEnd: ActionAtEnd)

  /// `nextWake` has come.
  case tick
  /// The player ends: what was asked for is answered now.
  case close
}

/// An effect that the shell has to carry out after a step, in this order.
package enum PlayerEffect: Sendable {
  /// To the coordination whose host this player is.
  case coordinate(CoordinationEvent)
  /// To the renderer.
  case render(RendererCommand)
  /// Ask the renderer where it is, and give the answer as a `.report`.
  case askPosition
  /// To the host.
  case notify(PlayerNotice)
  /// A request of the host cannot be carried out now.
  case refuse(operation: Operation, message: String)
}

extension PlayerEvent {
  /// What a player follows of its coordination after a turn of that, in this order.
  package static func following(_ view: CoordinationView, othersSpeak: Bool) -> [PlayerEvent] {
    [
      .othersSpeak(othersSpeak),
      .company(waitsForStalls: view.waitsForStalls, isAlone: view.isAlone, actionAtEnd: view.actionAtEnd), .timing(view.timing),
    ]
  }

  /// What a player follows of what its coordination says beside its timing; nil: nothing.
  ///
  /// - Parameter status: the number that the host knows a refusal by.
  package init?(_ effect: PlaybackEffect, status: (CoordinationStatus) -> Int32) {
    switch effect {
    case .command(let command): self = .command(command)
    case .timingChanged(let change): self = .timingChanged(change)
    case .suspensionsChanged(let reasons): self = .suspensionsChanged(reasons)
    case .refused(let operation, let reason, _): self = .refused(operation: operation, status: status(reason))
    case .commandOverdue: return nil
    }
  }
}
