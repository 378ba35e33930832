import UnisonoBase
import UnisonoReplica

/// What others did, for people to see: one notice for each action, none for what the library does by itself (F14).
struct ActionNotices: Sendable {
  /// The current item as it was after the last turn.
  private struct Seen: Sendable {
    var item: ItemID
    var rate: Stamp
    var position: Stamp
    /// The rate it ran at or was about to; 0: paused.
    var speed: Double
    var state: EffectiveState
  }

  /// Who is not ready for the start that is waited for; from its deadline on, who had not been then.
  private struct Missing: Sendable {
    var start: ParticipantValue.Readiness
    var deadline: GroupTime
    /// Whose players are not.
    var participants: [ParticipantID]
    /// The same of persons, who have a deadline of their own; nil: they are not waited for.
    var readyUntil: GroupTime?
    var persons: [ParticipantID] = []
  }

  /// Skips of one person, so near each other that they are one.
  private struct Skip: Sendable {
    var author: ParticipantID
    var amount: Nanoseconds
    /// Where the newest of them led.
    var target: ItemTime
    var last: HostTime
  }

  private var seen: Seen?
  private var missing: Missing?
  private var skip: Skip?
  /// The items that the others were on.
  private var items: [ParticipantID: ItemID] = [:]
  /// What `items` was derived from.
  private var registers: UInt64?
  private var presence: UInt64?

  /// Compares with the last turn, and says what somebody did meanwhile.
  mutating func compare(_ facts: borrowing Facts, _ range: SkipWatch.Skip?) -> [SessionEffect] {
    var notices: [SessionEffect] = []
    noticeItems(facts, &notices)
    let now = presentlySeen(facts)
    guard !facts.waitsToEnter else {
      // Times say nothing yet: what is done from now on is told once they do.
      if seen?.item != now?.item { seen = now }
      (skip, missing) = (nil, nil)
      return notices
    }
    if let before = seen, let now, before.item == now.item {
      if before.position != now.position { noticeSkip(from: before, to: now, facts, &notices) }
      if before.rate != now.rate { noticeRate(from: before.speed, to: now, facts, &notices) }
      noticeLeft(from: before, to: now, facts, &notices)
      noticeExcused(from: before, to: now, facts, &notices)
    } else {
      skip = nil
      missing = nil
    }
    if let range { noticeRange(range, facts, &notices) }
    rememberMissing(now, facts)
    seen = now
    reportSkip(early: false, facts, &notices)
    return notices
  }

  /// Host time at which skips that belong together are over.
  var wake: HostTime? { skip?.last.adding(Parameters.oneSkip) }

  private func hasJoined(_ facts: borrowing Facts) -> Bool { facts.session.phase == .member || facts.waitsToEnter }

  private func presentlySeen(_ facts: borrowing Facts) -> Seen? {
    guard hasJoined(facts), let item = facts.own.item, let cells = facts.registers.cells(of: item) else { return nil }
    let state = EffectiveState(cells)
    var speed = cells.rate.rate
    if case .paused = state { speed = 0 }
    return Seen(
      item: item, rate: cells.pair.rate.stamp, position: cells.pair.position.stamp, speed: speed, state: state)
  }

  /// A command of somebody else, and a new one.
  private func isNews(_ key: CellKey?, _ facts: borrowing Facts) -> Bool {
    guard let key, key.rank == .command, key.stamp.author != facts.local else { return false }
    return facts.groupNow.subtracting(key.stamp.time) < Parameters.staleNews
  }

  private mutating func noticeRate(
    from speed: Double, to now: Seen, _ facts: borrowing Facts, _ notices: inout [SessionEffect]
  ) {
    reportSkip(early: true, facts, &notices)
    guard isNews(facts.registers[.rate(now.item)]?.cellKey, facts), now.speed != speed else { return }
    // That somebody left is told of that one, and the timing says that it paused for it.
    if let cells = facts.registers.cells(of: now.item), facts.leaver(of: cells) != nil { return }
    let author = now.rate.author
    if now.speed == 0 {
      notices.append(.notice(NoticeMessage(.paused), originator: author))
    } else if speed == 0 {
      notices.append(.notice(NoticeMessage(.played), originator: author))
    } else {
      notices.append(.notice(NoticeMessage(.rateChanged, rate: now.speed), originator: author))
    }
  }

  private mutating func noticeSkip(
    from before: Seen, to seen: Seen, _ facts: borrowing Facts, _ notices: inout [SessionEffect]
  ) {
    if skip?.author != seen.position.author { reportSkip(early: true, facts, &notices) }
    guard isNews(facts.registers[.position(seen.item)]?.cellKey, facts),
      case .position(let value)? = facts.registers[.position(seen.item)]?.value,
      let from = before.state.position(at: seen.position.time)
    else { return }
    let amount = value.position.subtracting(from)
    skip = Skip(
      author: seen.position.author, amount: (skip?.amount ?? 0).adding(amount), target: value.position, last: facts.now)
  }

