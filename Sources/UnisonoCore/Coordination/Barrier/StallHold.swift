/// Holds of a running group for one that stalls (coordination 2.7 "waitForStalls", F15).
struct StallHolds: Sendable {
  /// A stall that a hold was written for.
  struct Served: Hashable, Sendable {
    /// When it began: the stall's identity.
    var stall: GroupTime
    var held: GroupTime
  }

  /// The hold seen last on the current item.
  private var last: ParticipantValue.Readiness?
  private var served: [ParticipantID: [Served]] = [:]

  /// Takes a hold in: it was for everybody who stalled then.
  mutating func note(_ hold: ParticipantValue.Readiness, at time: GroupTime, stalled: [ParticipantID: GroupTime]) {
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
}

extension Coordination {
  /// What the session waits for; nobody set it: it does not wait.
  var stallPolicy: StallPolicy {
    guard case .stallPolicy(let policy)? = registers[.stallPolicy]?.value else { return .off }
    return policy
  }

  /// Remembers for whom a hold was, whoever wrote it.
  mutating func noteHold() {
    guard let item = host.item, let cells = registers.cells(of: item), let held = cells.heldSince,
      let continuation = cells.continuation
    else { return }
    let stalled = onItem(item).compactMap { id in value(of: id)?.stalled.map { (id, $0.since) } }
    holds.note(
      ParticipantValue.Readiness(base: cells.pair, sequence: continuation.sequence), at: held,
      stalled: Dictionary(uniqueKeysWithValues: stalled))
  }

  /// Writes the hold of the current item if one is due and ours to write.
  mutating func decideHold(_ playing: EffectiveState.Playing, cells: Cells, on item: ItemID) {
    let stalls = heldStalls(playing, on: item)
    let step = Barrier.Step(kind: .hold, base: playing.pair, sequence: playing.sequence)
    guard !stalls.isEmpty else { return barrier.forget(.hold) }
    let rank = keeperRank(for: cells, on: item)
    guard isOurs(step, after: rank.map(takeoverDelay)) else { return }
    let positions = stalls.map(\.at) + [playing.position(at: groupNow)]
    let isBackwards = playing.line.rate < 0
    guard let at = isBackwards ? positions.max() : positions.min() else { return }
    write(
      .continuation(item),
      .continuation(
        ContinuationValue(
          base: playing.pair, sequence: playing.sequence &+ 1,
          kind: .hold(at: at, deadline: groupNow.adding(stallPolicy.limit)))))
  }

  /// Stalls that the group stops for now.
  private func heldStalls(_ playing: EffectiveState.Playing, on item: ItemID) -> [ParticipantValue.Moment] {
    let policy = stallPolicy
    guard canHold(playing, on: item), groupNow > playing.line.since.adding(Parameters.youngLine) else { return [] }
    return stalls(playing, on: item).map(\.stall).filter { groupNow >= $0.since.adding(policy.debounce) }
  }

  /// Stalls that the group stops for once they last long enough.
  private func stalls(_ playing: EffectiveState.Playing, on item: ItemID) -> [(
    id: ParticipantID, stall: ParticipantValue.Moment
  )] {
    let stalling = onItem(item).filter { $0 == local ? me.stalled != nil : registers.isStalling($0) }
    guard !stalling.isEmpty else { return [] }
    let silence = silence
    return stalling.compactMap { id in
      guard isHeard(id, within: silence), let value = value(of: id), value.suspensions.isEmpty,
        let stall = value.stalled,
        !holds.isServed(stall.since, of: id), !holds.isExhausted(id, at: groupNow),
        stall.at.subtracting(playing.position(at: groupNow)).absolute <= Parameters.stallReach
      else { return nil }
      return (id, stall)
    }
  }

  /// Alone, nothing waits.
  private func canHold(_ playing: EffectiveState.Playing, on item: ItemID) -> Bool {
    stallPolicy.waits && membership.phase == .member && !isAlone(on: item)
  }

  /// The own register has a stall once it has lasted: then no news of its end can come too late.
  mutating func publishStall() {
    let isShown = host.stall.map { groupNow >= $0.since.adding(stallPolicy.debounce) } ?? false
    me.stalled = isShown ? host.stall : nil
  }

  /// The own host stalls once more within a minute: the group goes on without it until it has recovered.
  mutating func reviewOwnStall() {
    guard let item = host.item, let stall = me.stalled, !suspensions.isSuspended,
      case .playing(let playing) = EffectiveState(registers.cells(of: item)), canHold(playing, on: item),
      !holds.isServed(stall.since, of: local), holds.isExhausted(local, at: groupNow)
    else { return }
    suspendByLibrary(Suspensions.stallRecovery)
    suspensions.endsWithStall = true
  }

  /// Host time at which a stall has lasted long enough.
  var stallWake: HostTime? {
    guard let stall = host.stall, me.stalled == nil else { return nil }
    return max(now, clock.wake(at: stall.since.adding(stallPolicy.debounce)))
  }

  /// Host time at which a hold may have to be written.
  var holdWake: HostTime? {
    guard let item = host.item, let cells = registers.cells(of: item),
      case .playing(let playing) = EffectiveState(cells), canHold(playing, on: item)
    else { return nil }
    let times = stalls(playing, on: item).map(\.stall).map {
      max($0.since.adding(stallPolicy.debounce), playing.line.since.adding(Parameters.youngLine))
    }
    // A line is young up to and including that instant.
    return times.map { clock.wake(at: $0.adding(1)) }.filter { $0 > now }.min()
  }
}
