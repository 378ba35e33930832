import UnisonoBase
import UnisonoReplica

/// Presence, quorum and keeper selection (coordination 2.6).
extension Facts {
  /// What a participant says of itself: the own one as it is now, others' as published.
  func value(of id: ParticipantID) -> ParticipantValue? {
    id == local ? own : registers.participant(id)
  }

  private func standing(of id: ParticipantID) -> RegisterStore.Standing? {
    id == local ? RegisterStore.Standing(own) : registers.standing(of: id)
  }

  func isPresent(_ id: ParticipantID) -> Bool { id == local || presence.isPresent(id, now: now) }

  /// Who sent nothing for longer than this is silent: two heartbeats and a half, but at least five seconds.
  var silence: Nanoseconds { max(Parameters.silent, heartbeatInterval * 5 / 2) }

  func isHeard(_ id: ParticipantID) -> Bool { isHeard(id, within: silence) }

  /// The same, where many are asked about at once.
  func isHeard(_ id: ParticipantID, within silence: Nanoseconds) -> Bool {
    id == local || presence.isHeard(id, within: silence, now: now)
  }

  /// Here as far as can be seen: the hub lists it, or it was heard; and it is not silent.
  func isActive(_ id: ParticipantID) -> Bool { id == local || isPresent(id) && isHeard(id) }

  /// Present participants whose current item this is, ascending.
  func participants(on item: ItemID) -> [ParticipantID] {
    var ids = roster.others(on: item)
    if own.item == item { ids.insert(local, at: ids.firstIndex { local < $0 } ?? ids.count) }
    return ids
  }

  /// Participants of the session, the own one included.
  var sessionCount: Int { roster.others.count + 1 }

  /// Interval between two heartbeats, without its jitter.
  var heartbeatInterval: Nanoseconds { Parameters.heartbeat(of: sessionCount) }

  // MARK: Who is waited for

  /// The start of `cells` waits for these.
  func required(for cells: Cells, on item: ItemID) -> [ParticipantID] {
    let silence = silence
    return participants(on: item).filter { isHeard($0, within: silence) && isRequired($0, for: cells) }
  }

  private func isRequired(_ id: ParticipantID, for cells: Cells) -> Bool {
    standing(of: id).map { isRequired(id, $0, for: cells) } ?? false
  }

  private func isRequired(_ id: ParticipantID, _ standing: RegisterStore.Standing, for cells: Cells) -> Bool {
    if missed.isGivenUp(id) { return false }
    // Without a date its clock is not synchronised yet: it is on the item already and has until the set closes.
    guard (standing.availableSince ?? groupNow) <= cells.asked.adding(Parameters.gather) else { return false }
    return standing.suspensions.isEmpty || isWaitedFor(standing.suspensions, waits: cells.waits)
  }

  /// Not suspended, or only for reasons that are waited for in a session of this size.
  func isWaitedFor(_ value: ParticipantValue, waits: [Wait]) -> Bool { isWaitedFor(value.suspensions, waits: waits) }

  private func isWaitedFor(_ suspensions: [ParticipantValue.SuspensionReason], waits: [Wait]) -> Bool {
    suspensions.allSatisfy { suspension in
      waits.contains { $0.reason == suspension.reason && sessionCount <= Int($0.limit) }
    }
  }

  /// The required ones that are not ready.
  func missing(for preparation: EffectiveState.Preparation, cells: Cells, item: ItemID) -> [ParticipantID] {
    let (silence, start) = (silence, preparation.readiness)
    return participants(on: item).filter { isMissing($0, for: start, cells: cells, silence: silence) }
  }

  /// The first of them; nil: the start waits for nobody.
  func firstMissing(for preparation: EffectiveState.Preparation, cells: Cells, item: ItemID) -> ParticipantID? {
    let (silence, start) = (silence, preparation.readiness)
    return participants(on: item).first { isMissing($0, for: start, cells: cells, silence: silence) }
  }

  /// Whether one is among them.
  func isMissing(_ id: ParticipantID, for preparation: EffectiveState.Preparation, cells: Cells, item: ItemID) -> Bool {
    let isOnItem = id == local ? own.item == item : roster.contains(id) && registers.isOn(item, id)
    return isOnItem && isMissing(id, for: preparation.readiness, cells: cells, silence: silence)
  }

  /// The same of somebody on the item: who is heard and required (`isRequired`) and not ready (`isReady`). In a large group each
  /// turn asks this of everybody, so that what is known of one is looked up once.
  private func isMissing(
    _ id: ParticipantID, for start: ParticipantValue.Readiness, cells: Cells, silence: Nanoseconds
  ) -> Bool {
    guard let standing = standing(of: id) else { return false }
    if id == local { return standing.ready != start && isRequired(id, standing, for: cells) }
    guard let entry = presence.entries[id], entry.isHeard(within: silence, now: now) else { return false }
    return !isReady(standing, hasSpoken: entry.hasSpoken, for: start) && isRequired(id, standing, for: cells)
  }

  /// Prepared for this start, and told of it in time. Who is on its way back, or has just come, cannot read before it has the
  /// keys, which is when it says something; and what it reads before it has ended being apart it only keeps.
  func isReady(_ id: ParticipantID, for start: ParticipantValue.Readiness) -> Bool {
    guard let standing = standing(of: id) else { return false }
    if id == local { return standing.ready == start }
    return isReady(standing, hasSpoken: presence.hasSpoken(id), for: start)
  }

