import UnisonoBase
import UnisonoReplica

/// What a room wants done. Rooms read facts and change nothing but themselves; the kernel does what they want, at once and in
/// order.
enum Intent: Sendable {
  /// A register of the group, or of nobody else while alone; `original`: the stamp of what is only confirmed.
  case write(RegisterKey, RegisterValue, original: Stamp? = nil)
  /// A continuation of the pair that is in force once everything before this is written; none where the item has no state.
  case continuePair(of: ItemID, sequence: UInt32, kind: ContinuationValue.Kind, original: Stamp? = nil)
  /// To one participant, or to all others (nil); nothing goes out before messages can be read.
  case send(CoordinationMessage, to: ParticipantID?)
  case command(PlaybackCommand)
  case notify(CoordinationEffect)
  /// By the library, for this reason.
  case suspend(String)
  case refuse(operation: Operation, status: CoordinationStatus, message: String)
  /// The own player is ready for nothing any more.
  case voidReadiness
  /// The own end, as the own register says it from now on.
  case setEnded(ParticipantValue.Moment?)
  /// Levels whose signatures were checked, and who passed them on.
  case adopt([PolicyLevel], from: ParticipantID)
  /// All that is known of policies is to be asked of somebody.
  case askForPolicies(of: ParticipantID)
  /// An owner's change of the policy; a repetition is one that lost against another owner's.
  case changePolicy(PolicyChange, isRepetition: Bool)
  /// The deputies that the library lists by itself.
  case listDeputies([ParticipantID])
  /// An owner accepts what deputies did in a policy, and says so.
  case acceptTakeovers(PolicyStack)
  /// The policy in force once more, by a level of this owner's.
  case restatePolicy

  static func log(_ level: LogLevel, _ text: String) -> Intent { .notify(.session(.log(level, text))) }
}

/// What a host brought to its item and could not propose yet.
enum PendingProposal: Equatable, Sendable {
  case none
  /// At rest, at the beginning.
  case atRest
  case proposed(Proposal)

  /// "Now" is `now`, not the instant at which the proposal is written.
  init(_ proposal: Proposal?, now: HostTime) {
    guard var proposal else {
      self = .atRest
      return
    }
    proposal.hostTime = proposal.hostTime ?? now
    self = .proposed(proposal)
  }

  var isPending: Bool { self != .none }

  var proposal: Proposal? { if case .proposed(let proposal) = self { proposal } else { nil } }

  /// It stands where it would be by now.
  mutating func stop(at now: HostTime) {
    guard case .proposed(let proposal) = self else { return }
    self = .proposed(Proposal(rate: 0, itemTime: proposal.position(at: now), hostTime: now))
  }

  /// The same place of the own copy, which is that much later in the group's item time.
  mutating func shift(by length: Nanoseconds) {
    guard case .proposed(var proposal) = self else { return }
    proposal.itemTime = proposal.itemTime.adding(length)
    self = .proposed(proposal)
  }
}
