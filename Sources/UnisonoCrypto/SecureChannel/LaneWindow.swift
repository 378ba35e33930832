import UnisonoWire

/// Replay window of one lane of one sender (wire 4.4).
struct LaneWindow: Sendable {
  /// Depth of the window for unordered messages, counters.
  static let span: UInt64 = 1_024

  let lane: Lane
  private var lastOrdered: UInt64?
  private var greatestUnordered: UInt64?
  /// Bit n % 1,024: counter n was seen, for the newest 1,024 counters.
  private var seen = [UInt64](repeating: 0, count: 16)

  init(_ lane: Lane) { self.lane = lane }

  func accepts(_ kind: EnvelopeHeader.Kind, _ counter: UInt64) -> Bool {
    guard kind == .unordered else { return lastOrdered.map { counter > $0 } ?? true }
    guard let greatest = greatestUnordered, counter <= greatest else { return true }
    return greatest - counter < Self.span && !isSeen(counter)
  }

  mutating func record(_ kind: EnvelopeHeader.Kind, _ counter: UInt64) {
    guard kind == .unordered else {
      lastOrdered = counter
      return
    }
    if let greatest = greatestUnordered, counter <= greatest {
      mark(counter)
      return
    }
    // The slots between the old and the new end were those of counters that fell out of the window.
    let first = greatestUnordered.map { $0 + 1 } ?? 0
    if counter - first >= Self.span {
      seen = [UInt64](repeating: 0, count: 16)
    } else {
      for passed in first...counter { clear(passed) }
    }
    greatestUnordered = counter
    mark(counter)
  }

  private func slot(_ counter: UInt64) -> (word: Int, bit: UInt64) {
    let index = Int(counter % Self.span)
    return (index / 64, 1 << UInt64(index % 64))
  }
  private func isSeen(_ counter: UInt64) -> Bool {
    let (word, bit) = slot(counter)
    return seen[word] & bit != 0
  }
  private mutating func mark(_ counter: UInt64) {
    let (word, bit) = slot(counter)
    seen[word] |= bit
  }
  private mutating func clear(_ counter: UInt64) {
    let (word, bit) = slot(counter)
    seen[word] &= ~bit
  }
}