  private func isReady(
    _ standing: RegisterStore.Standing, hasSpoken: Bool, for start: ParticipantValue.Readiness
  ) -> Bool { hasSpoken && !standing.isApart && standing.ready == start }

  /// For whom the start of the current item waits, and why.
  var waitingFor: [WaitingFor] {
    guard let item = own.item, session.phase != .joining, let cells = registers.cells(of: item),
      case .preparing(let preparation) = EffectiveState(cells)
    else { return [] }
    let players = missing(for: preparation, cells: cells, item: item)
    let persons = unready(for: preparation, cells: cells, item: item).filter { !players.contains($0) }
    return players.map(waitingForPlayer) + persons.map { WaitingFor(participant: $0, reason: WaitingFor.notReady) }
  }

  private func waitingForPlayer(_ id: ParticipantID) -> WaitingFor {
    let stalls = id == local ? own.stalled != nil : registers.isStalling(id)
    let reason = standing(of: id)?.suspensions.first?.reason
    return WaitingFor(participant: id, reason: reason ?? (stalls ? Suspensions.stallRecovery : ""))
  }

  // MARK: Who writes continuations

  /// Those who may write the start or another continuation, in the order in which they do.
  func keepers(initiator: ParticipantID, on item: ItemID) -> [ParticipantID] {
    let silence = silence
    let eligible = participants(on: item).filter { isHeard($0, within: silence) && isEligible($0) }
    return eligible.filter { $0 == initiator } + eligible.filter { $0 != initiator }
  }

  private func isEligible(_ id: ParticipantID) -> Bool {
    standing(of: id)?.suspensions.isEmpty == true && (id == local ? mayMoveOwnPlayer : policies.allowsCommands(by: id))
  }

  func keeperRank(for cells: Cells, on item: ItemID) -> Int? {
    keepers(initiator: cells.initiator, on: item).firstIndex(of: local)
  }

  func takeoverDelay(rank: Int) -> Nanoseconds {
    Parameters.takeover * Int64(min(rank, Parameters.takeoverSteps))
  }

  /// How far ahead a start must lie so that everybody on the item can make it (coordination 2.7).
  func lead(on item: ItemID) -> Nanoseconds {
    let ownTrip = trip(delay: clock.hubDelay ?? Parameters.unknownHubDelay, error: clock.error(at: now))
    // The own player needs its time, too.
    var longest = own.suspensions.isEmpty ? own.startLatency : 0
    for id in participants(on: item) where id != local {
      guard let value = value(of: id), value.suspensions.isEmpty, let entry = presence.entries[id] else { continue }
      let delay = entry.hubDelay ?? max(clock.hubDelay ?? 0, Parameters.unknownHubDelay)
      let other = trip(delay: delay, error: entry.clockError ?? 0)
      longest = max(longest, ownTrip.adding(other).adding(max(0, value.startLatency)))
    }
    return min(longest.adding(Parameters.leadMargin), Law.greatestLead)
  }

  /// How long after its stamp a message passes between a participant and the hub, both told by the participant's own clock.
  ///
  /// The bound of a clock's error contains half a round trip, because one way could have been all of it. But then messages
  /// are on their way that much longer or shorter by the same clock: the two cancel, and only what the bound has beyond
  /// half a round trip (age, and what is still to be slewed away) comes on top.
  private func trip(delay: Nanoseconds, error: Nanoseconds) -> Nanoseconds { max(delay, error) }

  /// The same for a start, of which an audience is to hear before it begins.
  func startLead(on item: ItemID) -> Nanoseconds { hasAudience ? max(lead(on: item), Parameters.audienceLead) : lead(on: item) }

  // MARK: Being alone

  /// Whoever has the listening link hears what the group does.
  var hasAudience: Bool { registers.audience != nil && session.phase == .member && session.linked }

  /// A start is made with the command: nobody else has to be waited for, and nobody listens who is to begin with it.
  func startsAtOnce(on item: ItemID) -> Bool { isAlone(on: item) && !hasAudience }

  /// Nobody else has to be waited for: nobody on the item takes part, and nobody is just about to come.
  func isAlone(on item: ItemID) -> Bool {
    let waits = settings.waits
    let isWithOthers = roster.others(on: item).contains { id in
      registers.standing(of: id).map { isWaitedFor($0.suspensions, waits: waits) } ?? false
    }
    if isWithOthers { return false }
    return !isSettling(on: item)
  }

  /// The own transition was a moment ago, and someone of the session is elsewhere: the others may be about to come.
  func isSettling(on item: ItemID) -> Bool {
    guard session.phase == .member, now.subtracting(arrived) < Parameters.settle else { return false }
    return !everybodyIs(on: item)
  }

  func everybodyIs(on item: ItemID) -> Bool {
    roster.others.allSatisfy { registers.item(of: $0) == item }
  }

  /// Nothing is decided for 3 s after the own link breaks; it may return.
  var isOwnLinkFresh: Bool {
    guard let lost = presence.ownLinkLost else { return false }
    return now < lost.adding(Parameters.ownLinkGrace)
  }
}
