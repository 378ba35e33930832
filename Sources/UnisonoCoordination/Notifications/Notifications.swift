import UnisonoBase
import UnisonoReplica

/// What people hear: the difference between what they were told and what is. Writes nothing.
struct Notifications: Sendable {
  /// Whose doing the current item's state is.
  private(set) var cause = StateCause()
  private var timing = TimingNotifications()
  private var participants = ParticipantNotifications()
  private var actions = ActionNotices()
  private var suspensions: [String] = []
  private var activity: Statement?
  private var playlist = PlaylistNotifications()
  private var copies = CopyComparison()
  private var schedule = ScheduleNotifications()

  mutating func attribute(_ facts: borrowing Facts, skips: Bool) { cause.attribute(facts, skips: skips) }

  mutating func noticeActions(_ facts: borrowing Facts, _ skip: SkipWatch.Skip?) -> [SessionEffect] { actions.compare(facts, skip) }

  /// Host time at which actions that belong together are over.
  var wake: HostTime? { actions.wake }

  /// Host time at which the countdown to a scheduled start goes on.
  func countdownWake(_ facts: borrowing Facts) -> HostTime? { schedule.wake(facts) }

  mutating func notifyTiming(_ facts: borrowing Facts) -> CoordinationEffect? {
    timing.change(facts, cause: cause).map { .playback(.timingChanged($0)) }
  }

  /// Group time is another: people are told the line anew.
  mutating func forgetLine() { timing.forgetLine() }

  /// The list of participants that people were told of is the one that there is.
  func isComplete(_ facts: borrowing Facts) -> Bool { participants.isComplete(facts) }

  /// Participants, suspensions, activity, playlist and copies; that the session is over is the kernel's to say.
  mutating func notifySession(
    _ facts: borrowing Facts, _ listing: borrowing ParticipantListing, as list: borrowing ParticipantList, suspensions reasons: [String]
  ) -> [CoordinationEffect] {
    var effects: [CoordinationEffect] = []
    if let change = participants.change(listing, as: list, facts) { effects.append(.session(.participantsChanged(change))) }
    if suspensions != reasons {
      suspensions = reasons
      effects.append(.playback(.suspensionsChanged(reasons)))
    }
    // A confirmation is no news.
    if facts.registers.changes.beyondParticipants, let statement = facts.registers[.activity], case .activity(let value) = statement.value,
      activity?.value != statement.value || activity?.said != statement.said
    {
      let author = statement.said.author
      effects.append(.session(.activityChanged(value, originator: author == facts.local ? .none : author)))
      activity = statement
    }
    if let change = playlist.change(facts) { effects.append(.session(.playlistChanged(change))) }
    if let change = schedule.change(facts) { effects.append(.session(.scheduleChanged(change))) }
    effects += copies.news(facts).map { .session(.copyCompared($0)) }
    return effects
  }
}
