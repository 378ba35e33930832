import UnisonoBase
import UnisonoReplica

extension Coordination {
  /// What a coordination is told when it is made.
  package struct Configuration: Sendable {
    package var local: ParticipantID
    package var incarnation: UInt64
    package var displayName: String
    package var deviceName: String
    /// Seed of jitter (heartbeats, anti-entropy); never of keys.
    package var seed: UInt64
    /// First command id; later ones count up. Lets several coordinations of one context share no id.
    package var firstCommand: UInt64
    /// The number before that of the first heartbeat (wire 8.7). Whoever opens another coordinator of a name that it has closed may still
    /// be answered the heartbeats of that one.
    var beatsBefore: UInt32 { isNamed ? UInt32(truncatingIfNeeded: firstCommand >> 32) << 16 : 0 }
    /// Creator of the session: its registers are there from the start, it need not ask anybody.
    package var isCreator: Bool
    /// The id of the empty policy stack, and what that says: the session's origin.
    package var policy: PolicyID
    package var origin: PolicyOrigin
    /// Of a named coordinator, beside the session's first one (coordination 2.22): group time and policies are those of the session's
    /// coordination, which `follow` brings, and everything that is the session's alone is left to that.
    package var isNamed: Bool
    /// false: reads along, so that the activity is known, until `.participate` comes.
    package var participates: Bool
    /// What the participant would like to be, told to the owners; nil: what joiners are.
    package var roleWish: Role?
    /// Who stands in for the creator when it is gone, for its policies; nil: nobody does until it says so.
    package var succession: SuccessionTerms?
    /// Hash of digests (SHA-256 in the library): the core brings no cryptography of its own.
    package var hash: @Sendable ([UInt8]) -> [UInt8]
    /// What digests hash of a statement (wire 11.3): the core does not know how statements are written.
    package var digestInput: @Sendable (Statement) -> [UInt8]
    /// The local participant's 64-byte signature of a policy level's body.
    package var sign: @Sendable ([UInt8]) -> [UInt8]

    package init(
      local: ParticipantID, incarnation: UInt64, displayName: String, deviceName: String, seed: UInt64,
      firstCommand: UInt64 = 1, isNamed: Bool = false,
      isCreator: Bool, policy: PolicyID, origin: PolicyOrigin = PolicyOrigin(), participates: Bool = true,
      roleWish: Role? = nil, succession: SuccessionTerms? = nil, hash: @escaping @Sendable ([UInt8]) -> [UInt8],
      digestInput: @escaping @Sendable (Statement) -> [UInt8],
      sign: @escaping @Sendable ([UInt8]) -> [UInt8] = { _ in [UInt8](repeating: 0, count: 64) }
    ) {
      self.local = local
      self.incarnation = incarnation
      self.displayName = displayName
      self.deviceName = deviceName
      self.seed = seed
      self.firstCommand = firstCommand
      self.isNamed = isNamed
      self.isCreator = isCreator
      self.policy = policy
      self.origin = origin
      self.participates = participates
      self.roleWish = roleWish
      self.succession = succession
      self.hash = hash
      self.digestInput = digestInput
      self.sign = sign
    }
  }
}
