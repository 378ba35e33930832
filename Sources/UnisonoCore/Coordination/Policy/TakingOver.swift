/// A deputy takes over when no owner is there; the others believe it by what they see; an owner comes back (wire 8.6).
extension Coordination {
  mutating func reviewSuccession() {
    watchOwners()
    guard membership.secured, membership.joined else { return }
    judgeDoubted()
    guard membership.phase == .member, clock.isKnown else { return }
    answerDeputies()
    takeOver()
  }

  var successionWake: HostTime? {
    guard membership.secured, membership.joined else { return nil }
    var wakes: [HostTime?] = [takeoverTime]
    for entry in policyState.doubted.entries.values {
      if case .early(let time) = judge(from: entry.sender).verdict(on: entry.stack, origin: policies.origin) {
        wakes.append(time)
      }
      wakes.append(answerTime(to: entry))
    }
    return wakes.compactMap(\.self).filter { $0 > now }.min()
  }

  // MARK: Who is there

  private mutating func watchOwners() {
    guard membership.secured, policies.haveDeputies else { return policyState.watch.pause() }
    let owners = policies.owners.subtracting([local])
    let there = owners.filter(isThere)
    policyState.watch.look(
      for: owners, there: there, proven: there.filter(presence.hasSpoken), now: now)
  }

  /// The hub lists it, or it was heard; and it is not silent.
  private func isThere(_ id: ParticipantID) -> Bool { id == local || isPresent(id) && isHeard(id) }

  func judge(from sender: ParticipantID) -> TakeoverJudge {
    TakeoverJudge(
      watch: policyState.watch, there: Set(presence.present.filter { isHeard($0) } + [local]), local: local,
      sender: sender, now: now)
  }

  /// Somebody was heard: who is back after a long time may have been missed.
  mutating func noteCompany() {
    guard clock.isKnown else { return }
    policyState.watch.hear(at: groupNow)
  }

  // MARK: Taking over

  /// When this participant takes over, if nothing changes.
  private var takeoverTime: HostTime? {
    let terms = policies.terms
    let succession = terms.succession
    guard membership.participates, let rank = succession.deputies.firstIndex(of: local),
      !terms.owners.contains(where: isThere), policies.greatest.levels.count < PolicyStack.limit
    else { return nil }
    return policyState.watch.timeToAct(
      for: terms.owners, patience: succession.patience, ahead: succession.deputies.prefix(rank).count(where: isThere))
  }

  private mutating func takeOver() {
    guard let time = takeoverTime, now >= time else { return }
    let level = policies.takeover(
      by: local, time: stamps.next(now: stampTime), sign: configuration.sign)
    adopt([level], from: local)
    broadcast(.levels(policies.greatest.levels))
  }

  // MARK: Others' takeovers

  /// A policy that would be in force if a deputy's takeover were believed.
  mutating func doubt(_ stack: PolicyStack, from sender: ParticipantID) {
    switch judge(from: sender).verdict(on: stack, origin: policies.origin) {
    case .believed: return
    case .refused(let owner) where owner != local: refuse(stack, showing: owner)
    case .refused: policyState.doubted.hold(stack, from: sender, now: now, origin: policies.origin)
    case .early:
      policyState.doubted.hold(stack, from: sender, now: now, origin: policies.origin)
      // Who came a moment ago believes what somebody else passes on.
      let author = stack.levels.last?.author
      if let other = presence.byAge().first(where: { $0 != author && isHeard($0) }), sender == author {
        askForPolicies(of: other)
      }
    }
  }

  /// The owner who is there is shown it, and answers for all: who does not see that owner learns so that it is there.
  private mutating func refuse(_ stack: PolicyStack, showing owner: ParticipantID) {
    guard let deputy = stack.takeovers(origin: policies.origin).last?.author else { return }
    guard policyState.doubted.noteRefusal(of: deputy, now: now) else { return }
    direct(.levels(stack.levels), to: owner)
    tellRefusal(of: stack)
  }

