import Testing
import UnisonoBase

@testable import UnisonoRuntime

@Suite("Reliable messages: once and in order")
struct MessageInboxTests {
  private let sender = ParticipantID(high: 1, low: 2)
  private func message(_ number: UInt64) -> MessageInbox.Message {
    MessageInbox.Message(sender: sender, number: number, bytes: [UInt8(number)])
  }

  @Test("F34: one that comes again is dropped; one that comes before the one it follows waits for it")
  func order() {
    let inbox = Box(MessageInbox())
    func take(_ number: UInt64, after previous: UInt64?) -> [UInt64] {
      inbox.value.receive(message(number), previous: previous, now: 0).map(\.number)
    }
    #expect(take(5, after: 4) == [5])
    #expect(take(5, after: 4) == [])
    #expect(take(8, after: 7) == [] && take(9, after: 8) == [])
    #expect(take(6, after: nil) == [6])
    #expect(take(7, after: 5) == [7, 8, 9])
    #expect(inbox.value.nextWake == nil)
  }

  @Test("F34: what never comes is not waited for longer than 2 s, and that is told")
  func patience() {
    let inbox = Box(MessageInbox())
    _ = inbox.value.receive(message(1), previous: 0, now: 0)
    #expect(inbox.value.receive(message(3), previous: 2, now: 0).isEmpty)
    #expect(inbox.value.nextWake == MessageInbox.patience)
    #expect(inbox.value.tick(now: MessageInbox.patience - 1).messages.isEmpty)
    let told = inbox.value.tick(now: MessageInbox.patience)
    #expect(told.messages.map(\.number) == [3] && told.lost == [sender])
    #expect(inbox.value.nextWake == nil)
  }

  @Test("F34: who floods with messages that wait for nothing is not remembered without bound")
  func bounds() {
    let inbox = Box(MessageInbox())
    _ = inbox.value.receive(message(1), previous: 0, now: 0)
    var told = 0
    for number in 0..<200 as Range<UInt64> {
      let one = MessageInbox.Message(sender: sender, number: 10 + 2 * number, bytes: [])
      told += inbox.value.receive(one, previous: 9 + 2 * number, now: 0).count
    }
    #expect(told >= 200 - MessageInbox.waitingMost)
  }
}
