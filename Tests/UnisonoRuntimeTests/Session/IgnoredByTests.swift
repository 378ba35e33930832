import Testing
import UnisonoBase
import UnisonoWire

@testable import UnisonoRuntime

@Suite struct IgnoredByTests {
  private let one = ParticipantID(high: 1, low: 1)
  private let other = ParticipantID(high: 2, low: 2)

  @Test("who says again and again that it ignores us is told once, and no longer time than a minute is believed")
  func once() {
    var book = IgnoredBy()
    let first = book.record(IgnoringMessage(reason: 3, length: .max), from: one, now: 0)
    #expect(first == Ignored(participant: one, byOther: true, reason: .signature, until: .seconds(60)))
    let (again, elsewhere) = (
      book.record(IgnoringMessage(reason: 3, length: 1), from: one, now: .seconds(59)),
      book.record(IgnoringMessage(reason: 99, length: 0), from: other, now: .seconds(1))
    )
    #expect(again == nil)
    #expect(elsewhere == Ignored(participant: other, byOther: true, reason: nil, until: .seconds(1)))
    let (soon, later) = (
      book.record(IgnoringMessage(reason: 1, length: 0), from: other, now: .seconds(10)),
      book.record(IgnoringMessage(reason: 1, length: 0), from: other, now: .seconds(12))
    )
    #expect(soon == nil && later != nil)
  }
}
