/// The own host: what it was last told, and where it is believed to be (coordination 2.8).
struct HostState: Sendable {
  var item: ItemID?
  /// Host time of the last transition.
  var arrived: HostTime = .min
  var issued: Issued = .nothing
  /// Where a host that does not move stands; nil: unknown or moving.
  var rest: ItemTime?
  var outstanding: Outstanding?
  /// Host time since which the host has answered nothing that it was told, neither by completing it nor by doing it; nil: it
  /// has. A newer command does not excuse it.
  var unanswered: HostTime?
  /// Where its player says to stall since when, however short; the own register has it once it lasts.
  var stall: ParticipantValue.Moment?
  /// What its player can reach, as it said last; nil: everything.
  var reach: ClosedRange<ItemTime>?
  /// The newest command asked for less than the group's position, which was out of reach.
  var isShort = false
  /// What the host brought to its item when it might not propose it (within: nothing); nil: nothing waits.
  var unproposed: Proposal??
  /// Host time of the newest command.
  var commanded: HostTime = .min
  var seeks = Coalesced<(target: ItemTime, immediately: Bool)>()
  var rates = Coalesced<Double>()
  /// Ids from `firstCommand` up to here, without this one, were issued.
  var nextCommand: UInt64
  let firstCommand: UInt64
  /// Why it is commanded next, where that is not a new cell: it returns, or asked to be told again.
  var nextCause: Cause?
  var statistics = CoordinationStatistics()

  init(firstCommand: UInt64) {
    self.firstCommand = firstCommand
    nextCommand = firstCommand
  }

  enum Issued: Equatable, Sendable {
    case nothing
    case paused(at: ItemTime)
    case preparing(Preparing)
    /// In group time.
    case playing(Line)
  }

  /// A start to get ready for, and where: a hold may move while everybody prepares.
  struct Preparing: Equatable, Sendable {
    var readiness: ParticipantValue.Readiness
    var at: ItemTime
  }

  /// A command that was not completed yet; only the newest can be.
  struct Outstanding: Sendable {
    var id: UInt64
    var kind: PlaybackCommand.Kind
    var item: ItemID
    /// It sends the player to another position.
    var moves: Bool
    /// What its completion makes us ready for.
    var preparing: Preparing?
    /// Host time by which it must be completed; nil: it is `due`, the host was seen to do it, or it is suspended.
    var answerBy: HostTime?
    /// Group time by which the host must be prepared.
    var due: GroupTime?
    var overdue = false
  }

  mutating func forgetIssued() {
    issued = .nothing
    outstanding = nil
    unanswered = nil
  }

  /// The host is to be told again. One that was overdue has little time to answer: it is told as often as others do
  /// something, and would be shown as taking part all the while.
  mutating func forgetIssued(now: HostTime) {
    let wasOverdue = outstanding?.overdue ?? false
    forgetIssued()
    if wasOverdue { unanswered = now.subtracting(Parameters.waitLimit) }
  }

  /// Host time by which a command that is issued now has to be completed: later than the one before where it can only be
  /// done later, or comes when time is nearly up.
  mutating func answerBy(instant: HostTime?, now: HostTime) -> HostTime {
    // What was to be prepared may have had longer than that.
    let least = now.subtracting(Parameters.waitLimit)
    var since = unanswered ?? now
    if since < least.subtracting(Parameters.leastDue) { since = least }
    unanswered = since
    let limit = since.adding(Parameters.waitLimit)
    let begins = max(instant ?? now, now)
    return max(limit, begins, min(begins, limit).adding(Parameters.leastDue))
  }
}
