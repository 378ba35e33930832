import UnisonoWire

/// What waits to be sealed for one receiver, in order. The texts are shared between all receivers of a frame.
struct UnsealedQueue {
  /// From `head` on: oldest first.
  private var texts: [RecordText] = []
  private var head = 0
  /// Bytes that the records of these will have.
  private(set) var bytes = 0

  var isEmpty: Bool { head == texts.count }
  var count: Int { texts.count - head }

  mutating func append(_ text: RecordText) {
    texts.append(text)
    bytes += text.recordLength
  }

  mutating func popFirst() -> RecordText? {
    guard !isEmpty else { return nil }
    let text = texts[head]
    bytes -= text.recordLength
    head += 1
    if head == texts.count {
      // Room for some stays: mostly one comes and goes.
      texts.removeAll(keepingCapacity: head <= 64)
      head = 0
    } else if head > 64, head * 2 > texts.count {
      texts.removeFirst(head)
      head = 0
    }
    return text
  }
}
