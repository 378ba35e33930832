/// The own host: what it was last told, and where it is believed to be (coordination 2.8).
struct HostState: Sendable {
  var item: ItemID?
  /// Host time of the last transition.
  var arrived: HostTime = .min
  var issued: Issued = .nothing
  /// Where a host that does not move stands; nil: unknown or moving.
  var rest: ItemTime?
  var outstanding: Outstanding?
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
    /// Host time since which the host has completed nothing that it was told: a newer command does not excuse it.
    var unanswered: HostTime
    /// Host time by which it must be completed; nil: it is `due`, the host was seen to do it, or it is suspended.
    var answerBy: HostTime?
    /// Group time by which the host must be prepared.
    var due: GroupTime?
    var overdue = false
  }

  mutating func forgetIssued() {
    issued = .nothing
    outstanding = nil
  }
}
