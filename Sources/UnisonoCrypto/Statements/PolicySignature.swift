import UnisonoReplica

/// Signature of a level of the policy (wire 8.1).
package enum PolicySignature {
  /// The 64-byte signature of a level's body.
  package static func sign(_ body: [UInt8], session: [UInt8], author: SigningKey) -> [UInt8] {
    author.sign(.policy, session + body)
  }

  /// Whether the holder of `author` said so in this session. The caller compares the level's author with the key's id.
  package static func verifies(_ level: PolicyLevel, session: [UInt8], author: VerifyingKey) -> Bool {
    author.verifies(level.signature, .policy, session + level.body)
  }
}
