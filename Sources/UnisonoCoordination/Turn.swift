/// The turn of a `Coordination`: the steps of `settle`, in the order in which they are done.
///
/// The order goes from what is known to what follows of it: who and what is there, what time it is, what was asked, what is
/// decided, what the host is told, what the others are told, what people are told. A step that is done at a certain time says
/// when (`Coordination.wake(of:)`): there is no second list of that.
struct TurnStep: Sendable {
  enum Name: CaseIterable, Sendable {
    case mergeDueStatements, returnToSolo, pull, reconcile, mapClock, enter, expireParticipants
    case reviewSuccession
    case confirmCells, ownerTasks, proposeUnproposed, followCut, reviewInterstitials, reviewSuspensions, checkOverdue, sendKeptRequests
    case pauseForLeaver, startScheduled
    case showSuspensions, voidReadiness, releaseReadiness, showStall, rememberHold, reviewOwnStall, decideContinuation, advancePlaylist
    case countMissedStarts, attribute, noticeActions, commandHost, voidReadinessAgain, rememberOccupation, collectItems
    case exchange, publishOwnRegister, flushOutbox, beat, notifyTiming, notifySession

    /// It is about what is the session's: a named coordinator leaves it out.
    var isOfSession: Bool {
      switch self {
      case .mapClock, .reviewSuccession, .ownerTasks: true
      default: false
      }
    }
  }

  /// What swapping it with the step after it does: as it was read from the two steps. `Tests/mutation/mutate.py --turn` tries
  /// each pair, and says where this is wrong.
  enum Neighbour: Sendable {
    /// Nothing: seeds decide the same.
    case free
    /// What needs this order: a test or a seed notices the swap.
    case bound(StaticString)
    /// What needs this order, though no test and no seed breaks a rule without it.
    case unnoticed(StaticString)
    case last
  }

  let name: Name
  /// Left out while the group's time is in doubt (`Facts.waitsForClock`).
  let needsGroupTime: Bool
  /// What it does, and what it needs of the steps before it.
  let reason: StaticString
  let next: Neighbour

  private init(_ name: Name, needsGroupTime: Bool = true, _ reason: StaticString, next: Neighbour) {
    self.name = name
    self.needsGroupTime = needsGroupTime
    self.reason = reason
    self.next = next
  }

  /// What a turn walks: names and needs alone, as reasons would be copied with each step.
  static let order: [(name: Name, needsGroupTime: Bool)] = turn.map { ($0.name, $0.needsGroupTime) }

