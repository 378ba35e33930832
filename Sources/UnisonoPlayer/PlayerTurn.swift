/// The turn of a `MediaPlayer`: what time alone brings about after each event, in the order in which it is done.
///
/// A step that is done at a certain time says when (`MediaPlayer.wake(of:)`): there is no second list of that.
struct PlayerTurnStep: Sendable {
  enum Name: CaseIterable, Sendable {
    case rampVolume, startIfDue, endNudge, reviewHalt, reviewSeek, reviewReplay, sample, notify
  }

  let name: Name
  /// What it does, and what it needs of the steps before it.
  let reason: StaticString

  static let turn: [PlayerTurnStep] = [
    PlayerTurnStep(
      name: .rampVolume,
      reason: "The sound follows the ramp, on ticks alone: other events come more often than the ear resolves."),
    PlayerTurnStep(
      name: .startIfDue,
      reason: "A start that has waited for its instant goes first: each ns spent before it is heard."),
    PlayerTurnStep(
      name: .endNudge,
      reason: "A nudge that is through ends, unless the start above has ended it: its length is what was worked out."),
    PlayerTurnStep(
      name: .reviewHalt,
      reason: "A halt that outlasted the debounce is a stall; a start that was told above has cleared no halt yet."),
    PlayerTurnStep(
      name: .reviewSeek,
      reason: "A seek that brought no command is answered, once the event has had its chance to answer it."),
    PlayerTurnStep(
      name: .reviewReplay,
      reason: "What is repeated ends where it meets the group: by where the renderer is after all of the above."),
    PlayerTurnStep(
      name: .sample,
      reason: "The renderer is asked where it is, once it is known whether it runs at all."),
    PlayerTurnStep(
      name: .notify,
      reason: "The host hears what changed, when nothing changes any more: one notice of a kind a turn."),
  ]
}
