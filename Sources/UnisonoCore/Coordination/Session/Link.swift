/// The link to the hub comes and goes (coordination 2.1, 2.10, 2.13).
extension Coordination {
  mutating func linkUp(members: [Member], hub: ClockID) {
    membership.linked = true
    heartbeat.greeted = []
    membership.secured = false
    membership.pull = nil
    me.left = false
    if clock.hub != hub {
      clock.hub = hub
      clock.hubModel = nil
      clock.unmappedSince = nil
    }
    presence.replace(with: members.filter { $0.id != local && !policies.isRemoved($0.id) }, now: now)
    if membership.phase == .solo, !membership.hasGivenUp || membership.joined || configuration.isCreator { leaveSolo() }
    awaitGroup()
    refreshClock()
  }

  mutating func linkDown() {
    membership.linked = false
    membership.secured = false
    membership.pull = nil
    presence.loseOwnLink(now: now)
    policyState.watch.pause()
    apart.abandonMeeting()
    switch membership.phase {
    case .solo: break
    case .joining: awaitGroup()
    case .member:
      becomeApart()
      // What waited for the hub's clock is one's own again.
      resumeTransition()
      resumeKeptRequests()
    }
  }

  mutating func takePresence(joined: [Member], gone: [Departure]) {
    let knows = joined.contains { isReturning($0.id) }
    let new = joined.filter { $0.id != local && !policies.isRemoved($0.id) }
    if !new.isEmpty { presence.join(new, now: now) }
    for member in new { heartbeat.greeted.remove(member.id) }
    let lost = gone.filter { $0.id != local }
    if !lost.isEmpty { presence.depart(lost, now: now) }
    if knows { waitWithGuess() }
    awaitGroup()
    if membership.secured, !membership.joined, membership.pull == nil { startPull() }
    guard membership.phase == .member else { return }
    if apart.isApart, !presence.byAge().isEmpty {
      guard membership.secured, apart.meetingUntil == nil else { return }
      // Who was never there has nothing that could be dragged: what is here is its group's state.
      if knows { startMeeting() } else { endApart(keepingAll: true) }
    } else if hasLostEverybody {
      interruptMeeting()
      becomeApart()
    }
  }

  mutating func secure() {
    guard !membership.secured else { return }
    membership.secured = true
    published = nil
    heartbeat.next = now
    awaitGroup()
    if configuration.isCreator, !membership.joined {
      membership.isFounder = true
      becomeJoined()
    }
    tellPolicies()
    if membership.joined {
      if apart.isApart { presence.byAge().isEmpty ? meetNobody() : startMeeting() } else { offerOwn() }
    }
    if membership.pull == nil { startPull() }
  }

  /// What was done alone is a proposal to the group, and the host keeps on until the group is known.
  mutating func leaveSolo() {
    if let item = host.item, suspensions.heldTransition == nil, let proposal = presentState(of: item) {
      suspensions.heldTransition = proposal
    }
    registers = RegisterStore(policies: policies)
    stamps = HybridClock()
    lastOn = [:]
    occupation = nil
    me.ready = nil
    me.availableSince = nil
    membership.phase = .joining
    clock.forget()
  }

  /// An item's state as a proposal (within: nil where it says nothing); nil: it has no state.
  func presentState(of item: ItemID) -> Proposal?? {
    guard let cells = registers.cells(of: item) else { return nil }
    let state = EffectiveState(cells)
    guard let position = state.position(at: groupNow), cells.rate.rank != .nullProposal || position != 0 else {
      return .some(nil)
    }
    var rate = 0.0
    if case .playing(let playing) = state { rate = playing.line.rate }
    return .some(Proposal(rate: rate, itemTime: position, hostTime: now))
  }

  /// A group that does not come, or a link that broke before group time was known, does not hold the own player for ever.
  /// Met after that, it counts.
  mutating func awaitGroup() {
    let isMet = membership.secured && (configuration.isCreator || !presence.byAge().isEmpty)
    if isMet {
      membership.hasGivenUp = false
      if membership.phase == .solo { leaveSolo() }
    }
    guard membership.phase == .joining, !isMet, !(membership.joined && membership.linked) else {
      membership.aloneFrom = nil
      return
    }
    membership.aloneFrom = membership.aloneFrom ?? now.adding(Parameters.joining)
  }

  mutating func checkAlone() {
    guard membership.phase == .joining, let from = membership.aloneFrom, now >= from else { return }
    membership.aloneFrom = nil
    membership.hasGivenUp = true
    returnToSolo()
  }

  private mutating func returnToSolo() {
    registers = RegisterStore(policies: policies)
    stamps = HybridClock()
    membership.phase = .solo
    clock.useOwn()
    resumeAfterJoining()
  }

  /// The registers and group time are there: the host is commanded from now on.
  mutating func enterIfPossible() {
    guard membership.phase == .joining, membership.joined, clock.isKnown else { return }
    membership.phase = .member
    reviewStamps()
    if host.item != nil, !suspensions.isSuspended { me.availableSince = groupNow }
    resumeAfterJoining()
  }

  private mutating func resumeAfterJoining() {
    host.forgetIssued()
    host.nextCause = .item
    if let item = host.item, !suspensions.isSuspended {
      let proposal = suspensions.heldTransition ?? nil
      suspensions.heldTransition = nil
      arrive(on: item, proposal: proposal, mayBeAbandoned: true)
    }
    if membership.phase == .member, let activity = membership.pendingActivity {
      membership.pendingActivity = nil
      write(.activity, .activity(activity))
    }
    if let policy = settings.stallPolicy { setStallPolicy(policy, asProposal: true) }
    resumeKeptRequests()
  }

  /// What the host asked while it could not be stamped, newest only.
  mutating func resumeKeptRequests() {
    if let seek = membership.pendingSeek { requestSeek(to: seek.to, immediately: seek.immediately) }
    if let rate = membership.pendingRate { requestRate(rate.rate, immediately: rate.immediately) }
    membership.pendingSeek = nil
    membership.pendingRate = nil
  }

  /// The hub shows nobody else, while others were there who did not leave.
  private var hasLostEverybody: Bool {
    presence.byAge().isEmpty && presence.entries.values.contains { !$0.connected && !$0.left }
  }

  /// After the link came back: what we wrote may not have reached anybody.
  mutating func offerOwn() {
    let own = registers.statements.values.filter {
      $0.author == local && !$0.key.isParticipant && !registers.isStale($0)
    }
    for statement in own.sorted(by: { $0.stamp < $1.stamp }) { outbox.put(statement) }
  }
}

extension RegisterKey {
  var isParticipant: Bool { if case .participant = self { true } else { false } }
}