  static let turn: [TurnStep] = [
    TurnStep(
      .mergeDueStatements, needsGroupTime: false,
      "Statements of the future whose time has come are in the registers before anything is decided by these.",
      next: .free),
    TurnStep(
      .returnToSolo, needsGroupTime: false,
      "A link that did not come in time: the own host goes on alone, by its own time.",
      next: .free),
    TurnStep(
      .pull, needsGroupTime: false,
      "A member that did not answer, or joining that lasted long enough: the next is asked, or what is there is all.",
      next: .free),
    TurnStep(
      .reconcile,
      "Who came back did not say everything in time: what was done apart is judged by what is there.",
      next: .unnoticed("a clock that is mapped while apart is mapped by a guess")),
    TurnStep(
      .mapClock, needsGroupTime: false,
      "Nobody mapped the hub's clock onto group time in time: group time is known, so that one can enter.",
      next: .bound("who has mapped the clock knows group time, and enters in this turn")),
    TurnStep(
      .enter,
      "Registers and group time are there: from here on this turn is a member's.",
      next: .free),
    TurnStep(
      .expireParticipants,
      "Who has been gone for long does not count in what is decided below.",
      next: .free),
    TurnStep(
      .reviewSuccession, needsGroupTime: false,
      "Whether no owner has been there for long, so that a deputy acts: who may command is settled before anything is asked.",
      next: .unnoticed("cells are confirmed under the policy that this turn ends with")),
    TurnStep(
      .confirmCells,
      "Cells are written again under the policy in force, before anything continues them.",
      next: .unnoticed("cells are confirmed under the policy that others know, before it changes again")),
    TurnStep(
      .ownerTasks,
      "Lost removals and open wishes of roles, by owners: roles are settled before commands are given.",
      next: .free),
    TurnStep(
      .proposeUnproposed,
      "What waited for permission, which may have come by now, is proposed.",
      next: .unnoticed("what is proposed is where the host is by the cut that it had when it said so")),
    TurnStep(
      .followCut,
      "The own copy is another cut by now, or the group is at another entry: the own player is elsewhere, and ready for nothing there.",
      next: .unnoticed("whether the own player is in a range goes by the cut that it has")),
    TurnStep(
      .reviewInterstitials,
      "The own player comes into a range that is not the group's, or is through it: who takes part is known before anything is decided.",
      next: .free),
    TurnStep(
      .reviewSuspensions,
      "What the group did meanwhile ends the library's suspension, and drops proposals.",
      next: .free),
    TurnStep(
      .checkOverdue,
      "A command that was not completed in time suspends the host; one that is not done any more is given again.",
      next: .unnoticed("a seek that is sent below is a new command, which ends the suspension")),
    TurnStep(
      .sendKeptRequests,
      "Seeks and rates that were kept because they came too soon after another.",
      next: .free),
    TurnStep(
      .pauseForLeaver,
      "Somebody left, and the session pauses then: a command like those above, before what is started is decided.",
      next: .unnoticed("who left pauses what is about to be started")),
    TurnStep(
      .startScheduled,
      "The time that the group agreed on is near: a command like those above, before what is started is decided.",
      next: .free),
    TurnStep(
      .showSuspensions,
      "The own register shows the suspensions as the steps above left them: who starts goes by it.",
      next: .free),
    TurnStep(
      .voidReadiness,
      "Commands above may have made the own readiness void: it counts in the start that is decided below.",
      next: .free),
    TurnStep(
      .releaseReadiness,
      "Enough of those who listen are ready, or were waited for long enough: the own readiness counts in the start that is decided below.",
      next: .free),
    TurnStep(
      .showStall,
      "The own stall is in the own register once it has lasted: holds go by it.",
      next: .unnoticed("a hold is for everybody who is stalled then, the own one included")),
    TurnStep(
      .rememberHold,
      "For whom the present hold is: nobody is held for twice for one stall.",
      next: .unnoticed("whether the own stall has been held for is asked of what is remembered")),
    TurnStep(
      .reviewOwnStall,
      "Who stalls once more within a minute steps aside, instead of being held for again.",
      next: .bound("who steps aside is not held for, and keeps nothing")),
    TurnStep(
      .decideContinuation,
      "Start, hold or end, if due and ours to write: by everything above, before the host is told.",
      next: .unnoticed("the end that was written just now is followed by the next entry in this turn")),
    TurnStep(
      .advancePlaylist,
      "The next entry of the playlist, if the current one has ended and it is ours to write.",
      next: .free),
    TurnStep(
      .countMissedStarts,
      "Who was not ready for a start that is made by now: people are told, and the next one may not wait for it.",
      next: .free),
    TurnStep(
      .attribute,
      "Whose doing the state is, and what kind of doing: commands and timing name it.",
      next: .free),
    TurnStep(
      .noticeActions,
      "What others did since the last turn, for people.",
      next: .unnoticed("who was missing is judged by readiness before the host is told something else")),
    TurnStep(
      .commandHost,
      "At most one command, by the state that this turn ends with.",
      next: .free),
    TurnStep(
      .voidReadinessAgain,
      "The start that was written above makes the readiness for it void.",
      next: .free),
    TurnStep(
      .rememberOccupation,
      "When the last one left an item, by everything that was merged and written.",
      next: .free),
    TurnStep(
      .collectItems,
      "Items that nobody has any more, and that are old, are forgotten.",
      next: .free),
    TurnStep(
      .exchange,
      "What somebody has otherwise, if its digest differed twice and still does.",
      next: .unnoticed("what goes out as had is what the others were sent, not what they are about to be")),
    TurnStep(
      .publishOwnRegister,
      "The own register as the turn left it, once, in the same message as what was written.",
      next: .bound("what is published goes out with the turn that brought it about")),
    TurnStep(
      .flushOutbox, needsGroupTime: false,
      "Everything that was written in this turn goes out together.",
      next: .bound("a digest must not be there before what it is of")),
    TurnStep(
      .beat, needsGroupTime: false,
      "The digest is of the registers as they were sent.",
      next: .free),
    TurnStep(
      .notifyTiming,
      "The timing for people, if it differs from what they were told.",
      next: .unnoticed("people hear first what plays, then who is there; the order of two notices")),
    TurnStep(
      .notifySession, needsGroupTime: false,
      "Participants, suspensions, activity and end for people.",
      next: .last),
  ]
}
