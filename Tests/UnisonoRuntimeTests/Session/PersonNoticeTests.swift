import Testing
import UnisonoBase
import UnisonoCoordination

@testable import UnisonoRuntime

@Suite("News of people")
struct PersonNoticeTests {
  private static let ann = ParticipantID(high: 1, low: 0)
  private static let ben = ParticipantID(high: 2, low: 0)
  private static let cem = ParticipantID(high: 3, low: 0)

  private func one(_ id: ParticipantID, _ name: String, at item: ItemID? = nil) -> ParticipantView {
    ParticipantView(id: id, connection: .connected, displayName: name, deviceName: "", item: item, isLocal: id == Self.ann)
  }

  private func changed(_ list: [ParticipantView]) -> ParticipantsChange { ParticipantsChange(updated: list) }

  private func told(_ news: [PersonNotice]) -> [String] { news.map { "\($0.name) \($0.kind)" } }

  @Test("F14: who was there is told as being there, who comes as coming, each once and when its name is known")
  func arrivals() {
    var arrivals = Arrivals()
    let first = ParticipantsChange(isComplete: true, joined: [one(Self.ann, "Ann"), one(Self.ben, "Ben"), one(Self.cem, "")])
    #expect(told(arrivals.news(of: first)) == ["Ben present"])
    #expect(told(arrivals.news(of: ParticipantsChange(updated: [one(Self.cem, "Cem")]))) == ["Cem joined"])
    #expect(told(arrivals.news(of: ParticipantsChange(updated: [one(Self.cem, "Cem"), one(Self.ben, "Benny")]))) == [])
    // Who goes is told by the name by which its coming was; who never had one was never told of.
    #expect(told(arrivals.news(of: ParticipantsChange(left: [one(Self.ben, "")]))) == ["Ben left"])
    #expect(told(arrivals.news(of: ParticipantsChange(joined: [one(Self.ben, "")]))) == [])
    #expect(told(arrivals.news(of: ParticipantsChange(left: [one(Self.ben, "")]))) == [])
    #expect(told(arrivals.news(of: ParticipantsChange(joined: [one(Self.ben, "Ben")]))) == ["Ben joined"])
  }

  @Test("F14: who is at another item for three seconds is told of once, and once more after they were together")
  func elsewhere() {
    var items = OtherItems()
    let apart = [one(Self.ann, "Ann", at: "film"), one(Self.ben, "Ben", at: "other"), one(Self.cem, "Cem", at: "other")]
    let together = apart.map { one($0.id, $0.displayName, at: "film") }
    items.update(changed(together), now: 0)
    #expect(items.nextWake == nil)
    items.update(changed(apart), now: .seconds(1))
    #expect(items.nextWake == .seconds(4))
    #expect(items.news(now: .seconds(4) - 1) == [])
    // What lasts is told, by one of those who are there; a change of something else begins nothing anew.
    items.update(changed(apart), now: .seconds(2))
    #expect(told(items.news(now: .seconds(4))) == ["Ben elsewhere(other)"])
    #expect(items.nextWake == nil && items.news(now: .seconds(60)) == [])
    items.update(changed(together), now: .seconds(61))
    items.update(changed(apart), now: .seconds(62))
    #expect(told(items.news(now: .seconds(65))) == ["Ben elsewhere(other)"])
  }

  @Test("F14: going to another item together is no news, nor is who has none")
  func moving() {
    var items = OtherItems()
    items.update(changed([one(Self.ann, "Ann", at: "a"), one(Self.ben, "Ben", at: "b"), one(Self.cem, "Cem")]), now: 0)
    items.update(changed([one(Self.ann, "Ann", at: "b"), one(Self.ben, "Ben", at: "b"), one(Self.cem, "Cem")]), now: .seconds(2))
    #expect(items.nextWake == nil)
    items.update(changed([one(Self.ann, "Ann"), one(Self.ben, "Ben", at: "b")]), now: .seconds(3))
    #expect(items.nextWake == nil)
    // Who left is at no item.
    items.update(changed([one(Self.ann, "Ann", at: "a")]), now: .seconds(4))
    #expect(items.nextWake == .seconds(7))
    items.update(ParticipantsChange(left: [one(Self.ben, "Ben", at: "b")]), now: .seconds(5))
    #expect(items.nextWake == nil)
  }

  @Test("F14: of a crowd at items of their own four are told of")
  func crowd() {
    var items = OtherItems()
    let crowd = [one(Self.ann, "Ann", at: "film")] + (2..<40).map { one(ParticipantID(high: UInt64($0), low: 0), "P\($0)", at: ItemID("\($0)")) }
    items.update(changed(crowd), now: 0)
    #expect(items.news(now: .seconds(3)).count == 4)
    #expect(items.news(now: .seconds(9)).isEmpty && items.nextWake == nil)
  }

  @Test("F14: two sessions tell of each other by name, and of an item that is not shared")
  func sessions() throws {
    let world = SessionWorld()
    let all = try world.joined()
    world.network.run(for: .seconds(2))
    #expect(all.map { told($0.personNotices) } == [["\(all[1].name) joined"], ["\(all[0].name) present"]])
    all[0].do { $0.handle(.transition(to: "film", proposal: nil)) }
    all[1].do { $0.handle(.transition(to: "another film", proposal: nil)) }
    world.network.run(for: .seconds(5))
    #expect(all.map { told($0.personNotices).last } == ["\(all[1].name) elsewhere(another film)", "\(all[0].name) elsewhere(film)"])
    all[1].do { $0.leave() }
    world.network.run(for: .seconds(2))
    #expect(told(all[0].personNotices).last == "\(all[1].name) left")
    #expect(all[0].personNotices.count == 3)
  }
}
