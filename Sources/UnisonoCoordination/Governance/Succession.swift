import UnisonoBase
import UnisonoReplica

/// A deputy takes over when no owner is there; the others believe it by what they see; an owner comes back (wire 8.6).
struct Succession: Sendable {
  /// When owners were there, and when they were not.
  private var watch = OwnerWatch()
  /// Takeovers that are not believed, or not yet.
  private var doubted = DoubtedTakeovers()
  /// Since when a takeover is known that does not count any more.
  private var overruledSince: HostTime?
  /// Who acts as owner, as the host was told.
  private(set) var acting: SuccessionChange?

  /// As long as a statement waits for the policy that it cites.
  private static let overruledLifetime = HeldCitations.lifetime

  func wake(_ facts: borrowing Facts) -> HostTime? {
    guard facts.session.secured, facts.session.joined else { return nil }
    var wakes: [HostTime?] = [takeoverTime(facts), overruledSince?.adding(Self.overruledLifetime)]
    if facts.clock.isKnown, let end = watch.catchingUpEnds { wakes.append(facts.clock.wake(at: end)) }
    for entry in doubted.entries.values {
      if case .early(let time) = judge(from: entry.sender, facts).verdict(on: entry.stack, origin: facts.policies.origin) {
        wakes.append(time)
      }
      wakes.append(answerTime(to: entry, facts))
    }
    return wakes.compactMap { $0 }.filter { $0 > facts.now }.min()
  }

  // MARK: Who is there

  mutating func watchOwners(_ facts: borrowing Facts) {
    guard facts.session.secured, facts.policies.haveDeputies else { return watch.pause() }
    let owners = facts.policies.owners
    var (there, proven): (Set<ParticipantID>, Set<ParticipantID>) = ([], [])
    for id in owners where id != facts.local && facts.isActive(id) {
      there.insert(id)
      if facts.presence.hasSpoken(id) { proven.insert(id) }
    }
    watch.look(for: owners, there: there, proven: proven, now: facts.now)
  }

  /// Without a link nothing is to be seen.
  mutating func pauseWatch() { watch.pause() }

  /// This machine slept: what happened meanwhile others know better.
  mutating func forgetWatch() { watch.forget() }

  /// Somebody was heard: who is back after a long time may have been missed.
  mutating func hear(_ facts: borrowing Facts) {
    guard facts.clock.isKnown else { return }
    watch.hear(at: facts.groupNow)
  }

  /// What a takeover that `sender` passes on is judged by now.
  func judge(from sender: ParticipantID, _ facts: borrowing Facts) -> TakeoverJudge {
    TakeoverJudge(
      watch: watch, there: Set(facts.presence.present.filter { facts.isHeard($0) } + [facts.local]), local: facts.local,
      sender: sender, now: facts.now)
  }

  // MARK: Taking over

  /// When this participant takes over, if nothing changes.
  func takeoverTime(_ facts: borrowing Facts) -> HostTime? {
    guard facts.session.participates, let rank = facts.policies.terms.succession.deputies.firstIndex(of: facts.local) else { return nil }
    let terms = facts.policies.terms
    let succession = terms.succession
    guard !terms.owners.contains(where: facts.isActive), facts.policies.greatest.levels.count < PolicyStack.limit
    else { return nil }
    return watch.timeToAct(
      for: terms.owners, patience: succession.patience,
      ahead: succession.deputies.prefix(rank).count(where: facts.isActive))
  }

  // MARK: Others' takeovers

  /// A policy that would be in force if a deputy's takeover were believed.
  mutating func doubt(_ stack: PolicyStack, from sender: ParticipantID, _ facts: borrowing Facts) -> [Intent] {
    let origin = facts.policies.origin
    switch judge(from: sender, facts).verdict(on: stack, origin: origin) {
    case .believed: return []
    case .refused(let owner) where owner != facts.local:
      // That owner may be gone already, and not be missed yet.
      doubted.hold(stack, from: sender, now: facts.now, origin: origin)
      if let author = stack.levels.last?.author { _ = doubted.markRefused(author) }
      return refuse(stack, showing: owner, facts)
    case .refused:
      doubted.hold(stack, from: sender, now: facts.now, origin: origin)
      return []
    case .early:
      doubted.hold(stack, from: sender, now: facts.now, origin: origin)
      // Who came a moment ago believes what somebody else passes on.
      let author = stack.levels.last?.author
      guard sender == author, let other = facts.presence.byAge().first(where: { $0 != author && facts.isHeard($0) })
      else { return [] }
      return [.askForPolicies(of: other)]
    }
  }

  /// The owner who is there is shown it, and answers for all: who does not see that owner learns so that it is there.
  private mutating func refuse(_ stack: PolicyStack, showing owner: ParticipantID, _ facts: borrowing Facts) -> [Intent] {
    guard let deputy = stack.takeovers(origin: facts.policies.origin).last?.author,
      doubted.claimAnswer(to: deputy, now: facts.now)
    else { return [] }
    return [.send(.levels(stack.levels), to: owner)] + refusal(of: stack, facts)
  }

  private func refusal(of stack: PolicyStack, _ facts: borrowing Facts) -> [Intent] {
    guard let takeover = stack.takeovers(origin: facts.policies.origin).last(where: { !$0.isAccepted }) else { return [] }
    return [
      .log(
        .warning, "participant \(takeover.author) took over as if no owner were there; one is, and it does not count"),
      .notify(
        .session(
          .successionChanged(
            SuccessionChange(.refused, deputy: takeover.author, isNamed: takeover.below.succession.rule == .named)))),
    ]
  }

