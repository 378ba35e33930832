import UnisonoBase
import UnisonoReplica
import UnisonoWire

/// A roster record that goes back to the session's founding record, as a newcomer can see it: it knows nothing but the invite
/// (wire 5.3).
package struct ProvenRecord: Sendable {
  package let record: RosterRecord
  package let roster: [ParticipantID]
  package let founding: RosterRecord
  /// Those by which the welcomer and the record's author came in, by number.
  package let steps: [RosterRecord]
  /// Levels of the policy under which the room was founded.
  package let levels: [PolicyLevel]

  /// Judges what a welcomer shows; nil: it proves nothing. Costs a signature check for each record and level.
  ///
  /// - Parameters:
  ///   - keys: signing keys that introductions brought, by id.
  ///   - root: who made the session, by the invite.
  init?(
    _ text: WelcomeText, chain: Secret, welcomer: ParticipantID, newcomer: ParticipantID, root: ParticipantID,
    keys: [ParticipantID: VerifyingKey], scope: Scope
  ) {
    func record(_ bytes: [UInt8]) -> RosterRecord? {
      guard let record = try? RosterRecord(reading: bytes, scope: scope), let key = keys[record.author],
        record.isSigned(by: key, scope: scope)
      else { return nil }
      return record
    }
    var levels: [PolicyLevel] = []
    for bytes in text.levels {
      guard let level = try? PolicyLevel(reading: bytes, hash: Hash.sha256), let key = keys[level.author],
        PolicySignature.verifies(level, session: scope.session, author: key)
      else { return nil }
      levels.append(level)
    }
    guard let first = text.proof.first, let founding = record(first), founding.body.kind == .founding,
      RosterRecord.rosterHash(founding.body.admitted) == founding.body.rosterHash,
      Self.mayFound(founding, levels: levels, root: root, topic: scope.topic)
    else { return nil }

    // By which number each came in; an author must have come in before.
    var numbers: [ParticipantID: UInt32] = [:]
    for id in founding.body.admitted { numbers[id] = 0 }
    func isMember(_ id: ParticipantID, before number: UInt32) -> Bool { numbers[id].map { $0 < number } ?? false }
    var steps: [RosterRecord] = []
    for bytes in text.proof.dropFirst() {
      guard let step = record(bytes), step.body.kind == .step, isMember(step.author, before: step.number) else { return nil }
      for id in step.body.admitted { numbers[id] = min(numbers[id] ?? .max, step.number) }
      steps.append(step)
    }

    guard let last = record(text.record), numbers[welcomer] != nil || last.body.admitted.contains(welcomer),
      last.body.kind == .step ? isMember(last.author, before: last.number) : last.id == founding.id,
      RosterRecord.rosterHash(text.roster) == last.body.rosterHash,
      text.roster.contains(newcomer), text.roster.contains(welcomer),
      ContentKey.commitment(to: chain, of: last.body, scope: scope) == last.body.commit
    else { return nil }
    let removed = levels.last?.terms.removed ?? []
    guard !removed.contains(welcomer), !removed.contains(last.author) else { return nil }
    self.record = last
    roster = text.roster
    self.founding = founding
    self.steps = steps
    self.levels = levels
  }

  /// Whether the session has a room with this founding record: the root's before an owner re-keyed, else the one that the policy
  /// names, whose id an owner signed.
  static func mayFound(_ record: RosterRecord, levels: [PolicyLevel], root: ParticipantID, topic: [UInt8]) -> Bool {
    guard PolicyStack(levels: levels, origin: PolicyOrigin(root: root)) != nil else { return false }
    guard let terms = levels.last?.terms, terms.hasMoved else {
      return record.author == root && record.body.policy == PolicyStack.origin
    }
    return terms.founding == record.id && terms.topic == topic
  }
}
