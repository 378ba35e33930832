import Testing
import UnisonoBase

@testable import UnisonoCrypto

@Suite("Seniority") struct SeniorityRanksTests {
  private let ids = (1...6).map { ParticipantID(high: UInt64($0), low: 0) }

  @Test("who came in by a record that is not known here is right after who is before it on the roster, owners are first")
  func unknown() {
    var book = RecordBook()
    #expect(book.add(founding: Fixture.founding) == .added)
    let known = ids[2]
    let (step, _) = RosterRecord.step(
      after: Fixture.founding, roster: [Fixture.alice.id], admitting: [known], chain: Fixture.chain, scope: Fixture.door.scope,
      author: Fixture.alice.signing)
    #expect(book.add(step: step, isRemoved: { _ in false }) == .added)
    var ranks = SeniorityRanks(
      owners: [ids[4]], removed: [ids[5]], founding: Fixture.founding.id,
      roster: [Fixture.alice.id, ids[1], ids[0], known, ids[3], ids[4], ids[5]], book: book)
    let order = [ids[4], Fixture.alice.id, ids[1], ids[0], known, ids[3]]
    let places = order.map { ranks.place(of: $0) ?? .last }
    #expect(zip(places, places.dropFirst()).allSatisfy { $0 < $1 }, "\(places)")
    #expect(ranks.place(of: ids[5]) == nil)
    let stranger = ranks.place(of: ParticipantID(high: 9, low: 9))
    #expect(stranger.map { last in places.allSatisfy { $0 < last } } == true)
  }

  @Test("without anybody's record the roster's order is all there is")
  func none() {
    var ranks = SeniorityRanks(owners: [], removed: [], founding: Fixture.founding.id, roster: ids.reversed(), book: RecordBook())
    #expect(ids.sorted { (ranks.place(of: $0) ?? .last) < (ranks.place(of: $1) ?? .last) } == ids.reversed())
  }
}
