import UnisonoWire

/// Replay window of one lane of one sender (wire 4.4).
struct LaneWindow: Sendable {
  /// Depth of the window, counters.
  static let span: UInt64 = 1_024

  let lane: Lane
  private var ordered = Seen()
  private var unordered = Seen()

  init(_ lane: Lane) { self.lane = lane }

  /// `isHeld`: an ordered one that could not be read when it came; others come in their order.
  func accepts(_ kind: EnvelopeHeader.Kind, _ counter: UInt64, isHeld: Bool = false) -> Bool {
    guard kind == .unordered else { return isHeld ? ordered.accepts(counter) : ordered.isNew(counter) }
    return unordered.accepts(counter)
  }

  mutating func record(_ kind: EnvelopeHeader.Kind, _ counter: UInt64) {
    if kind == .unordered { unordered.record(counter) } else { ordered.record(counter) }
  }

  /// Counters that came.
  private struct Seen: Sendable {
    private var greatest: UInt64?
    /// Bit n % 1,024: counter n was seen, for the newest 1,024 counters.
    private var bits = [UInt64](repeating: 0, count: 16)

    func isNew(_ counter: UInt64) -> Bool { greatest.map { counter > $0 } ?? true }

    func accepts(_ counter: UInt64) -> Bool {
      guard let greatest, counter <= greatest else { return true }
      return greatest - counter < LaneWindow.span && !isSeen(counter)
    }

    mutating func record(_ counter: UInt64) {
      if let greatest, counter <= greatest {
        mark(counter)
        return
      }
      // The slots between the old and the new end were those of counters that fell out of the window.
      let first = greatest.map { $0 + 1 } ?? 0
      if counter - first >= LaneWindow.span {
        bits = [UInt64](repeating: 0, count: 16)
      } else {
        for passed in first...counter { clear(passed) }
      }
      greatest = counter
      mark(counter)
    }

    private func slot(_ counter: UInt64) -> (word: Int, bit: UInt64) {
      let index = Int(counter % LaneWindow.span)
      return (index / 64, 1 << UInt64(index % 64))
    }
    private func isSeen(_ counter: UInt64) -> Bool {
      let (word, bit) = slot(counter)
      return bits[word] & bit != 0
    }
    private mutating func mark(_ counter: UInt64) {
      let (word, bit) = slot(counter)
      bits[word] |= bit
    }
    private mutating func clear(_ counter: UInt64) {
      let (word, bit) = slot(counter)
      bits[word] &= ~bit
    }
  }
}
