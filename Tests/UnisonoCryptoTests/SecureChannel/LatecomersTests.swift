import Testing
import UnisonoBase
import UnisonoWire

@testable import UnisonoCrypto

@Suite("Who comes along to the next room a moment after the others")
struct LatecomersTests {
  private let one = ParticipantID(high: 1, low: 1)
  private let other = ParticipantID(high: 1, low: 2)
  private let here = ParticipantID(high: 1, low: 3)

  private func entered() -> Latecomers {
    var room = Latecomers(awaiting: [one, other, here])
    room.enter([here], now: 0)
    return room
  }

  private func data(_ number: UInt64, length: Int = 1) -> InnerMessage { .data(number: number, bytes: [UInt8](repeating: 7, count: length)) }

  /// Numbers of the application's messages.
  private func numbers(_ said: [Latecomers.Saying]) -> [UInt64] {
    said.compactMap { if case .data(let number, _, _, _, _) = $0.message { number } else { nil } }
  }

  @Test("Z100: each is said what was meant for it, once and in its order; what is true of the moment only is not")
  func missed() {
    var room = entered()
    room.keep(data(1), to: nil, now: 1)
    room.keep(.bye, to: nil, now: 1)
    room.keep(data(0), to: nil, now: 1)
    room.keep(data(2), to: [one, here], isPrivate: true, now: 2)
    room.keep(data(3), to: [here], now: 3)
    room.keep(data(4), to: nil, now: 4)
    let first = room.arrived(one, now: 5)
    #expect(numbers(first) == [1, 2, 4] && first.count == 3 && first.map(\.isPrivate) == [false, true, false])
    room.keep(data(5), to: nil, now: 6)
    let (again, last, stranger) = (room.arrived(one, now: 7), room.arrived(other, now: 7), room.arrived(here, now: 7))
    #expect(again.isEmpty && stranger.isEmpty && numbers(last) == [1, 4, 5])
  }

  @Test("Z100: who takes longer than 5 s is not awaited, nor is anybody over another link, and 256 KiB are kept at most")
  func bounds() {
    var room = entered()
    room.keep(data(1), to: nil, now: 1)
    var late = room
    let (inTime, tooLate) = (room.arrived(one, now: Latecomers.patience - 1), late.arrived(one, now: Latecomers.patience))
    #expect(inTime.count == 1 && tooLate.isEmpty)
    var again = entered()
    again.keep(data(1), to: nil, now: 1)
    again.enter([], now: 2)
    again.keep(data(2), to: nil, now: 3)
    let overAnother = again.arrived(one, now: 4)
    #expect(overAnother.isEmpty)
    var full = entered()
    for number in 1...10 as ClosedRange<UInt64> { full.keep(data(number, length: 60_000), to: nil, now: 1) }
    let kept = full.arrived(one, now: 2)
    #expect(numbers(kept) == [7, 8, 9, 10])
  }
}
