import UnisonoBase
import UnisonoReplica

/// Register 11.
enum StartPolicyCoding {
  static func write(_ policy: StartPolicy, to writer: inout ItemWriter) {
    if policy.waiting != .none { writer.integer(1, policy.waiting.rawValue) }
    writer.time(2, policy.limit)
    if policy.leaving != .goOn { writer.integer(3, policy.leaving.rawValue) }
  }

  /// What is absent, or of a later version, is what nobody asked for.
  static func read(_ reader: ByteReader) throws(WireError) -> StartPolicy {
    var policy = StartPolicy.none
    var items = Items(reader)
    while let item = try items.next() {
      switch item.tag {
      case 1: policy.waiting = StartPolicy.Waiting(rawValue: try item.integer()) ?? .none
      case 2: policy.limit = try item.time()
      case 3: policy.leaving = StartPolicy.Leaving(rawValue: try item.integer()) ?? .goOn
      default: try item.unknown()
      }
    }
    guard policy.isPlausible else { throw .range }
    return policy
  }
}
