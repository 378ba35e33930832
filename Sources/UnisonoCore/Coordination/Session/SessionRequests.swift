/// What the owner of the session and the host ask apart from playback.
extension Coordination {
  mutating func setActivity(_ activity: Activity) {
    guard mayCommand else { return deny("session_activate") }
    // Without group time it would have a stamp of another timeline.
    guard membership.phase == .member else {
      membership.pendingActivity = activity
      return
    }
    write(.activity, .activity(activity))
  }

  /// Ends the session for everybody. Goes out at once: there is no later turn.
  mutating func end() {
    guard mayCommand else { return deny("session_end") }
    write(.end, .end)
    flushOutbox(isLast: true)
    tellSession()
  }

  mutating func participate() {
    guard !membership.participates else { return }
    membership.participates = true
    if membership.joined { notices.append(.joined) }
    guard membership.phase == .solo, !membership.linked else { return }
    // The group is about to be there: what the person asks from now on is meant for it.
    leaveSolo()
    awaitGroup()
  }

  /// Says goodbye in the own register.
  mutating func leave() {
    guard membership.secured else { return }
    appointSuccessor()
    me.left = true
    published = nil
    publishOwn()
    flushOutbox(isLast: true)
  }

  mutating func reapply() {
    guard host.item != nil else {
      return refuse(
        "coordinator_reapply_current_item_state", .state, "there is no current item; make a transition to one first")
    }
    guard !suspensions.isSuspended else { return }
    host.forgetIssued()
    host.nextCause = .reapply
  }

  /// A setting of the session; what was set before it was entered only fills a gap.
  mutating func setStallPolicy(_ policy: StallPolicy, asProposal: Bool) {
    settings.stallPolicy = policy
    guard membership.phase == .member else { return }
    guard policies.allowsCommands(by: local) else {
      if !asProposal {
        refuse(
          "coordinator_set_stall_policy", .denied,
          "the session's policy does not let this participant command; an owner can give it another role")
      }
      return
    }
    guard asProposal ? registers[.stallPolicy] == nil : stallPolicy != policy else { return }
    write(.stallPolicy, .stallPolicy(policy))
  }

  mutating func setOutputOffset(_ offset: Nanoseconds) {
    guard offset != settings.outputOffset else { return }
    settings.outputOffset = offset
    me.outputOffset = offset
    // A running host is told its line anew.
    guard case .playing = host.issued, !suspensions.isSuspended else { return }
    host.issued = .nothing
    host.nextCause = .reapply
  }

  mutating func takeClock(_ model: ClockModel?, roundTrip: Nanoseconds?) {
    if let roundTrip {
      let old = clock.roundTrip
      clock.roundTrip = roundTrip
      // Others' leads are computed from our delay: what is new or changed much is told before the next heartbeat.
      let isNews = old.map { roundTrip.subtracting($0).absolute > max(.milliseconds(5), $0 / 5) } ?? true
      if isNews, membership.joined { heartbeat.next = min(heartbeat.next, now) }
    }
    // nil: not measured yet. What is known of group time serves on: host time went on, too.
    clock.hubModel = model
    refreshClock()
  }

  /// Linked, but without group time for a moment: nothing that has a time is decided, written or told to the host.
  var waitsForClock: Bool { clock.isInDoubt && membership.linked && membership.phase == .member }

  /// Group time is known again after it was in doubt.
  mutating func leaveDoubt() {
    reviewStamps()
    host.issued = .nothing
    host.nextCause = .clock
    told.line = nil
    if host.item != nil, !suspensions.isSuspended, me.availableSince == nil { me.availableSince = groupNow }
    resumeTransition()
    resumeKeptRequests()
  }

  /// Readiness is for one start: another pair or step makes it void.
  mutating func voidOldReadiness() {
    guard let ready = me.ready else { return }
    guard let item = host.item, case .preparing(let preparation) = EffectiveState(registers.cells(of: item)),
      ready == ParticipantValue.Readiness(base: preparation.pair, sequence: preparation.sequence)
    else {
      me.ready = nil
      return
    }
  }

  /// Who lost the link goes off the list after a while; who left, at once.
  mutating func expireParticipants() {
    for (id, entry) in presence.entries where !entry.connected {
      guard entry.left || entry.lost.map({ now >= $0.adding(Parameters.reconnecting) }) ?? true else { continue }
      forget(id)
    }
    // Of those who had to make room.
    guard registers.participants.count > presence.entries.count + 1 else { return }
    for id in registers.participants.filter({ $0 != local && presence.entries[$0] == nil }) { forget(id) }
  }
  /// Host time at which the next one goes off the list.
  var expiryWake: HostTime? {
    presence.entries.values.lazy.filter { !$0.connected && !$0.left }
      .compactMap { $0.lost?.adding(Parameters.reconnecting) }.min()
  }
}
