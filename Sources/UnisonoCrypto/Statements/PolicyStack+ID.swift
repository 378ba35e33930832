import UnisonoBase
import UnisonoReplica

extension PolicyStack {
  /// The id of a stack: hash of its levels' bytes, joined.
  package static func id(levels: [[UInt8]]) -> PolicyID {
    PolicyID(bytes: Hash.truncated(Array(levels.joined()))) ?? .none
  }

  /// The id of the empty stack: the policy that the session's origin states.
  package static let origin = id(levels: [])
}
