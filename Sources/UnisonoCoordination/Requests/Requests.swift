import UnisonoBase
import UnisonoReplica

/// Limits of what a host may ask for.
enum HostRequest {
}

/// What the person asks of the group, as long as it cannot be written (coordination 2.7): seeks and rates that came too soon
/// after another, what has no group time to be stamped with, and what waits for permission.
struct Requests: Sendable {
  struct Seek: Sendable {
    var target: ItemTime
    var immediately: Bool
    /// What the host called: a refusal names it.
    var operation = Operation.coordinateSeek
  }

  struct RateChange: Sendable {
    var rate: Double
    var immediately: Bool
  }

  private var seeks = Coalesced<Seek>()
  private var rates = Coalesced<Double>()
  /// Kept until they can be stamped, newest only.
  private(set) var pendingRate: RateChange?
  private(set) var pendingSeek: Seek?
  private(set) var pendingActivity: Activity?
  /// What the host brought to its item when it might not propose it.
  private(set) var unproposed = PendingProposal.none

  /// Another item: what was asked was for the one before.
  mutating func beginItem() {
    seeks.drop()
    rates.drop()
    unproposed = .none
    pendingSeek = nil
    pendingRate = nil
  }

  // MARK: Too soon after another

  /// Host time at which a kept one may go.
  var wake: HostTime? {
    guard let seek = seeks.wake, let rate = rates.wake else { return seeks.wake ?? rates.wake }
    return min(seek, rate)
  }

  /// The seek if it may go now; otherwise it is kept in place of an earlier one.
  mutating func admit(_ seek: Seek, now: HostTime) -> Seek? { seeks.admit(seek, now: now) }

  mutating func admit(rate: Double, now: HostTime) -> Double? { rates.admit(rate, now: now) }

  /// The kept one, once its time has come, or at once (`early`) where something else must not overtake it.
  mutating func nextSeek(now: HostTime, early: Bool) -> Seek? { seeks.next(now: now, early: early) }

  mutating func nextRate(now: HostTime) -> Double? { rates.next(now: now) }

  mutating func dropRate() { rates.drop() }

  /// The next rate goes at once, too.
  mutating func restartRates() { rates = Coalesced() }

  // MARK: Without group time

  mutating func keep(_ seek: Seek) { pendingSeek = seek }

  mutating func keep(_ change: RateChange) { pendingRate = change }

  mutating func keep(_ activity: Activity) { pendingActivity = activity }

  mutating func endPending() {
    pendingSeek = nil
    pendingRate = nil
  }

  mutating func endPendingActivity() -> Activity? {
    defer { pendingActivity = nil }
    return pendingActivity
  }

  // MARK: Without permission

  mutating func keepUnproposed(_ proposal: PendingProposal) { unproposed = proposal }

  /// Its place of the own copy is that much later in the group's item time.
  mutating func shiftUnproposed(by shift: Nanoseconds) { unproposed.shift(by: shift) }

  /// The player says where it is: what it does is proposed as it is by then, however it fared meanwhile.
  mutating func moveUnproposed(to position: PlaybackReport.Position) {
    guard var proposal = unproposed.proposal else { return }
    proposal.itemTime = position.itemTime
    proposal.hostTime = position.hostTime
    unproposed = .proposed(proposal)
  }

  mutating func endUnproposed() { unproposed = .none }
}