  private mutating func reportSkip(early: Bool, _ facts: borrowing Facts, _ notices: inout [SessionEffect]) {
    guard let skip, early || facts.now >= skip.last.adding(Parameters.oneSkip) else { return }
    self.skip = nil
    guard skip.amount.absolute > Parameters.sameLine else { return }
    notices.append(
      .notice(NoticeMessage(.skipped, amount: skip.amount, itemTime: skip.target), originator: skip.author))
  }

  /// The group left a range out. What of others' skips was to be told comes first.
  private mutating func noticeRange(_ range: SkipWatch.Skip, _ facts: borrowing Facts, _ notices: inout [SessionEffect]) {
    reportSkip(early: true, facts, &notices)
    guard facts.session.phase == .member, facts.groupNow.subtracting(range.time) < Parameters.staleNews else { return }
    let ranges = facts.registers.playlistCurrent.flatMap { facts.registers.playlistEntry($0.value.entry)?.ranges } ?? []
    var notice = NoticeMessage(.rangeSkipped, amount: range.to.subtracting(range.from), itemTime: range.to)
    notice.text = ranges.first { $0.contains(range.from) }?.kind.word
    notices.append(.notice(notice, originator: .none))
  }

  /// The first of the group on another item changed it; who comes after only follows.
  private mutating func noticeItems(_ facts: borrowing Facts, _ notices: inout [SessionEffect]) {
    guard registers != facts.registers.placesRevision || presence != facts.presence.revision else { return }
    (registers, presence) = (facts.registers.placesRevision, facts.presence.revision)
    var items: [ParticipantID: ItemID] = [:]
    for id in facts.presence.present {
      guard let item = facts.registers.item(of: id) else { continue }
      items[id] = item
      guard let old = self.items[id], old != item, hasJoined(facts), !facts.isApart,
        facts.participants(on: item) == [id]
      else { continue }
      notices.append(.notice(NoticeMessage(.itemChanged), originator: id))
    }
    self.items = items
  }

  // MARK: Who was left behind

  private mutating func rememberMissing(_ seen: Seen?, _ facts: borrowing Facts) {
    guard let seen, case .preparing(let preparation) = seen.state, let cells = facts.registers.cells(of: seen.item)
    else {
      missing = nil
      return
    }
    let start = preparation.readiness
    var missing = self.missing?.start == start ? self.missing : nil
    if missing == nil || facts.groupNow < preparation.deadline {
      missing = Missing(
        start: start, deadline: preparation.deadline,
        participants: facts.missing(for: preparation, cells: cells, item: seen.item),
        readyUntil: preparation.readyUntil, persons: missing?.persons ?? [])
    } else {
      missing?.participants.removeAll { facts.value(of: $0)?.ready == start }
    }
    if let until = preparation.readyUntil {
      let unready = facts.unreadyPersons(for: cells, on: seen.item)
      if facts.groupNow < until { missing?.persons = unready } else { missing?.persons.removeAll { !unready.contains($0) } }
    }
    self.missing = missing
  }

  /// The start was made at its deadline, without those who were not ready.
  private func noticeLeft(
    from before: Seen, to seen: Seen, _ facts: borrowing Facts, _ notices: inout [SessionEffect]
  ) {
    guard case .playing(let playing) = seen.state, let missing,
      playing.pair.commands == missing.start.base, playing.sequence > missing.start.sequence,
      let cells = facts.registers.cells(of: seen.item), let written = cells.continued
    else { return }
    let players = written >= missing.deadline ? missing.participants : []
    let persons = missing.readyUntil.map { written >= $0 } ?? false ? missing.persons : []
    for id in players + persons.filter({ !players.contains($0) }) where facts.isPresent(id) {
      notices.append(.notice(NoticeMessage(.leftWaiting), originator: id))
    }
  }

  /// Somebody went on without persons who were waited for, by the same play once more.
  private func noticeExcused(
    from before: Seen, to seen: Seen, _ facts: borrowing Facts, _ notices: inout [SessionEffect]
  ) {
    guard let missing, missing.readyUntil != nil, before.rate != seen.rate, before.speed == seen.speed, seen.speed != 0,
      facts.groupNow.subtracting(seen.rate.time) < Parameters.staleNews, let cells = facts.registers.cells(of: seen.item)
    else { return }
    var waitedFor: [ParticipantID] = []
    if case .preparing(let preparation) = seen.state {
      waitedFor = facts.unready(for: preparation, cells: cells, item: seen.item)
    }
    for id in missing.persons where facts.isPresent(id) && !waitedFor.contains(id) {
      let isOwnWish = facts.persons.person(of: id) == facts.persons.person(of: seen.rate.author)
      if !isOwnWish, !facts.isReadyPerson(id) { notices.append(.notice(NoticeMessage(.leftWaiting), originator: id)) }
    }
  }
}
