import UnisonoBase

/// A question for a run's clock, or its answer (hubs 4.2).
package struct HubProbe: Equatable, Sendable {
  /// The asker's own, sent back as it came.
  package var number: UInt64
  /// When the question came and the answer left, by the answerer's clock; nil: a question.
  package var answer: Answer?

  package struct Answer: Equatable, Sendable {
    package var received: HubTime
    package var sent: HubTime

    package init(received: HubTime, sent: HubTime) {
      self.received = received
      self.sent = sent
    }
  }

  package init(number: UInt64, answer: Answer? = nil) {
    self.number = number
    self.answer = answer
  }

  func write(to writer: inout ItemWriter) {
    writer.integer(1, number)
    if let answer {
      writer.time(2, answer.received)
      writer.time(3, answer.sent)
    }
  }

  init(_ reader: ByteReader) throws(WireError) {
    var number: UInt64?
    var received: HubTime?
    var sent: HubTime?
    var items = Items(reader)
    while let item = try items.next() {
      switch item.tag {
      case 1: number = try item.integer()
      case 2: received = try item.time()
      case 3: sent = try item.time()
      default: try item.unknown()
      }
    }
    self.number = try number.required()
    guard let received, let sent else {
      guard received == nil, sent == nil else { throw .truncated }
      return
    }
    answer = Answer(received: received, sent: sent)
  }
}
