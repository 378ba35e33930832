/// What holds of a coordination after each turn, whatever was fed to it.
extension Coordination {
  /// The rules that do not hold; empty: all is well. Costs about as much as a turn, so it is judged by the simulator
  /// alone.
  public var brokenInvariants: [String] {
    guard !membership.isOver else { return [] }
    return brokenOfSession + brokenOfHost + brokenOfMirrors + brokenOfPolicy
  }

  private var brokenOfSession: [String] {
    var rules = Invariants()
    rules.expect(!membership.secured || membership.linked, "secured implies linked")
    rules.expect(membership.pull == nil || membership.linked, "a pull implies a link")
    rules.expect(membership.phase != .solo || !membership.linked, "who is solo has no link")
    rules.expect(membership.phase != .member || membership.joined, "a member has joined")
    rules.expect(
      membership.phase != .member || clock.isKnown || clock.isInDoubt, "a member knows group time, or did until it slept")
    rules.expect(!apart.isApart || membership.phase == .member, "only a member is apart")
    rules.expect(apart.meetingUntil == nil || apart.isApart, "only who is apart reconciles")
    rules.expect(apart.inbox.isEmpty || apart.meetingUntil != nil, "updates are deferred only while reconciling")
    rules.expect(apart.written.allSatisfy { $0.item != nil }, "only playback is written apart")
    rules.expect(me.isApart == apart.isApart, "the own register says whether one is apart")
    rules.expect(
      membership.aloneFrom == nil || membership.phase == .joining && !(membership.joined && membership.linked),
      "only who joins and met nobody waits to go on alone")
    rules.expect(
      isWaitingForTime || membership.pendingRate == nil && membership.pendingSeek == nil,
      "requests are kept only until they can be stamped")
    rules.expect(presence.entries[local] == nil, "one is not among the others")
    rules.expect(
      presence.present == presence.entries.keys.filter { presence.isPresent($0, now: now) }.sorted(),
      "the present are those who are present now")
    return rules.broken
  }

  private var brokenOfHost: [String] {
    var rules = Invariants()
    // While group time is in doubt nothing is decided, and the own register is not published.
    if let ready = me.ready, !waitsForClock {
      rules.expect(preparing?.readiness == ready, "ready implies that this start is prepared")
      rules.expect(!suspensions.isSuspended, "who is suspended is not ready")
      if case .preparing(let issued) = host.issued {
        rules.expect(issued.readiness == ready, "ready is for what the host was told to prepare")
      } else {
        rules.expect(false, "ready implies that the host was told to prepare")
      }
    }
    rules.expect(host.item != nil || host.issued == .nothing, "without an item the host was told nothing")
    rules.expect(host.item != nil || host.outstanding == nil, "without an item no command is open")
    rules.expect(
      host.outstanding.map { (host.firstCommand..<host.nextCommand).contains($0.id) } ?? true,
      "an open command was issued")
    rules.expect(host.commanded <= now, "commands were issued in the past")
    rules.expect(!barrier.becameReady || waitsForClock, "completing the set counts for one turn")
    rules.expect(
      suspensions.heldTransition == nil || host.item != nil && (isWaitingForTime || suspensions.isSuspended),
      "a transition is held only while joining or suspended")
    rules.expect(suspensions.held == nil || suspensions.isSuspended, "a proposal is held only while suspended")
    rules.expect(host.unproposed == nil || host.item != nil, "what waits for permission is of the current item")
    rules.expect(
      Set(suspensions.open.compactMap(\.id)).count == suspensions.open.count { $0.id != nil },
      "numbers of suspensions are unique")
    return rules.broken
  }

  private var brokenOfMirrors: [String] {
    var rules = Invariants()
    rules.expect(me.item == host.item, "the own register says the current item")
    rules.expect(me.outputOffset == settings.outputOffset, "the own register says the output offset")
    rules.expect(me.incarnation == configuration.incarnation, "the own register says the incarnation")
    rules.expect(
      waitsForClock || me.suspensions.map(\.reason) == suspensions.reasons, "the own register says the suspensions")
    rules.expect(waitsForClock || me.stalled == nil || me.stalled == host.stall, "the own register says the host's stall")
    rules.expect(me.rate.isFinite, "rates are finite")
    if let published, membership.phase != .solo {
      rules.expect(registers.participant(local) == published, "what was published is in the registers")
    }
    rules.expect(sends.isEmpty && commands.isEmpty && notices.isEmpty, "a turn leaves no effects")
    rules.expect(
      membership.phase != .member || !clock.isKnown
        || registers.statements.values.allSatisfy { $0.time <= stamps.largestSeen },
      "what is in the registers was seen")
    return rules.broken
  }

  private var brokenOfPolicy: [String] {
    var rules = Invariants()
    rules.expect(registers.policies.greatest == policies.greatest, "registers are ordered by the policy in force")
    let removed = policies.terms.removed.filter { $0 != local }
    rules.expect(removed.allSatisfy { presence.entries[$0] == nil }, "who was removed is not there")
    rules.expect(removed.allSatisfy { registers.participant($0) == nil }, "who was removed has no register")
    rules.expect(
      policyState.confirmations.isEmpty || policies.allowsCommands(by: local), "only who may command confirms")
    return rules.broken
  }

  private var isWaitingForTime: Bool { membership.phase == .joining || waitsForClock }

  private var preparing: EffectiveState.Preparation? {
    guard let item = host.item, case .preparing(let preparation) = EffectiveState(registers.cells(of: item)) else {
      return nil
    }
    return preparation
  }
}
