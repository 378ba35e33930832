import UnisonoBase
import UnisonoReplica

/// Register 9.
enum StallPolicyCoding {
  static func write(_ policy: StallPolicy, to writer: inout ItemWriter) {
    writer.boolean(1, policy.waits)
    writer.time(2, policy.debounce)
    writer.time(3, policy.limit)
  }

  static func read(_ reader: ByteReader) throws(WireError) -> StallPolicy {
    var waits: Bool?
    var debounce: Int64?
    var limit: Int64?
    var items = Items(reader)
    while let item = try items.next() {
      switch item.tag {
      case 1: waits = try item.boolean()
      case 2: debounce = try item.time()
      case 3: limit = try item.time()
      default: try item.unknown()
      }
    }
    let policy = StallPolicy(
      waits: try waits.required(), debounce: try debounce.required(), limit: try limit.required())
    guard policy.isPlausible else { throw .range }
    return policy
  }
}
