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

  /// What swapping it with the step after it would do.
  enum Neighbour: Sendable {
    /// Nothing: neither of the two reads or changes anything that the other one changes, or uses what it reads in this turn.
    case free
    /// Why it has to come before the next.
    case bound(StaticString)
    case last
  }

  let name: Name
  /// Left out while the group's time is in doubt (`Coordination.waitsForClock`).
  let needsGroupTime: Bool
  /// What it does, and what it needs of the steps before it.
  let reason: StaticString
  /// Tried by Tests/mutation, pair by pair.
  let next: Neighbour

  private init(_ name: Name, needsGroupTime: Bool = true, _ reason: StaticString, next: Neighbour) {
    self.name = name
    self.needsGroupTime = needsGroupTime
    self.reason = reason
    self.next = next
  }

  static let turn: [TurnStep] = [
    TurnStep(
      .adoptDueLevels, needsGroupTime: false,
      "Policy levels of the future whose time has come: what may count is judged by the policy, so they come first.", next: .bound("?")),
    TurnStep(
      .mergeDueStatements, needsGroupTime: false,
      "Statements of the future whose time has come are in the registers before anything is decided by these.", next: .bound("?")),
    TurnStep(
      .returnToSolo, needsGroupTime: false,
      "A link that did not come in time: the own host goes on alone, by its own time.", next: .bound("?")),
    TurnStep(
      .pull, needsGroupTime: false,
      "A member that did not answer, or joining that lasted long enough: the next is asked, or what is there is all.", next: .bound("?")),
    TurnStep(
      .reconcile,
      "Who came back did not say everything in time: what was done apart is judged by what is there.", next: .bound("?")),
    TurnStep(
      .mapClock, needsGroupTime: false,
      "Nobody mapped the hub's clock onto group time in time: group time is known, so that one can enter.", next: .bound("?")),
    TurnStep(
      .enter, "Registers and group time are there: from here on this turn is a member's.", next: .bound("?")),
    TurnStep(
      .expireParticipants, "Who has been gone for long does not count in what is decided below.", next: .bound("?")),
    TurnStep(
      .reviewSuccession,
      "Whether no owner has been there for long, so that a deputy acts: who may command is settled before anything is asked.",
      next: .bound("?")),
    TurnStep(
      .confirmCells, "Cells are written again under the policy in force, before anything continues them.", next: .bound("?")),
    TurnStep(
      .ownerTasks, "Lost removals and open wishes of roles, by owners: roles are settled before commands are given.", next: .bound("?")),
    TurnStep(
      .proposeUnproposed, "What waited for permission, which may have come by now, is proposed.", next: .bound("?")),
    TurnStep(
      .reviewSuspensions, "What the group did meanwhile ends the library's suspension, and drops proposals.", next: .bound("?")),
    TurnStep(
      .checkOverdue, "A command that was not completed in time suspends the host.", next: .bound("?")),
    TurnStep(
      .sendKeptRequests, "Seeks and rates that were kept because they came too soon after another.", next: .bound("?")),
    TurnStep(
      .showSuspensions, "The own register shows the suspensions as the steps above left them: who starts goes by it.", next: .bound("?")),
    TurnStep(
      .voidReadiness, "Commands above may have made the own readiness void: it counts in the start that is decided below.", next: .bound("?")),
    TurnStep(
      .showStall, "The own stall is in the own register once it has lasted: holds go by it.", next: .bound("?")),
    TurnStep(
      .rememberHold, "For whom the present hold is: nobody is held for twice for one stall.", next: .bound("?")),
    TurnStep(
      .reviewOwnStall, "Who stalls once more within a minute steps aside, instead of being held for again.", next: .bound("?")),
    TurnStep(
      .decideContinuation, "Start, hold or end, if due and ours to write: by everything above, before the host is told.", next: .bound("?")),
    TurnStep(
      .attribute, "Whose doing the state is, and what kind of doing: commands, notices and timing name it.", next: .bound("?")),
    TurnStep(
      .noticeActions, "What others did since the last turn, for people.", next: .bound("?")),
    TurnStep(
      .commandHost, "At most one command, by the state that this turn ends with.", next: .bound("?")),
    TurnStep(
      .voidReadinessAgain, "The start that was written above makes the readiness for it void.", next: .bound("?")),
    TurnStep(
      .rememberOccupation, "When the last one left an item, by everything that was merged and written.", next: .bound("?")),
    TurnStep(
      .collectItems, "Items that nobody has any more, and that are old, are forgotten.", next: .bound("?")),
    TurnStep(
      .exchange, "What somebody has otherwise, if its digest differed twice and still does.", next: .bound("?")),
    TurnStep(
      .publishOwnRegister, "The own register as the turn left it, once, in the same message as what was written.", next: .bound("?")),
    TurnStep(
      .flushOutbox, needsGroupTime: false, "Everything that was written in this turn goes out together.", next: .bound("?")),
    TurnStep(
      .beat, needsGroupTime: false, "The digest is of the registers as they were sent.", next: .bound("?")),
    TurnStep(
      .notifyTiming, "The timing for people, if it differs from what they were told.", next: .bound("?")),
    TurnStep(
      .notifySession, needsGroupTime: false, "Participants, suspensions, activity and end for people.", next: .last),
  ]
}