  private mutating func tellRefusal(of stack: PolicyStack) {
    guard let takeover = stack.takeovers(origin: policies.origin).last(where: { !$0.isAccepted }) else { return }
    notices.append(
      .log(.warning, "participant \(takeover.author) took over as if no owner were there; one is, and it does not count"))
    notices.append(
      .successionChanged(
        SuccessionChange(.refused, deputy: takeover.author, isNamed: takeover.below.succession.rule == .named)))
  }

  private mutating func judgeDoubted() {
    policyState.doubted.keep { [policies] in policies.isGreater($0.stack) }
    for (author, entry) in policyState.doubted.entries.sorted(by: { $0.key < $1.key }) {
      switch judge(from: entry.sender).verdict(on: entry.stack, origin: policies.origin) {
      case .early: continue
      case .refused(let owner) where owner == local: continue
      case .refused(let owner):
        policyState.doubted.remove(author)
        refuse(entry.stack, showing: owner)
      case .believed:
        policyState.doubted.remove(author)
        adopt(entry.stack.levels, from: entry.sender)
      }
    }
  }

  // MARK: An owner answers

  /// The first owner who is there answers; the next ones if it does not. One that was mistaken for gone does so seldom. Who
  /// stands in itself and was away while the next deputy took over answers as an owner does: nobody else would.
  private func answerTime(to entry: DoubtedTakeovers.Entry) -> HostTime? {
    let takeovers = entry.stack.takeovers(origin: policies.origin).filter { !$0.isAccepted }
    guard let below = takeovers.first(where: { $0.below.owners.contains(local) })?.below,
      let rank = below.owners.filter(isThere).firstIndex(of: local)
    else { return nil }
    let time = entry.since.adding(PolicyState.ownerStep * Int64(rank))
    guard !wasAlone(during: entry.stack), let answered = policyState.doubted.answered else { return time }
    return max(time, answered.adding(max(DoubtedTakeovers.interval, below.succession.patience)))
  }

  /// This owner was away when deputies took over.
  private func wasAlone(during stack: PolicyStack) -> Bool {
    stack.takeovers(origin: policies.origin).filter { !$0.isAccepted }.allSatisfy {
      policyState.watch.wasAlone(at: $0.level.time, patience: $0.below.succession.patience, now: groupNow)
    }
  }

  /// An owner who was away accepts what was done meanwhile. One who was there says so, by saying its policy once more: that
  /// outranks the deputy's, for those who believed it, too.
  private mutating func answerDeputies() {
    let due = policyState.doubted.entries.values.filter { answerTime(to: $0).map { now >= $0 } ?? false }
    guard let entry = due.max(by: { $0.stack.compare($1.stack, origin: policies.origin) == .less }) else { return }
    policyState.doubted.remove(entry.stack.levels.last?.author ?? .none)
    if wasAlone(during: entry.stack) {
      guard
        let level = policies.acceptance(
          of: entry.stack, by: local, time: stamps.next(now: stampTime), sign: configuration.sign)
      else { return }
      adopt(entry.stack.levels + [level], from: local)
    } else {
      policyState.doubted.answered = now
      tellRefusal(of: entry.stack)
      // Who followed it to another door cannot come back through the old one.
      if let topic = entry.stack.levels.last?.terms.topic, topic != policies.terms.topic {
        notices.append(.removalWanted([]))
        return
      }
    }
    sayAgain()
  }

  // MARK: Telling

  /// Another policy is in force: who acts as owner by it.
  mutating func tellSuccession() {
    let acting = policies.acting.map {
      SuccessionChange(.began, deputy: $0.author, isNamed: $0.below.succession.rule == .named)
    }
    guard acting != policyState.acting else { return }
    if let before = policyState.acting {
      if before.deputy == local {
        policyState.watch.noteEnd(ofOwnTakeover: policies.hasAccepted(takeoverBy: local))
      }
      notices.append(
        .successionChanged(SuccessionChange(.ended, deputy: before.deputy, isNamed: before.isNamed)))
    }
    if let acting { notices.append(.successionChanged(acting)) }
    policyState.acting = acting
  }
}
