import UnisonoBase
import UnisonoReplica

/// Who was waited for in vain, start after start: after two in a row no start waits for it, until it was ready for one
/// (coordination 2.6, Z82). Else one member that is never ready would make every start last as long as its deadline.
struct MissedStarts: Sendable {
  /// A start that is waited for, or was made.
  private struct Start: Sendable {
    var readiness: ParticipantValue.Readiness
    var deadline: GroupTime
    /// Those who were waited for, and have not said that they are ready.
    var awaited: Set<ParticipantID> = []
    var isMade = false
  }

  /// What those who are waited for are derived of.
  private struct Sources: Equatable, Sendable {
    var start: ParticipantValue.Readiness
    var registers: UInt64
    var presence: UInt64
    var own: ParticipantValue.Readiness?
  }

  private static let most = 2

  private var start: Start?
  private var sources: Sources?
  /// How many starts in a row one has missed.
  private var counts: [ParticipantID: Int] = [:]
  /// Grows with every change of who is not waited for.
  private(set) var revision: UInt64 = 0

  /// No start waits for it.
  func isGivenUp(_ id: ParticipantID) -> Bool { counts[id].map { $0 >= Self.most } ?? false }

  /// Lets go of one participant.
  mutating func forget(_ id: ParticipantID) { set(nil, of: id) }

  /// Looks at the start of the current item: who is waited for, who is ready, and who was not when it was made.
  mutating func follow(_ facts: borrowing Facts) {
    guard facts.session.phase == .member, facts.session.linked, !facts.isApart, let item = facts.own.item,
      let cells = facts.registers.cells(of: item)
    else {
      start = nil
      return
    }
    switch EffectiveState(cells) {
    case .preparing(let preparation): wait(for: preparation, cells: cells, on: item, facts)
    case .playing(let playing) where isStart(playing): make(cells, facts)
    case .none, .paused, .playing: start = nil
    }
  }

  private func isStart(_ playing: EffectiveState.Playing) -> Bool {
    start.map { $0.readiness.base == playing.pair.commands && $0.readiness.sequence < playing.sequence } ?? false
  }

  private mutating func wait(
    for preparation: EffectiveState.Preparation, cells: Cells, on item: ItemID, _ facts: borrowing Facts
  ) {
    let readiness = preparation.readiness
    let sources = Sources(
      start: readiness, registers: facts.registers.visibleRevision, presence: facts.presence.revision, own: facts.own.ready)
    guard sources != self.sources || start == nil else { return }
    self.sources = sources
    var start = self.start?.readiness == readiness ? self.start : nil
    start = start ?? Start(readiness: readiness, deadline: preparation.deadline)
    start?.awaited.formUnion(facts.missing(for: preparation, cells: cells, item: item))
    self.start = start
    settleReady(readiness, facts)
  }

  /// Readiness counts also where it comes after the start was made: its author had not heard of that yet.
  private mutating func settleReady(_ readiness: ParticipantValue.Readiness, _ facts: borrowing Facts) {
    for id in counts.keys where facts.isReady(id, for: readiness) { set(nil, of: id) }
    guard let awaited = start?.awaited, awaited.contains(where: { facts.isReady($0, for: readiness) }) else { return }
    start?.awaited = awaited.filter { !facts.isReady($0, for: readiness) }
  }

  private mutating func make(_ cells: Cells, _ facts: borrowing Facts) {
    guard let readiness = start?.readiness else { return }
    settleReady(readiness, facts)
    guard let start, !start.isMade, let written = cells.continued else { return }
    self.start?.isMade = true
    for id in start.awaited where facts.isActive(id) {
      guard let value = facts.value(of: id), value.item == facts.own.item, !value.isApart else { continue }
      // Who gives up says so by the suspension of its library; for other reasons it is elsewhere with its person's knowledge.
      let hasGivenUp = !value.suspensions.isEmpty && value.suspensions.allSatisfy { $0.reason == Suspensions.stallRecovery }
      guard hasGivenUp || value.suspensions.isEmpty && written >= start.deadline else { continue }
      set((counts[id] ?? 0) + 1, of: id)
    }
  }

  private mutating func set(_ count: Int?, of id: ParticipantID) {
    let before = isGivenUp(id)
    counts[id] = count
    if isGivenUp(id) != before { revision &+= 1 }
  }
}
