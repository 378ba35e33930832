import UnisonoBase
import UnisonoReplica

extension PolicyStack {
  /// The id of a stack: hash of its levels' bytes, joined.
  package static func id(levels: [[UInt8]]) -> PolicyID {
    PolicyID(bytes: Hash.truncated(Array(levels.joined()))) ?? .none
  }

  /// Levels, one on the other; nil: one may not stand there.
  package init?(levels: [PolicyLevel], origin: PolicyOrigin) {
    var stack = PolicyStack(originID: PolicyStack.origin)
    for level in levels {
      guard let next = stack.adding(level, origin: origin, hash: Hash.sha256) else { return nil }
      stack = next
    }
    self = stack
  }

  /// The id of the empty stack: the policy that the session's origin states.
  package static let origin = id(levels: [])
}
