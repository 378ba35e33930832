/// What others did, for people to see: one notice for each action, none for what the library does by itself (F14).
struct PeopleNotices: Sendable {
  /// The current item as it was after the last turn.
  struct Seen: Sendable {
    var item: ItemID
    var rate: Stamp
    var position: Stamp
    /// The rate it ran at or was about to; 0: paused.
    var speed: Double
    var state: EffectiveState
  }

  /// Who is not ready for the start that is waited for; from its deadline on, who had not been then.
  struct Missing: Sendable {
    var start: ParticipantValue.Readiness
    var deadline: GroupTime
    var participants: [ParticipantID]
  }

  /// Skips of one person, so near each other that they are one.
  struct Skip: Sendable {
    var author: ParticipantID
    var amount: Nanoseconds
    /// Where the newest of them led.
    var target: ItemTime
    var last: HostTime
  }

  var seen: Seen?
  var missing: Missing?
  var skip: Skip?
  /// The items that the others were on.
  var items: [ParticipantID: ItemID] = [:]
  /// What `items` was derived from.
  var registers: UInt64?
  var presence: UInt64?
}

extension Coordination {
  /// Compares with the last turn and tells what somebody did meanwhile.
  mutating func noticeActions() {
    noticeItems()
    let now = presentlySeen
    if let before = people.seen, let now, before.item == now.item {
      if before.position != now.position { noticeSkip(from: before, to: now) }
      if before.rate != now.rate { noticeRate(from: before.speed, to: now) }
      noticeLeft(from: before, to: now)
    } else {
      people.skip = nil
      people.missing = nil
    }
    noteMissing(now)
    people.seen = now
    tellSkip(early: false)
  }

  var noticeWake: HostTime? { people.skip?.last.adding(Parameters.oneSkip) }

  private var presentlySeen: PeopleNotices.Seen? {
    guard membership.phase == .member, let item = host.item, let cells = registers.cells(of: item) else { return nil }
    let state = EffectiveState(cells)
    var speed = cells.rate.rate
    if case .paused = state { speed = 0 }
    return PeopleNotices.Seen(
      item: item, rate: cells.pair.rate.stamp, position: cells.pair.position.stamp, speed: speed, state: state)
  }

  /// A command of somebody else, and a new one.
  private func isNews(_ key: CellKey?) -> Bool {
    guard let key, key.rank == .command, key.stamp.author != local else { return false }
    return groupNow.subtracting(key.stamp.time) < Parameters.staleNews
  }

  private mutating func noticeRate(from speed: Double, to now: PeopleNotices.Seen) {
    tellSkip(early: true)
    guard isNews(registers[.rate(now.item)]?.cellKey), now.speed != speed else { return }
    let author = now.rate.author
    if now.speed == 0 {
      notices.append(.notice(NoticeMessage(.paused), originator: author))
    } else if speed == 0 {
      notices.append(.notice(NoticeMessage(.played), originator: author))
    } else {
      notices.append(.notice(NoticeMessage(.rateChanged, rate: now.speed), originator: author))
    }
  }

  private mutating func noticeSkip(from before: PeopleNotices.Seen, to seen: PeopleNotices.Seen) {
    if people.skip?.author != seen.position.author { tellSkip(early: true) }
    guard isNews(registers[.position(seen.item)]?.cellKey),
      case .position(let value)? = registers[.position(seen.item)]?.value,
      let from = before.state.position(at: seen.position.time)
    else { return }
    let amount = value.position.subtracting(from)
    people.skip = PeopleNotices.Skip(
      author: seen.position.author, amount: (people.skip?.amount ?? 0).adding(amount), target: value.position,
      last: now)
  }

  private mutating func tellSkip(early: Bool) {
    guard let skip = people.skip, early || now >= skip.last.adding(Parameters.oneSkip) else { return }
    people.skip = nil
    guard skip.amount.absolute > Parameters.sameLine else { return }
    notices.append(
      .notice(NoticeMessage(.skipped, amount: skip.amount, itemTime: skip.target), originator: skip.author))
  }

  /// The first of the group on another item changed it; who comes after only follows.
  private mutating func noticeItems() {
    guard people.registers != registers.placesRevision || people.presence != presence.revision else { return }
    (people.registers, people.presence) = (registers.placesRevision, presence.revision)
    var items: [ParticipantID: ItemID] = [:]
    for id in presence.present {
      guard let item = registers.item(of: id) else { continue }
      items[id] = item
      guard let old = people.items[id], old != item, membership.phase == .member, !apart.isApart,
        onItem(item) == [id]
      else { continue }
      notices.append(.notice(NoticeMessage(.itemChanged), originator: id))
    }
    people.items = items
  }

  // MARK: Who was left behind

  private mutating func noteMissing(_ seen: PeopleNotices.Seen?) {
    guard let seen, case .preparing(let preparation) = seen.state, let cells = registers.cells(of: seen.item) else {
      people.missing = nil
      return
    }
    let start = preparation.readiness
    guard people.missing?.start == start, groupNow >= preparation.deadline else {
      let missing = missing(for: preparation, cells: cells, item: seen.item)
      people.missing = PeopleNotices.Missing(
        start: start, deadline: preparation.deadline, participants: missing)
      return
    }
    let late = people.missing?.participants.filter { value(of: $0)?.ready != start } ?? []
    people.missing?.participants = late
  }

  /// The start was made at its deadline, without those who were not ready.
  private mutating func noticeLeft(from before: PeopleNotices.Seen, to seen: PeopleNotices.Seen) {
    guard case .playing(let playing) = seen.state, let missing = people.missing,
      playing.pair.commands == missing.start.base, playing.sequence > missing.start.sequence,
      let cells = registers.cells(of: seen.item), let written = cells.continued, written >= missing.deadline
    else { return }
    for id in missing.participants where isPresent(id) {
      notices.append(.notice(NoticeMessage(.leftWaiting), originator: id))
    }
  }
}
