/// The sizes of the frames that wait in a stream, so that the memory they take can be told from how many bytes wait.
///
/// Bytes alone would not do: each frame costs a request of its own, which is more than a small frame is long.
struct OutboundQueue: Sendable {
  /// From `head` on: oldest first.
  private var sizes: [Int32] = []
  private var head = 0
  private var total = 0

  /// Frames that wait, as of the last `cost`.
  var count: Int { sizes.count - head }

  mutating func wrote(_ bytes: Int) {
    sizes.append(Int32(clamping: bytes))
    total += bytes
  }

  /// Bytes of memory for what waits, when `queued` bytes do.
  mutating func cost(queued: Int) -> Int {
    // Mostly the socket took all of it.
    if queued == 0 {
      sizes.removeAll(keepingCapacity: sizes.count <= 64)
      (head, total) = (0, 0)
      return 0
    }
    while head < sizes.count, total - Int(sizes[head]) >= queued {
      total -= Int(sizes[head])
      head += 1
    }
    if head > 64, head * 2 > sizes.count {
      sizes.removeFirst(head)
      head = 0
    }
    return queued + count * HubLimits.frameCost
  }
}
