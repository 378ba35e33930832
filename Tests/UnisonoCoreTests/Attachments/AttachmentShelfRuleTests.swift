import Testing

@testable import UnisonoBase
@testable import UnisonoCoordination
@testable import UnisonoReplica

@Suite("What is offered to a group")
struct AttachmentShelfRuleTests {
  private func author(_ number: UInt8) -> ParticipantID { ParticipantID(bytes: [UInt8](repeating: number, count: 16)) ?? .none }

  private func statement(_ content: UInt8?, by author: UInt8, in slot: UInt8, at time: Int64) -> Statement {
    let value = content.map {
      AttachmentValue(id: AttachmentID([UInt8](repeating: $0, count: 32)) ?? .none, name: "\($0)", size: 1)
    }
    return Statement(
      key: .attachment(AttachmentSlot(author: self.author(author), number: slot)), author: self.author(author), policy: .none,
      time: time, value: .attachment(value))
  }

  @Test("G35: the first 64 count, in the order in which they were offered, whatever the order of the registers")
  func limit() {
    let all = (0..<70 as Range<UInt8>).map { number -> Statement in
      statement(number, by: number / 16 + 1, in: number % 16, at: Int64(number))
    }
    let shelf = AttachmentShelf(all.reversed())
    #expect(shelf.offers.map { $0.value.name } == (0..<64).map { "\($0)" } && shelf.all.count == 70)
    #expect(AttachmentShelf(all) == shelf)
  }

  @Test("G35: of one content the first offer counts; taken back, the next one does")
  func same() {
    let (first, second) = (statement(9, by: 1, in: 0, at: 1), statement(9, by: 2, in: 3, at: 2))
    let id = AttachmentID([UInt8](repeating: 9, count: 32)) ?? .none
    let both = AttachmentShelf([second, first])
    #expect(both.offers.count == 1 && both.offer(of: id)?.slot.author == author(1) && both.offers(of: id).count == 2)
    let one = AttachmentShelf([second, statement(nil, by: 1, in: 0, at: 3)])
    #expect(one.offer(of: id)?.slot.author == author(2) && one.cleared == [AttachmentSlot(author: author(1), number: 0)])
  }

  @Test("F42: a participant has sixteen places, and the free ones are found")
  func places() {
    let all = (0..<16 as Range<UInt8>).filter { $0 != 5 }.map { statement($0, by: 1, in: $0, at: 1) }
    #expect(AttachmentShelf(all).freeSlot(of: author(1))?.number == 5)
    #expect(AttachmentShelf(all + [statement(5, by: 1, in: 5, at: 1)]).freeSlot(of: author(1)) == nil)
    let taken = AttachmentSlot(author: author(2), number: 0)
    #expect(AttachmentShelf(all).freeSlot(of: author(2)) == taken)
    #expect(AttachmentShelf(all).freeSlot(of: author(2), besides: [taken])?.number == 1)
  }

  @Test(
    "F42: a name that leads out of a folder, steers a terminal or is none is shown as one that does not",
    arguments: [("a/b", "a_b"), ("..\\c:d", ".._c_d"), ("..", "_"), (".", "_"), ("\u{1B}[2J", "\u{FFFD}[2J"), ("ü.png", "ü.png")])
  func names(given: String, shown: String) {
    #expect(AttachmentValue.plain(name: given) == shown && AttachmentValue.isPlain(name: given) == (given == shown))
  }
}