  /// Takeovers that are doubted, by author; those that could not be in force any more are dropped.
  mutating func doubts(_ facts: borrowing Facts) -> [(author: ParticipantID, entry: DoubtedTakeovers.Entry)] {
    guard !doubted.entries.isEmpty else { return [] }
    let policies = facts.policies
    doubted.keep { policies.isGreater($0.stack) }
    return doubted.entries.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  /// Judges one of `doubts` again.
  mutating func review(
    _ entry: DoubtedTakeovers.Entry, of author: ParticipantID, _ facts: borrowing Facts
  ) -> [Intent] {
    switch judge(from: entry.sender, facts).verdict(on: entry.stack, origin: facts.policies.origin) {
    case .early: return []
    case .refused(let owner) where owner == facts.local: return []
    case .refused(let owner): return doubted.markRefused(author) ? refuse(entry.stack, showing: owner, facts) : []
    case .believed:
      doubted.remove(author)
      return [.adopt(entry.stack.levels, from: entry.sender)]
    }
  }

  // MARK: An owner answers

  /// The first owner who is there answers; the next ones if it does not. One that was mistaken for gone does so seldom. Who
  /// stands in itself and was away while the next deputy took over answers as an owner does: nobody else would.
  private func answerTime(to entry: DoubtedTakeovers.Entry, _ facts: borrowing Facts) -> HostTime? {
    guard let below = entry.stack.openTakeovers(from: facts.local, origin: facts.policies.origin).first?.below,
      let rank = below.owners.filter(facts.isActive).firstIndex(of: facts.local)
    else { return nil }
    let time = entry.since.adding(OwnerTasks.ownerStep * Int64(rank))
    guard !wasAlone(during: entry.stack, facts), let answered = doubted.answered else { return time }
    return max(time, answered.adding(max(DoubtedTakeovers.interval, below.succession.patience)))
  }

  /// This owner, or who stands in itself, was away when deputies took over from it.
  private func wasAlone(during stack: PolicyStack, _ facts: borrowing Facts) -> Bool {
    stack.openTakeovers(from: facts.local, origin: facts.policies.origin).allSatisfy {
      watch.wasAlone(at: $0.level.time, patience: $0.below.succession.patience, now: facts.groupNow)
    }
  }

  /// An owner who was away accepts what was done meanwhile. One who was there says so, by saying its policy once more: that
  /// outranks the deputy's, for those who believed it, too.
  mutating func answerDeputies(_ facts: borrowing Facts) -> [Intent] {
    let origin = facts.policies.origin
    let due = doubted.entries.values.filter { answerTime(to: $0, facts).map { facts.now >= $0 } ?? false }
    guard let entry = due.max(by: { $0.stack.compare($1.stack, origin: origin) == .less }) else { return [] }
    doubted.remove(entry.stack.levels.last?.author ?? .none)
    if wasAlone(during: entry.stack, facts) { return [.acceptTakeovers(entry.stack)] }
    doubted.recordAnswer(at: facts.now)
    let refusal = refusal(of: entry.stack, facts)
    // Who followed it to another door cannot come back through the old one.
    if let topic = entry.stack.levels.last?.terms.topic, topic != facts.policies.terms.topic {
      return refusal + [.notify(.session(.removalWanted([])))]
    }
    return refusal + [.restatePolicy]
  }

  // MARK: Who acts

  /// Another policy is in force: who acts as owner by it.
  mutating func policyChanged(_ facts: borrowing Facts) -> [Intent] {
    let acting = facts.policies.acting.map {
      SuccessionChange(.began, deputy: $0.author, isNamed: $0.below.succession.rule == .named)
    }
    guard acting != self.acting else { return [] }
    var intents: [Intent] = []
    if let before = self.acting {
      if before.deputy == facts.local {
        watch.recordEnd(ofOwnTakeover: facts.policies.hasAccepted(takeoverBy: facts.local))
      }
      intents.append(
        .notify(.session(.successionChanged(SuccessionChange(.ended, deputy: before.deputy, isNamed: before.isNamed)))))
    }
    if let acting { intents.append(.notify(.session(.successionChanged(acting)))) }
    self.acting = acting
    return intents
  }

  // MARK: Somebody was away

  /// Whether this participant may not know yet what was done while it heard nobody: what it knew before is not to be confirmed as what is
  /// so. Where deputies stand in, who does so itself has missed nothing of that.
  func isCatchingUp(_ facts: borrowing Facts) -> Bool {
    facts.clock.isKnown && !facts.policies.isByDeputies && watch.mayHaveMissed(now: facts.groupNow)
  }

  /// Deputies acted by a policy that does not count, as this owner said its own without having heard of that: if it was away it
  /// accepts what was commanded meanwhile. Of roles its own word stays.
  mutating func hearOverruled(_ stack: PolicyStack, _ facts: borrowing Facts) -> [Intent] {
    let origin = facts.policies.origin
    guard facts.clock.isKnown, let takeover = stack.openTakeovers(from: facts.local, origin: origin).first, wasAlone(during: stack, facts),
      // Who followed it to another door heard nothing of what was said at this one.
      stack.terms(origin: origin).topic == facts.policies.terms.topic,
      doubted.claimAnswer(to: takeover.author, now: facts.now)
    else { return [] }
    return [.acceptTakeovers(stack)]
  }

  /// A takeover that does not count any more is known for a while, and told to who asks: an owner who was away may still accept it.
  /// Returns whether it is to be forgotten now.
  mutating func expireOverruled(_ facts: borrowing Facts) -> Bool {
    guard facts.policies.haveOverruled else {
      overruledSince = nil
      return false
    }
    let since = overruledSince ?? facts.now
    overruledSince = since
    return facts.now >= since.adding(Self.overruledLifetime)
  }

  /// Authors of the policies that are doubted.
  var authors: Set<ParticipantID> { Set(doubted.entries.values.lazy.flatMap { $0.stack.levels }.map { $0.author }) }
}
