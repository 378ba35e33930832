import UnisonoBase
import UnisonoReplica

/// What follows from the facts alone: group time, the policy, and the state of items.
extension Facts {
  var local: ParticipantID { configuration.local }
  var groupNow: GroupTime { clock.group(at: now) }

  /// All policies that are known, in their order; the registers are ordered by it.
  var policies: PolicyOrder { _read { yield registers.order.cells.policies } }

  /// Away from the others, who may go on (coordination 2.10).
  var isApart: Bool { own.isApart }

  // MARK: Time

  /// Group time for stamps; nil: none is known. What a machine that slept believes is too early, never too late, so it serves
  /// as long as it is alone: what begins by it must not be ahead of its stamp.
  var stampTime: GroupTime? { clock.isKnown || clock.isInDoubt ? groupNow : nil }

  /// Linked, but without group time for a moment: nothing that has a time is decided, written or told to the host.
  var waitsForClock: Bool { clock.isInDoubt && session.linked && session.phase == .member }

  /// Its host was told that it joined, but group time is not known yet: what it commands there waits.
  var waitsToEnter: Bool { session.phase == .joining && session.joined }

  /// From when on one takes part who does now; nil: it is not known yet.
  var arrivalTime: GroupTime? { session.phase == .member && !waitsForClock ? groupNow : nil }

  func isFuture(_ time: GroupTime) -> Bool { isAhead(time, by: HybridClock.futureLimit) }

  /// Too far ahead even to be held.
  func isRefused(_ time: GroupTime) -> Bool { isAhead(time, by: HybridClock.refusedLimit) }

  private func isAhead(_ time: GroupTime, by limit: Nanoseconds) -> Bool {
    clock.isKnown && time > groupNow.adding(clock.error(at: now)).adding(limit)
  }

  // MARK: Policy

  /// Alone, before any group, everybody may.
  var mayCommand: Bool { session.phase == .solo || policies.allowsCommands(by: local) }
  /// Apart nobody else is moved by what the own player is told.
  var mayMoveOwnPlayer: Bool { mayCommand || isApart }

  /// What is in force; of the origin, with what the creator wants of deputies, which is not in the invite.
  var ownTerms: PolicyTerms {
    var terms = policies.terms
    if policies.greatest.levels.isEmpty, let succession = configuration.succession { terms.succession = succession }
    return terms
  }

  /// The stamp under which the policy in force appears in an exchange; nil: it is the origin.
  var policyStamp: Stamp? { policies.greatest.levels.last?.stamp }

  /// What the session waits for; nobody set it: it does not wait.
  var stallPolicy: StallPolicy { registers.stallPolicy ?? .off }

  /// What starts wait for beside players; nobody set it: nothing.
  var startPolicy: StartPolicy { registers.startPolicy ?? .none }

  /// What happens at the end of an item. Until the session's is known, what the own host asked for.
  var actionAtEnd: ActionAtEnd {
    registers.actionAtEnd ?? (session.phase == .member ? nil : settings.actionAtEnd) ?? .advance
  }

  /// Which ranges of entries are left out; nobody set it: none.
  var skipPolicy: SkipPolicy { registers.skipPolicy ?? .none }

  // MARK: State of items

  /// An item's state as a proposal.
  func statedProposal(of item: ItemID) -> PendingProposal {
    guard let cells = registers.cells(of: item) else { return .none }
    let state = EffectiveState(cells)
    guard let position = state.position(at: groupNow), cells.rate.rank != .nullProposal || position != 0 else {
      return .atRest
    }
    var rate = 0.0
    if case .playing(let playing) = state { rate = playing.line.rate }
    return .proposed(Proposal(rate: rate, itemTime: position, hostTime: now))
  }

  /// The current item's state as it is shown: a start that nobody can write any more is a pause.
  var presentState: EffectiveState {
    guard let item = own.item, let cells = registers.cells(of: item) else { return .none }
    let state = EffectiveState(cells)
    if case .preparing(let preparation) = state,
      groupNow > preparation.end.adding(Law.lostStart),
      keepers(initiator: cells.initiator, on: item).isEmpty
    {
      return .paused(at: preparation.at)
    }
    return state
  }

  /// An old anchor would carry the drift of the clocks since then into the host's own clock.
  func currentAnchor(of line: Line) -> Line {
    guard groupNow.subtracting(line.since) > Parameters.oldAnchor else { return line }
    return Line(at: line.position(at: groupNow), rate: line.rate, since: groupNow)
  }

  /// Host time at which a line begins. Of one that began already: such that a player that runs on by its own clock is right
  /// now, whatever is being slewed away.
  func anchorTime(of line: Line) -> HostTime {
    let elapsed = groupNow.subtracting(line.since)
    return elapsed > 0 ? now.subtracting(elapsed) : clock.host(at: line.since)
  }

  // MARK: Statements

  /// What the own hub's clock is where that was only guessed, hence too early, or where the own group time is in doubt: it is of the
  /// future only if it is so by the time that it tells itself.
  func tellsHubTime(_ statement: Statement) -> Bool {
    guard clock.isGuessed || clockDoubt.isOwn(local), case .clock(let hub) = statement.key, hub == clock.hub,
      let model = clock.hubModel, case .clock(let value) = statement.value,
      registers[statement.key].map({ registers.order.compare(statement, $0) != .less }) ?? true
    else { return false }
    let hubNow = model.remote(at: now).adding(value.offset)
    return statement.time <= hubNow.adding(value.bound).adding(model.error(at: now)).adding(HybridClock.futureLimit)
  }

  /// The other cell of an item is missing, or the continuation names cells that never came.
  func lacksCells(of item: ItemID, for statement: Statement) -> Bool {
    guard let cells = registers.cells(of: item) else { return true }
    guard case .continuation(let value) = statement.value else { return false }
    return registers.order.cells.compare(value.base, cells.pair) == .greater
  }
}

extension RegisterKey {
  /// Continuations are merged after the cells that they continue, and clocks before everything that has a time.
  var mergeRank: Int {
    switch self {
    case .clock, .policy: 0
    case .participant: 1
    case .end, .activity, .stallPolicy, .actionAtEnd, .startPolicy, .playlistEntry, .playlistCurrent, .attachment,
      .scheduledStart, .skipPolicy, .audience: 2
    case .rate: 3
    case .position: 4
    case .continuation: 5
    }
  }
}
