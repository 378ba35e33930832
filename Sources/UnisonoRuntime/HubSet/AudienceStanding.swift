import UnisonoBase
import UnisonoWire

/// An audience as its hub has it, for other hubs to be told: how many listen here, what the slots have, and whether a publisher is there.
struct AudienceStanding: Equatable {
  struct Kept: Equatable {
    var slot: AudienceSlot
    /// Host time at which it was shown.
    var at: HostTime
    var envelope: [UInt8]
  }

  /// Of those who listen here, and of what they said.
  var count = AudienceCount(listeners: 0)
  /// Host time at which the last publisher, at any hub, went; nil: one is there.
  var alone: HostTime?
  /// Ascending by slot.
  var kept: [Kept] = []

  init(count: AudienceCount = AudienceCount(listeners: 0), alone: HostTime? = nil, kept: [Kept] = []) {
    self.count = count
    self.alone = alone
    self.kept = kept
  }

  /// As another run told it at `now`.
  init(_ state: HubAudienceState, now: HostTime) {
    count = state.count
    alone = state.alone.map { now.subtracting(.milliseconds(Int64($0))) }
    kept = state.kept.map { Kept(slot: $0.slot, at: now.subtracting(.milliseconds(Int64($0.age))), envelope: $0.envelope) }
  }

  /// For other runs; `isWhole`: with what the slots have.
  func state(isWhole: Bool, now: HostTime) -> HubAudienceState {
    let kept = isWhole ? kept.map { HubAudienceState.Kept(slot: $0.slot, age: Self.age($0.at, now), envelope: $0.envelope) } : []
    return HubAudienceState(count: count, alone: alone.map { Self.age($0, now) }, kept: kept)
  }

  private static func age(_ time: HostTime, _ now: HostTime) -> UInt32 {
    UInt32(clamping: max(0, now.subtracting(time)) / .milliseconds(1))
  }
}
