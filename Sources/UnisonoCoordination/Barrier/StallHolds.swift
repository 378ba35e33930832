import UnisonoBase
import UnisonoReplica

/// Holds of a running group for one that stalls (coordination 2.7 "waitForStalls", F15).
struct StallHolds: Sendable {
  /// A stall that a hold was written for.
  private struct Served: Hashable, Sendable {
    /// When it began: the stall's identity.
    var stall: GroupTime
    var held: GroupTime
  }

  /// The hold seen last on the current item.
  private var last: ParticipantValue.Readiness?
  private var served: [ParticipantID: [Served]] = [:]

  /// A hold was for everybody who stalled then.
  mutating func remember(_ hold: ParticipantValue.Readiness, at time: GroupTime, stalled: [ParticipantID: GroupTime]) {
    guard hold != last else { return }
    last = hold
    for (id, stall) in stalled {
      let recent = served[id, default: []].filter { time.subtracting($0.held) < Parameters.holdMemory }
      served[id] = recent + [Served(stall: stall, held: time)]
    }
  }

  mutating func forget(_ id: ParticipantID) { served[id] = nil }

  /// The group waited for this stall once: whoever plays on without it has decided so.
  func isServed(_ stall: GroupTime, of id: ParticipantID) -> Bool {
    served[id]?.contains { $0.stall == stall } ?? false
  }

  /// Its last holds were so many, so near, that the group goes on without it.
  func isExhausted(_ id: ParticipantID, at time: GroupTime) -> Bool {
    let recent = served[id]?.filter { time.subtracting($0.held) < Parameters.holdMemory } ?? []
    return recent.count >= Parameters.holds
  }

  // MARK: What a group is held for

  /// Stalls that the group stops for now.
  func due(_ playing: EffectiveState.Playing, on item: ItemID, _ facts: borrowing Facts) -> [ParticipantValue.Moment] {
    let policy = facts.stallPolicy
    guard canHold(on: item, facts), facts.groupNow > playing.line.since.adding(Parameters.youngLine) else { return [] }
    return stalls(playing, on: item, facts).filter { facts.groupNow >= $0.since.adding(policy.debounce) }
  }

  /// Stalls that the group stops for once they last long enough.
  private func stalls(_ playing: EffectiveState.Playing, on item: ItemID, _ facts: borrowing Facts) -> [ParticipantValue.Moment] {
    guard facts.own.stalled != nil || !facts.roster.stalling.isEmpty else { return [] }
    let stalling = facts.participants(on: item).filter {
      $0 == facts.local ? facts.own.stalled != nil : facts.registers.isStalling($0)
    }
    let silence = facts.silence
    return stalling.compactMap { id in
      guard facts.isHeard(id, within: silence), let value = facts.value(of: id), value.suspensions.isEmpty,
        let stall = value.stalled,
        !isServed(stall.since, of: id), !isExhausted(id, at: facts.groupNow),
        stall.at.subtracting(playing.position(at: facts.groupNow)).absolute <= Parameters.stallReach
      else { return nil }
      return stall
    }
  }

  /// Alone, nothing waits.
  private func canHold(on item: ItemID, _ facts: borrowing Facts) -> Bool {
    facts.stallPolicy.waits && facts.session.phase == .member && !facts.isAlone(on: item)
  }

  /// The own host stalls once more within a minute: the group goes on without it until it has recovered.
  func leavesOwnBehind(_ facts: borrowing Facts) -> Bool {
    guard let item = facts.own.item, let stall = facts.own.stalled,
      case .playing = EffectiveState(facts.registers.cells(of: item)), canHold(on: item, facts)
    else { return false }
    return !isServed(stall.since, of: facts.local) && isExhausted(facts.local, at: facts.groupNow)
  }

  /// Host time at which a hold may have to be written.
  func wake(_ playing: EffectiveState.Playing, on item: ItemID, _ facts: borrowing Facts) -> HostTime? {
    guard canHold(on: item, facts) else { return nil }
    let times = stalls(playing, on: item, facts).map {
      max($0.since.adding(facts.stallPolicy.debounce), playing.line.since.adding(Parameters.youngLine))
    }
    // A line is young up to and including that instant.
    return times.map { facts.clock.wake(at: $0.adding(1)) }.filter { $0 > facts.now }.min()
  }
}
