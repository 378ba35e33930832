/// The turn of a `Coordination`: the steps of `settle`, in the order in which they are done.
///
/// The order goes from what is known to what follows of it: who and what is there, what time it is, what was asked, what is
/// decided, what the host is told, what the others are told, what people are told. A step that is done at a certain time says
/// when (`Coordination.wake(of:)`): there is no second list of that.
struct TurnStep: Sendable {
  enum Name: Sendable {
    case adoptDueLevels, mergeDueStatements, returnToSolo, pull, reconcile, mapClock, enter, expireParticipants
    case reviewSuccession
    case confirmCells, ownerTasks, proposeUnproposed, reviewSuspensions, checkOverdue, sendKeptRequests
    case showSuspensions, voidReadiness, showStall, rememberHold, reviewOwnStall, decideContinuation
    case attribute, noticeActions, commandHost, voidReadinessAgain, rememberOccupation, collectItems
    case exchange, publishOwnRegister, flushOutbox, beat, notifyTiming, notifySession
  }

  let name: Name
  /// Left out while the group's time is in doubt (`Coordination.waitsForClock`).
  let needsGroupTime: Bool
  /// What it does, and what it needs of the steps before it.
  let reason: StaticString

  private init(_ name: Name, needsGroupTime: Bool = true, _ reason: StaticString) {
    self.name = name
    self.needsGroupTime = needsGroupTime
    self.reason = reason
  }

  static let turn: [TurnStep] = [
    TurnStep(
      .adoptDueLevels, needsGroupTime: false,
      "Policy levels of the future whose time has come: what may count is judged by the policy, so they come first."),
    TurnStep(
      .mergeDueStatements, needsGroupTime: false,
      "Statements of the future whose time has come are in the registers before anything is decided by these."),
    TurnStep(
      .returnToSolo, needsGroupTime: false,
      "A link that did not come in time: the own host goes on alone, by its own time."),
    TurnStep(
      .pull, needsGroupTime: false,
      "A member that did not answer, or joining that lasted long enough: the next is asked, or what is there is all."),
    TurnStep(
      .reconcile,
      "Who came back did not say everything in time: what was done apart is judged by what is there."),
    TurnStep(
      .mapClock, needsGroupTime: false,
      "Nobody mapped the hub's clock onto group time in time: group time is known, so that one can enter."),
    TurnStep(
      .enter, "Registers and group time are there: from here on this turn is a member's."),
    TurnStep(
      .expireParticipants, "Who has been gone for long does not count in what is decided below."),
    TurnStep(
      .reviewSuccession,
      "Whether no owner has been there for long, so that a deputy acts: who may command is settled before anything is asked."),
    TurnStep(
      .confirmCells, "Cells are written again under the policy in force, before anything continues them."),
    TurnStep(
      .ownerTasks, "Lost removals and open wishes of roles, by owners: roles are settled before commands are given."),
    TurnStep(
      .proposeUnproposed, "What waited for permission, which may have come by now, is proposed."),
    TurnStep(
      .reviewSuspensions, "What the group did meanwhile ends the library's suspension, and drops proposals."),
    TurnStep(
      .checkOverdue, "A command that was not completed in time suspends the host."),
    TurnStep(
      .sendKeptRequests, "Seeks and rates that were kept because they came too soon after another."),
    TurnStep(
      .showSuspensions, "The own register shows the suspensions as the steps above left them: who starts goes by it."),
    TurnStep(
      .voidReadiness, "Commands above may have made the own readiness void: it counts in the start that is decided below."),
    TurnStep(
      .showStall, "The own stall is in the own register once it has lasted: holds go by it."),
    TurnStep(
      .rememberHold, "For whom the present hold is: nobody is held for twice for one stall."),
    TurnStep(
      .reviewOwnStall, "Who stalls once more within a minute steps aside, instead of being held for again."),
    TurnStep(
      .decideContinuation, "Start, hold or end, if due and ours to write: by everything above, before the host is told."),
    TurnStep(
      .attribute, "Whose doing the state is, and what kind of doing: commands, notices and timing name it."),
    TurnStep(
      .noticeActions, "What others did since the last turn, for people."),
    TurnStep(
      .commandHost, "At most one command, by the state that this turn ends with."),
    TurnStep(
      .voidReadinessAgain, "The start that was written above makes the readiness for it void."),
    TurnStep(
      .rememberOccupation, "When the last one left an item, by everything that was merged and written."),
    TurnStep(
      .collectItems, "Items that nobody has any more, and that are old, are forgotten."),
    TurnStep(
      .exchange, "What somebody has otherwise, if its digest differed twice and still does."),
    TurnStep(
      .publishOwnRegister, "The own register as the turn left it, once, in the same message as what was written."),
    TurnStep(
      .flushOutbox, needsGroupTime: false, "Everything that was written in this turn goes out together."),
    TurnStep(
      .beat, needsGroupTime: false, "The digest is of the registers as they were sent."),
    TurnStep(
      .notifyTiming, "The timing for people, if it differs from what they were told."),
    TurnStep(
      .notifySession, needsGroupTime: false, "Participants, suspensions, activity and end for people."),
  ]
}
