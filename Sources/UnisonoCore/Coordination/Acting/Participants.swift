/// Who counts for what (coordination 2.6).
extension Coordination {
  /// What a participant says of itself: the own one as it is now, others' as published.
  func value(of id: ParticipantID) -> ParticipantValue? {
    id == local ? me : registers.participant(id)
  }

  func isPresent(_ id: ParticipantID) -> Bool { id == local || presence.isPresent(id, now: now) }

  /// Who sent nothing for longer than this is silent: two heartbeats and a half, but at least five seconds.
  var silence: Nanoseconds { max(Parameters.silent, heartbeatInterval * 5 / 2) }

  func isHeard(_ id: ParticipantID) -> Bool { isHeard(id, within: silence) }

  /// The same, where many are asked about at once.
  func isHeard(_ id: ParticipantID, within silence: Nanoseconds) -> Bool {
    id == local || presence.isHeard(id, within: silence, now: now)
  }

  /// Present participants whose current item this is, ascending.
  func onItem(_ item: ItemID) -> [ParticipantID] {
    var ids: [ParticipantID] = []
    for id in presence.present where registers.isOn(item, id) { ids.append(id) }
    if host.item == item { ids.insert(local, at: ids.firstIndex { local < $0 } ?? ids.count) }
    return ids
  }

  /// Others who are present and take part: who only reads along has no register.
  var presentParticipants: [ParticipantID] {
    presence.present.filter { registers.hasParticipant($0) }
  }

  /// Participants of the session, the own one included.
  var sessionCount: Int {
    var count = 1
    for id in presence.present where registers.hasParticipant(id) { count += 1 }
    return count
  }

  /// The start of `cells` waits for these.
  func required(for cells: Cells, on item: ItemID) -> [ParticipantID] {
    let silence = silence
    return onItem(item).filter { isHeard($0, within: silence) && isRequired($0, for: cells) }
  }

  private func isRequired(_ id: ParticipantID, for cells: Cells) -> Bool {
    guard let value = value(of: id) else { return false }
    // Without a date its clock is not synchronised yet: it is on the item already and has until the set closes.
    guard (value.availableSince ?? groupNow) <= cells.asked.adding(Parameters.gather) else { return false }
    return isWaitedFor(value, waits: cells.waits)
  }

  /// Not suspended, or only for reasons that are waited for in a session of this size.
  func isWaitedFor(_ value: ParticipantValue, waits: [Wait]) -> Bool {
    value.suspensions.allSatisfy { suspension in
      waits.contains { $0.reason == suspension.reason && sessionCount <= Int($0.limit) }
    }
  }

  /// Those who may write the start or another continuation, in the order in which they do.
  func keepers(initiator: ParticipantID, on item: ItemID) -> [ParticipantID] {
    let silence = silence
    let eligible = onItem(item).filter { isHeard($0, within: silence) && isEligible($0) }
    return eligible.filter { $0 == initiator } + eligible.filter { $0 != initiator }
  }

  private func isEligible(_ id: ParticipantID) -> Bool {
    value(of: id)?.suspensions.isEmpty == true && policies.allowsCommands(by: id)
  }

  /// Nobody else has to be waited for: nobody on the item takes part, and nobody is just about to come.
  func isAlone(on item: ItemID) -> Bool {
    let waits = ownWaits
    let isWithOthers = presence.present.contains { id in
      registers.isOn(item, id) && value(of: id).map { isWaitedFor($0, waits: waits) } ?? false
    }
    if isWithOthers { return false }
    return !isSettling(on: item)
  }

  /// The own transition was a moment ago, and someone of the session is elsewhere: the others may be about to come.
  func isSettling(on item: ItemID) -> Bool {
    guard membership.phase == .member, now.subtracting(host.arrived) < Parameters.settle else { return false }
    return !everybodyIs(on: item)
  }

  func everybodyIs(on item: ItemID) -> Bool {
    presence.present.allSatisfy { !registers.hasParticipant($0) || registers.item(of: $0) == item }
  }
}
