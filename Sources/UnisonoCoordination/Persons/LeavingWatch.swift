import UnisonoBase
import UnisonoReplica

/// Who of those on the own item leaves the session, and the pause of the group that follows where its policy asks for one
/// (coordination 2.16).
struct LeavingWatch: Sendable {
  /// What `here` was derived of.
  private struct Sources: Equatable, Sendable {
    var item: ItemID
    var registers: UInt64
    var presence: UInt64
  }

  /// The last one that left.
  private struct Leaver: Sendable {
    var id: ParticipantID
    /// When it left or was lost, by group time: who commanded since knew of it.
    var time: GroupTime
    var noticed: HostTime
  }

  /// Those on the item, and when their connections ended; nil: it stands.
  private var here: [ParticipantID: HostTime?] = [:]
  private var sources: Sources?
  private var leaver: Leaver?

  /// Nobody writes the pause that much later: all keepers' turns are over.
  private static let patience: Nanoseconds = .seconds(10)

  /// The pause of the group, if one is due and ours to write. `isReconciling`: others are met again, and it is not known yet what
  /// counts.
  mutating func pause(_ facts: borrowing Facts, isReconciling: Bool) -> [Intent] {
    // Whose own link is down left the others itself.
    guard facts.session.phase == .member, facts.session.linked, let item = facts.own.item else {
      sources = nil
      leaver = nil
      return []
    }
    if isReconciling { return [] }
    follow(item, facts)
    guard let leaver else { return [] }
    guard facts.startPolicy.leaving == .pause, facts.now < leaver.noticed.adding(Self.patience),
      let cells = facts.registers.cells(of: item), runs(cells, since: leaver)
    else {
      self.leaver = nil
      return []
    }
    guard let time = time(of: leaver, cells: cells, on: item, facts), facts.now >= time else { return [] }
    self.leaver = nil
    return facts.pause(cells, on: item, for: leaver.id)
  }

  /// Host time at which a pause is ours to write.
  func wake(_ facts: borrowing Facts) -> HostTime? {
    guard let leaver, let item = facts.own.item, let cells = facts.registers.cells(of: item),
      let time = time(of: leaver, cells: cells, on: item, facts)
    else { return nil }
    return time > facts.now ? time : nil
  }

  private func time(
    of leaver: Leaver, cells: Cells, on item: ItemID, _ facts: borrowing Facts
  ) -> HostTime? {
    facts.keeperRank(for: cells, on: item).map { leaver.noticed.adding(facts.takeoverDelay(rank: $0)) }
  }

  /// It plays, or is about to, by a command from before that one left.
  private func runs(_ cells: Cells, since leaver: Leaver) -> Bool {
    cells.rate.rate != 0 && !cells.hasEnded && cells.pair.rate.stamp.time < leaver.time
  }

  /// Looks who has gone since the last turn.
  private mutating func follow(_ item: ItemID, _ facts: borrowing Facts) {
    let sources = Sources(item: item, registers: facts.registers.placesRevision, presence: facts.presence.revision)
    guard sources != self.sources else { return }
    let before = self.sources?.item == item ? here : [:]
    self.sources = sources
    here = [:]
    for (id, entry) in facts.presence.entries where !entry.left && facts.registers.isOn(item, id) {
      here.updateValue(entry.lost, forKey: id)
    }
    let gone = before.filter { here.index(forKey: $0.key) == nil && hasLeft($0.key, facts) }
    for (id, lost) in gone.sorted(by: { $0.key < $1.key }) where !isHere(facts.persons.person(of: id), facts) {
      leaver = Leaver(id: id, time: time(lost, facts), noticed: facts.now)
    }
  }

  /// It is gone for good; not merely on another item, and not put out.
  private func hasLeft(_ id: ParticipantID, _ facts: borrowing Facts) -> Bool {
    !facts.policies.isRemoved(id) && facts.presence.entries[id]?.left ?? true
  }

  /// Another device of the person stays.
  private func isHere(_ person: ParticipantID, _ facts: borrowing Facts) -> Bool {
    person == facts.persons.person(of: facts.local) || here.keys.contains { facts.persons.person(of: $0) == person }
  }

  /// Who said goodbye left now; who was lost, then.
  private func time(_ lost: HostTime?, _ facts: borrowing Facts) -> GroupTime {
    guard let lost, facts.now >= lost.adding(Parameters.reconnecting) else { return facts.groupNow }
    return facts.clock.group(at: lost)
  }
}
