import UnisonoBase
import UnisonoReplica

/// The own readiness where this participant speaks to an audience that starts wait for (coordination 2.24): it counts once enough of those
/// who listen are ready, too, or have been waited for long enough. To the others it is the readiness of one participant.
struct AudienceWait: Sendable {
  private(set) var audience: AudienceReadiness?
  /// The own player is ready for this, and that is not said yet.
  private(set) var held: ParticipantValue.Readiness?

  /// nil: nobody who listens is waited for.
  mutating func follow(_ new: AudienceReadiness?) { audience = new }

  /// The own player is ready.
  mutating func hold(_ readiness: ParticipantValue.Readiness) { held = readiness }

  /// The own player is not ready any more.
  mutating func drop() { held = nil }

  /// Removes what is to be said by now; nil: nothing.
  mutating func release(_ facts: borrowing Facts) -> ParticipantValue.Readiness? {
    guard let held, audience == nil || audience?.ready == held || due(facts).map({ facts.groupNow >= $0 }) ?? false else { return nil }
    self.held = nil
    return held
  }

  /// Host time at which waiting ends.
  func wake(_ facts: borrowing Facts) -> HostTime? {
    guard held != nil, let due = due(facts) else { return nil }
    let time = facts.clock.wake(at: due)
    return time > facts.now ? time : nil
  }

  /// Until when those who listen are waited for; nil: no start is asked for, and nobody waits for what is said ahead of one.
  private func due(_ facts: borrowing Facts) -> GroupTime? {
    guard let audience, let item = facts.own.item, let cells = facts.registers.cells(of: item),
      case .preparing(let preparation) = EffectiveState(cells)
    else { return nil }
    // Said in time for the start that the deadline brings: who is ready has not missed it.
    return min(cells.asked.adding(audience.limit), preparation.deadline.subtracting(Parameters.audienceMargin))
  }
}
