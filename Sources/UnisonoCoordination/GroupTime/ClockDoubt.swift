import UnisonoBase
import UnisonoReplica

/// A clock came into doubt, or is not any more.
package struct ClockDoubtChange: Equatable, Sendable {
  /// Whose; the own id: one's own.
  package var participant: ParticipantID
  /// Of the own one: the most senior one who contradicts it; else the own id.
  package var against: ParticipantID
  /// The doubted clock minus the other one, ns, when they contradicted each other first.
  package var offset: Nanoseconds
  package var isOver: Bool

  package init(participant: ParticipantID, against: ParticipantID, offset: Nanoseconds, isOver: Bool) {
    self.participant = participant
    self.against = against
    self.offset = offset
    self.isOver = isOver
  }
}

/// Whose clocks are in doubt, and since when (wire 8.8).
struct ClockDoubt: Sendable {
  /// Somebody whose clock contradicts others', the own one among them.
  private struct Suspect: Sendable {
    var since: HostTime
    var change: ClockDoubtChange
    /// The host was told.
    var isTold = false
    /// Of the own one: since when nobody contradicts it so that it is in doubt.
    var calmSince: HostTime?
  }

  /// By whose clock is to be judged; the own one is alone, as it can judge nobody.
  private var suspects: [ParticipantID: Suspect] = [:]

  /// The own clock is in doubt.
  func isOwn(_ local: ParticipantID) -> Bool { suspects[local]?.isTold ?? false }

  /// Whose clock counts instead of the own one; nil: the own one is not in doubt.
  func senior(_ local: ParticipantID) -> ParticipantID? {
    suspects[local].flatMap { $0.isTold ? $0.change.against : nil }
  }

  /// Judges by how clocks compare now. What is worth telling.
  ///
  /// A judgement counts once everybody was heard who is there, or once all of them had the time: two heartbeats that came first
  /// would otherwise put the right one in doubt.
  mutating func judge(by clocks: borrowing ClockComparison, _ facts: borrowing Facts) -> [Intent] {
    // As ever in a room whose clocks are right, however many are there.
    if suspects.isEmpty, clocks.isConsistent { return [] }
    let now = facts.now
    var agreeing: [ParticipantID] = []
    var distances: [ParticipantID: Nanoseconds] = [:]
    var isComplete = true
    for id in facts.presence.present {
      if let distance = clocks.distance(of: id, now: now) {
        if distance == 0 { agreeing.append(id) } else { distances[id] = distance }
      } else if (facts.presence.entries[id]?.clockError ?? 0) <= Parameters.comparableError {
        isComplete = false
      }
    }
    let judgement: ClockJudgement
    if distances.isEmpty {
      judgement = .synchronized
    } else {
      let seniority = facts.seniority
      judgement = ClockJudgement(
        of: facts.local, agreeing: agreeing, contradicting: Array(distances.keys)
      ) { seniority.isSenior($0, $1) }
    }
    var found: [ParticipantID: ClockDoubtChange] = [:]
    switch judgement {
    case .synchronized: break
    case .own(let senior):
      found[facts.local] = ClockDoubtChange(
        participant: facts.local, against: senior, offset: (0 as Nanoseconds).subtracting(distances[senior] ?? 0),
        isOver: false)
    // Who is in doubt doubts nobody.
    case .others where isOwn(facts.local): break
    case .others(let others):
      for id in others {
        found[id] = ClockDoubtChange(
          participant: id, against: facts.local, offset: distances[id] ?? 0, isOver: false)
      }
    }
    return end(whereNotIn: found, facts) + begin(found, isComplete: isComplete, facts)
  }

  private mutating func end(
    whereNotIn found: [ParticipantID: ClockDoubtChange], _ facts: borrowing Facts
  ) -> [Intent] {
    var intents: [Intent] = []
    for id in suspects.keys.sorted() where found[id] == nil {
      guard var suspect = suspects[id] else { continue }
      if id == facts.local, suspect.isTold {
        let since = suspect.calmSince ?? facts.now
        suspect.calmSince = since
        suspects[id] = suspect
        if facts.now.subtracting(since) < Parameters.clockCalm { continue }
      }
      suspects[id] = nil
      guard suspect.isTold else { continue }
      suspect.change.isOver = true
      intents.append(.notify(.session(.clockDoubt(suspect.change))))
    }
    return intents
  }

  private mutating func begin(
    _ found: [ParticipantID: ClockDoubtChange], isComplete: Bool, _ facts: borrowing Facts
  ) -> [Intent] {
    var intents: [Intent] = []
    // All who are there spoke within this.
    let patience = facts.heartbeatInterval.scaled(by: 1.2).adding(Parameters.clockStep)
    for (id, change) in found.sorted(by: { $0.key < $1.key }) {
      var suspect = suspects[id] ?? Suspect(since: facts.now, change: change)
      suspect.calmSince = nil
      suspect.change.against = change.against
      if !suspect.isTold, isComplete || facts.now.subtracting(suspect.since) >= patience {
        suspect.isTold = true
        suspect.change = change
        intents.append(.notify(.session(.clockDoubt(change))))
      }
      suspects[id] = suspect
    }
    return intents
  }
}
