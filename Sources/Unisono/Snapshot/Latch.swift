import Synchronization

/// Twelve words that one thread writes and any thread reads whole, without a lock on either side.
///
/// A sequence lock of two copies: readers always have one that is not being written, so a writer that is descheduled in the
/// middle never makes an audio thread spin. Readers try again only when a write began and ended meanwhile.
struct Latch: ~Copyable, @unchecked Sendable {
  static let wordCount = 12

  private let sequence = Atomic<UInt>(0)
  /// Two copies, one behind the other; never freed, as slots are not.
  private let words: UnsafeMutablePointer<Atomic<UInt64>>

  init() {
    words = .allocate(capacity: 2 * Self.wordCount)
    for index in 0..<(2 * Self.wordCount) { (words + index).initialize(to: Atomic(0)) }
  }

  /// One writer at a time.
  borrowing func write(_ values: LatchWords) {
    let before = sequence.load(ordering: .relaxed)
    sequence.store(before &+ 1, ordering: .relaxed)
    atomicMemoryFence(ordering: .releasing)
    store(values, copy: 0)
    sequence.store(before &+ 2, ordering: .releasing)
    atomicMemoryFence(ordering: .releasing)
    store(values, copy: 1)
  }

  borrowing func clear() { write(LatchWords()) }

  borrowing func read() -> LatchWords {
    while true {
      let before = sequence.load(ordering: .acquiring)
      let values = load(copy: Int(before & 1))
      atomicMemoryFence(ordering: .acquiring)
      if sequence.load(ordering: .relaxed) == before { return values }
    }
  }

  private borrowing func store(_ values: LatchWords, copy: Int) {
    for index in 0..<Self.wordCount {
      words[copy * Self.wordCount + index].store(values[index], ordering: .relaxed)
    }
  }

  private borrowing func load(copy: Int) -> LatchWords {
    var values = LatchWords()
    for index in 0..<Self.wordCount {
      values[index] = words[copy * Self.wordCount + index].load(ordering: .relaxed)
    }
    return values
  }
}
