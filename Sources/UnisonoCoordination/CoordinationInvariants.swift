import UnisonoBase
import UnisonoReplica

/// What holds of a coordination after each turn, whatever was fed to it.
extension Coordination {
  /// The rules that do not hold; empty: all is well. Costs about as much as a turn, so it is judged by the simulator
  /// alone.
  package var brokenInvariants: [String] {
    guard !facts.session.isOver else { return [] }
    return brokenOfSession + brokenOfHost + brokenOfMirrors + brokenOfPolicy
  }

  /// Whose clocks contradict the own one: nobody's, as long as hubs and participants tell the truth.
  package var contradictingClocks: [ParticipantID] { antiEntropy.clocks.contradicting }

  /// A statement that is kept, but of no interest to anybody: digests do not cover it.
  package func isStale(_ statement: Statement) -> Bool {
    facts.registers.isStale(statement) && !facts.registers.isAhead(statement)
  }

  /// What is derived when something changes is what it would be, were it derived now: the rules that do not hold. Costs as much
  /// as all of the registers are looked at, so it is judged now and then.
  package var brokenDerivations: [String] {
    guard !facts.session.isOver else { return [] }
    var rules = Invariants()
    let (registers, roster) = (facts.registers, facts.roster)
    let others = facts.presence.present.filter(registers.hasParticipant)
    rules.expect(roster.others == others, "the roster is of those who are present and take part")
    var (wishing, stalling): ([ParticipantID], [ParticipantID]) = ([], [])
    for id in others {
      guard let value = registers.participant(id) else { continue }
      if value.roleWish != 0 { wishing.append(id) }
      if value.stalled != nil { stalling.append(id) }
    }
    rules.expect(roster.wishing == wishing, "the roster knows who wishes for a role")
    rules.expect(roster.stalling == stalling, "the roster knows who stalls")
    rules.expect(
      facts.own.item.map { item in roster.others(on: item) == others.filter { registers.isOn(item, $0) } } ?? true,
      "the roster knows who is on the own item")
    let present = facts.presence.entries.keys.filter { facts.presence.isPresent($0, now: facts.now) }.sorted()
    rules.expect(facts.presence.present == present, "the present are those who are present now")
    let absent = facts.presence.entries.keys.filter { facts.presence.entries[$0]?.connected == false }
    rules.expect(Set(facts.presence.absent) == Set(absent), "the absent are those whose connection ended")
    if let published = ownRegister.lastPublished, facts.session.phase != .solo {
      rules.expect(registers.participant(facts.local) == published, "what was published is in the registers")
    }
    rules.expect(notifications.isComplete(facts), "people were told of everybody as they are")
    rules.expect(listing.isRight(facts), "the list of participants is what it would be, made from nothing")
    rules.expect(
      facts.session.phase != .member || !facts.clock.isKnown
        || registers.statements.values.allSatisfy {
          $0.time <= facts.stamps.largestSeen || facts.clockDoubt.isOwn(facts.local) && facts.isFuture($0.time)
        },
      "what is in the registers was seen")
    return rules.broken
  }

  private var brokenOfSession: [String] {
    var rules = Invariants()
    let session = facts.session
    rules.expect(
      session.phase != .solo || !session.linked || session.hasGivenUp, "who is solo has no link, or met nobody there")
    rules.expect(session.phase != .member || session.joined, "a member has joined")
    rules.expect(
      session.phase != .member || facts.clock.isKnown || facts.clock.isInDoubt,
      "a member knows group time, or did until it slept")
    rules.expect(!partition.isApart || session.phase == .member, "only a member is apart")
    rules.expect(!partition.isReconciling || partition.isApart, "only who is apart reconciles")
    rules.expect(
      partition.deferredUpdates.isEmpty || partition.isReconciling, "updates are deferred only while reconciling")
    rules.expect(partition.written.allSatisfy { $0.isReconciled }, "only playback, and where the group is in the playlist, is written apart")
    rules.expect(facts.isApart == partition.isApart, "the own register says whether one is apart")
    rules.expect(
      session.aloneFrom == nil || !(session.joined && session.linked),
      "only who joins and met nobody waits to go on alone")
    rules.expect(
      isWaitingForTime || requests.pendingRate == nil && requests.pendingSeek == nil,
      "requests are kept only until they can be stamped")
    rules.expect(facts.presence.entries[facts.local] == nil, "one is not among the others")
    return rules.broken
  }

  private var brokenOfHost: [String] {
    var rules = Invariants()
    // While group time is in doubt nothing is decided, and the own register is not published.
    if let ready = facts.own.ready, !facts.waitsForClock {
      rules.expect(!suspensions.isSuspended, "who is suspended is not ready")
      if let ahead = facts.standBy {
        rules.expect(ahead.readiness == ready, "ready ahead is for the pause that there is")
        rules.expect(player.standsReady(at: ahead.at), "ready ahead implies that the host stands there")
      } else if case .preparing(let last) = player.lastCommand {
        rules.expect(preparing?.readiness == ready, "ready implies that this start is prepared")
        rules.expect(last.readiness == ready, "ready is for what the host was told to prepare")
      } else {
        rules.expect(false, "ready implies that the host was told to prepare")
      }
    }
    let hasItem = facts.own.item != nil
    rules.expect(hasItem || player.lastCommand == .nothing, "without an item the host was told nothing")
    rules.expect(hasItem || player.outstanding == nil, "without an item no command is open")
    rules.expect(player.outstanding.map { player.wasIssued($0.id) } ?? true, "an open command was issued")
    rules.expect(player.commanded <= facts.now, "commands were issued in the past")
    rules.expect(!barrier.completedThisTurn || facts.waitsForClock, "completing the set counts for one turn")
    rules.expect(!requests.unproposed.isPending || hasItem, "what waits for permission is of the current item")
    return rules.broken + suspensions.brokenRules(hasItem: hasItem, mayWait: isWaitingForTime)
  }

  private var brokenOfMirrors: [String] {
    var rules = Invariants()
    let own = facts.own
    rules.expect(own.outputOffset == facts.settings.outputOffset, "the own register says the output offset")
    rules.expect(own.incarnation == facts.configuration.incarnation, "the own register says the incarnation")
    rules.expect(
      facts.waitsForClock || own.suspensions.map({ $0.reason }) == suspensions.reasons,
      "the own register says the suspensions")
    rules.expect(
      facts.waitsForClock || own.stalled == nil || own.stalled == player.stall, "the own register says the host's stall")
    rules.expect(own.rate.isFinite, "rates are finite")
    rules.expect(sends.isEmpty && commands.isEmpty && notices.isEmpty, "a turn leaves no effects")
    return rules.broken
  }

  private var brokenOfPolicy: [String] {
    var rules = Invariants()
    for id in facts.policies.terms.removed where id != facts.local {
      rules.expect(facts.presence.entries[id] == nil, "who was removed is not there")
      rules.expect(!facts.registers.hasParticipant(id), "who was removed has no register")
    }
    rules.expect(
      reconfirmation.items.isEmpty || facts.policies.allowsCommands(by: facts.local), "only who may command confirms")
    return rules.broken
  }

  private var isWaitingForTime: Bool { facts.session.phase == .joining || facts.waitsForClock }

  private var preparing: EffectiveState.Preparation? {
    guard let item = facts.own.item,
      case .preparing(let preparation) = EffectiveState(facts.registers.cells(of: item))
    else { return nil }
    return preparation
  }
}
