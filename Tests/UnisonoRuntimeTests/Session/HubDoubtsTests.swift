import Testing
import UnisonoBase
import UnisonoCoordination
import UnisonoReplica

@testable import UnisonoRuntime

@Suite("Which hubs are in doubt")
struct HubDoubtsTests {
  private let local = ParticipantID(high: 0, low: 1)
  private func id(_ low: UInt64) -> ParticipantID { ParticipantID(high: 0, low: low) }
  private func hub(_ number: UInt8) -> [UInt8] { [UInt8](repeating: number, count: 16) }

  private func clock(_ id: ParticipantID, isOver: Bool = false) -> ClockDoubtChange {
    ClockDoubtChange(participant: id, against: id, offset: .seconds(1), isOver: isOver)
  }
  private func split(_ id: ParticipantID, _ kind: SplitChange.Kind, isOver: Bool = false) -> SplitChange {
    SplitChange(participant: id, kind: kind, since: 0, isOver: isOver)
  }

  private func atHub() -> HubDoubts {
    var doubts = HubDoubts(local: local)
    doubts.entered(hub(1), address: "10.0.0.1:7400", isOwn: false, now: 0)
    return doubts
  }

  @Test("F83: the own clock in doubt is evidence, another's is not, two others' are; told once, ends ten minutes later")
  func clocks() {
    var doubts = atHub()
    #expect(doubts.record(clock(id(2)), now: 0).isEmpty && doubts.doubted.isEmpty)
    #expect(doubts.record(clock(id(3)), now: 1).map(\.reason) == [.clock])
    #expect(doubts.record(clock(local), now: 2).isEmpty && doubts.doubted == [hub(1): "10.0.0.1:7400"])
    for one in [id(2), id(3)] { #expect(doubts.record(clock(one, isOver: true), now: 3).isEmpty) }
    #expect(doubts.nextWake == nil)
    _ = doubts.record(clock(local, isOver: true), now: .seconds(10))
    #expect(doubts.nextWake == .seconds(610))
    #expect(doubts.tick(now: .seconds(610) - 1).isEmpty && doubts.doubted == [hub(1): "10.0.0.1:7400"])
    let over = doubts.tick(now: .seconds(610))
    #expect(over.map(\.isOver) == [true] && over.map(\.hub) == ["10.0.0.1:7400"] && doubts.doubted.isEmpty)
  }

  @Test("F83: found again before it is over, it goes on without another word")
  func again() {
    var doubts = atHub()
    #expect(doubts.record(clock(local), now: 0).count == 1)
    _ = doubts.record(clock(local, isOver: true), now: .seconds(1))
    #expect(doubts.record(clock(local), now: .seconds(300)).isEmpty && doubts.nextWake == nil)
    #expect(doubts.tick(now: .seconds(700)).isEmpty && doubts.doubted == [hub(1): "10.0.0.1:7400"])
  }

  @Test("F83: whom others hear and this one does not is evidence, what one says of itself is not, and keys are none")
  func splits() {
    var doubts = atHub()
    #expect(doubts.record(split(id(2), .deaf), now: 0).isEmpty)
    for number in 2...9 as ClosedRange<UInt64> { #expect(doubts.record(split(id(number), .unreadable), now: 0).isEmpty) }
    #expect(doubts.record(split(id(3), .deaf), now: 0).map(\.reason) == [.split])
    var others = atHub()
    #expect(others.record(split(id(2), .unheard), now: 0).map(\.reason) == [.split])
  }

  @Test("F83: what was found at one hub says nothing of the next; that of this process is beyond doubt")
  func hubs() {
    var doubts = atHub()
    _ = doubts.record(split(id(2), .unheard), now: 0)
    doubts.entered(hub(2), address: "10.0.0.2:7400", isOwn: false, now: .seconds(5))
    #expect(doubts.doubted == [hub(1): "10.0.0.1:7400"] && doubts.nextWake == .seconds(605))
    #expect(doubts.record(split(id(3), .deaf), now: .seconds(6)).isEmpty)
    doubts.entered(hub(3), address: "127.0.0.1:7400", isOwn: true, now: .seconds(7))
    for number in 2...5 as ClosedRange<UInt64> {
      #expect(doubts.record(split(id(number), .unheard), now: .seconds(8)).isEmpty)
      #expect(doubts.record(clock(id(number)), now: .seconds(8)).isEmpty)
    }
    #expect(doubts.doubted == [hub(1): "10.0.0.1:7400"])
    // Back at the first one, before it is over.
    doubts.entered(hub(1), address: "10.0.0.1:7400", isOwn: false, now: .seconds(20))
    #expect(doubts.doubted == [hub(1): "10.0.0.1:7400"] && doubts.nextWake == .seconds(605))
  }

  @Test("F83: of more than 32 hubs the first one is let go, and that is said")
  func bound() {
    var doubts = HubDoubts(local: local)
    var over = 0
    for number in 1...40 as ClosedRange<UInt8> {
      doubts.entered(hub(number), address: "10.0.0.\(number):7400", isOwn: false, now: 0)
      over += doubts.record(split(id(2), .unheard), now: 0).count { $0.isOver }
    }
    #expect(doubts.doubted.count == 32 && over == 8)
  }
}
