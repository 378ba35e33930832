import UnisonoBase
import UnisonoCoordination

/// The notices to the host: what changed since the last ones, and why the rate did.
struct PlayerNotifications: Sendable {
  /// State of the player that notices are made of.
  struct Facts: Sendable {
    /// nil: there is none.
    let item: ItemID?
    let load: RendererState.Load
    /// As commanded; 0 paused.
    let rate: Double
    /// nil: there is no item.
    let timeControl: TimeControl?
    /// Last known position.
    let position: PlaybackReport.Position?

    var itemStatus: ItemStatus {
      switch load {
      case .none, .loading: .unknown
      case .ready: .ready
      case .failed: .failed
      }
    }
  }

  private var timeControl = TimeControl(.paused)
  /// The rate that the host knows of: what a queue that ran dry goes on at.
  private(set) var rate = 0.0
  private var itemStatus: ItemStatus = .unknown
  private var item: ItemID?
  /// Why the rate changes next, where it is neither a request nor the group.
  private var rateReason: RateReason?
  /// Whose command is being followed; `.none`: the own person's.
  private(set) var originator: ParticipantID = .none

  /// Records whose command is followed from now on.
  mutating func follow(_ command: PlaybackCommand) {
    originator = command.isLocal ? .none : command.originator
  }

  /// Records why the rate changes next.
  mutating func expectRateChange(because reason: RateReason) { rateReason = reason }

  /// Ends the expectation of a change for this reason; false: none was expected for it.
  mutating func endExpectation(of reason: RateReason) -> Bool {
    guard rateReason == reason else { return false }
    rateReason = nil
    return true
  }

  /// The person paused where no item is, or took the item away: the next one does not go on.
  mutating func clearRate() { rate = 0 }

  /// Whether it plays, as people see it.
  func timeControl(_ facts: Facts) -> TimeControl {
    facts.timeControl ?? (rate != 0 ? TimeControl(.waiting, .noItem) : TimeControl(.paused))
  }

  /// Returns a notice of how things are.
  func notice(_ kind: PlayerNotice.Kind, _ facts: Facts) -> PlayerNotice {
    var notice = PlayerNotice(
      kind: kind, timeControl: timeControl(facts), itemStatus: facts.itemStatus, item: facts.item, rate: facts.rate,
      itemTime: facts.position?.itemTime, hostTime: facts.position?.hostTime)
    if kind == .itemStatus, case .failed(let status) = facts.load { notice.status = status }
    return notice
  }

  /// Returns a notice of the rate, which the host knows by that.
  mutating func rateNotice(because reason: RateReason, _ facts: Facts) -> PlayerNotice {
    rate = facts.rate
    var notice = notice(.rate, facts)
    notice.rateReason = reason
    notice.originator = reason == .participant ? originator : .none
    return notice
  }

  /// Returns notices of all that changed since the last ones.
  mutating func changes(_ facts: Facts) -> [PlayerNotice] {
    var notices: [PlayerNotice] = []
    if facts.itemStatus != itemStatus || facts.item != item {
      itemStatus = facts.itemStatus
      item = facts.item
      notices.append(notice(.itemStatus, facts))
    }
    // Without an item the rate is what the next one goes on at.
    if facts.item != nil, facts.rate != rate {
      let reason = rateReason ?? (originator == .none ? .setRateCalled : .participant)
      rateReason = nil
      notices.append(rateNotice(because: reason, facts))
    }
    let control = timeControl(facts)
    if control != timeControl {
      timeControl = control
      notices.append(notice(.timeControl, facts))
    }
    return notices
  }

  /// The rules that hold after each turn.
  func judge(_ rules: inout Invariants, _ facts: Facts) {
    rules.expect(item == facts.item && itemStatus == facts.itemStatus, "the host knows the item's status")
    rules.expect(timeControl == timeControl(facts), "the host knows the time control")
  }
}
