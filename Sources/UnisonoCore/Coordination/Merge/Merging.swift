/// Statements in and out (coordination 2.2 to 2.4).
extension Coordination {
  /// Group time for stamps; nil: none is known. What a machine that slept believes is too early, never too late, so it serves
  /// as long as it is alone: what begins by it must not be ahead of its stamp.
  var stampTime: GroupTime? { clock.isKnown || clock.isInDoubt ? groupNow : nil }

  /// Writes a register of the group, or of nobody else while alone.
  mutating func write(_ key: RegisterKey, _ value: RegisterValue, original: Stamp? = nil) {
    let statement = Statement(
      key: key, author: local, policy: policies.greatest.id, time: stamps.next(now: stampTime),
      value: value, original: original)
    registers.merge(statement)
    if key.item != nil, apart.isApart { apart.written.insert(key) } else { outbox.put(statement) }
  }

  /// Merges what came from others.
  mutating func receive(_ statements: [Statement], from sender: ParticipantID) {
    var statements = statements
    if apart.isApart, statements.contains(where: { $0.key.item != nil }) {
      // What was done apart is judged before the group's commands come in.
      apart.inbox.append((statements.filter { $0.key.item != nil }, sender))
      statements.removeAll { $0.key.item != nil }
      startMeeting()
    }
    var incomplete: Set<ItemID> = []
    for statement in statements.sorted(by: { $0.key.mergeRank < $1.key.mergeRank }) {
      guard !policies.isRemoved(statement.author) else { continue }
      guard statement.citesOnlyKnown(policies) else {
        hold(citing: statement, from: sender)
        continue
      }
      guard statement.isValid(under: policies) else {
        notices.append(.log(.warning, "a statement of \(statement.author) is not valid and was dropped"))
        continue
      }
      if isFuture(statement), !endsGuess(statement) {
        held.hold(statement)
        continue
      }
      // Asked once for each news: who does not have it either would otherwise be asked for ever.
      let isNews = accept(statement, from: sender)
      if isNews, let item = statement.key.item, !isForgotten(statement), lacksCells(of: item, for: statement) {
        incomplete.insert(item)
      }
    }
    let wanted = incomplete.sorted().flatMap { [RegisterKey.rate($0), .position($0), .continuation($0)] }
    if !wanted.isEmpty { direct(.want(wanted), to: sender) }
  }

  /// Whether it changed anything.
  @discardableResult
  private mutating func accept(_ statement: Statement, from sender: ParticipantID) -> Bool {
    if case .participant(let id) = statement.key {
      if id == local {
        meetOwnCopy(statement)
        return false
      }
      // Third-party copies of who is not there would bring ghosts back.
      guard id == sender || presence.isPresent(id, now: now) else { return false }
    }
    guard !isForgotten(statement), !isCrowdedOut(statement) else { return false }
    if clock.isKnown { stamps.observe(statement.time) }
    let changed = registers.merge(statement)
    guard changed else { return false }
    switch statement.value {
    case .participant(let value) where value.left: presence.markLeft(statement.author, now: now)
    case .clock:
      forgetOldClocks()
      refreshClock()
    default: break
    }
    return true
  }

  /// Merges held statements that are due.
  mutating func acceptHeld() {
    guard clock.isKnown else { return }
    let limit = groupNow.adding(clock.error(at: now)).adding(HybridClock.futureLimit)
    // Nobody speaks for itself by a statement that waited: who is gone by now, or was never there, leaves no register behind.
    for statement in held.take(until: limit) { accept(statement, from: .none) }
  }

  var heldWake: HostTime? {
    guard clock.isKnown, let earliest = held.earliest else { return nil }
    return clock.wake(at: earliest.subtracting(clock.error(at: now)).subtracting(HybridClock.futureLimit))
  }

  /// Once group time is known: what was merged before is seen, unless it is of the future.
  mutating func reviewStamps() {
    for statement in registers.statements.values {
      if isFuture(statement) {
        registers.remove(statement.key)
        held.hold(statement)
      } else {
        stamps.observe(statement.time)
      }
    }
  }

  private func isFuture(_ statement: Statement) -> Bool { isFuture(statement.time) }

  func isFuture(_ time: GroupTime) -> Bool {
    guard clock.isKnown else { return false }
    return time > groupNow.adding(clock.error(at: now)).adding(HybridClock.futureLimit)
  }

  /// Knowledge of the own hub's clock where that was only guessed, hence too early, or a later guess: it is of the future only
  /// if it is so by the time that it tells itself.
  private func endsGuess(_ statement: Statement) -> Bool {
    guard clock.isGuessed, case .clock(let hub) = statement.key, hub == clock.hub, let model = clock.hubModel,
      case .clock(let value) = statement.value,
      registers[statement.key].map({ registers.order.compare(statement, $0) == .greater }) ?? true
    else { return false }
    let now = model.remote(at: now).adding(value.offset)
    return statement.time <= now.adding(value.bound).adding(model.error(at: self.now)).adding(HybridClock.futureLimit)
  }

  /// The other cell of an item is missing, or the continuation names cells that never came.
  private func lacksCells(of item: ItemID, for statement: Statement) -> Bool {
    guard let cells = registers.cells(of: item) else { return true }
    guard case .continuation(let value) = statement.value else { return false }
    return registers.order.cells.compare(value.base, cells.pair) == .greater
  }

  /// Somebody has a register of ours that we did not write: an earlier life of ours, or a second process with our key.
  private mutating func meetOwnCopy(_ statement: Statement) {
    guard case .participant(let value) = statement.value, value.incarnation != configuration.incarnation,
      statement.time > max(publishedTime ?? .min, lastOwnCopy?.time ?? .min)
    else { return }
    stamps.observe(statement.time)
    if let last = lastOwnCopy, now.subtracting(last.seen) < Parameters.sharedKey {
      membership.isOver = true
      notices.append(.invalidated(.duplicateKey))
      return
    }
    lastOwnCopy = (seen: now, time: statement.time)
    published = nil
  }
}

extension RegisterKey {
  /// Continuations are merged after the cells that they continue, and clocks before everything that has a time.
  fileprivate var mergeRank: Int {
    switch self {
    case .clock, .policy: 0
    case .participant: 1
    case .end, .activity, .stallPolicy: 2
    case .rate: 3
    case .position: 4
    case .continuation: 5
    }
  }
}
