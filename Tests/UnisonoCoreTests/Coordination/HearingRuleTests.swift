import Testing

@testable import UnisonoBase
@testable import UnisonoCoordination
@testable import UnisonoReplica

@Suite("Who hears whom")
struct HearingRuleTests {
  /// What a host was told of who is kept from whom, since the last call.
  private func told(_ room: inout RuleHarness, _ index: Int) -> [String] {
    defer { room.notices[index] = [] }
    return room.notices[index].compactMap { effect in
      guard case .session(.log(_, let text)) = effect, text.contains("hear") else { return nil }
      return text
    }
  }

  @Test("Z45: whom a hub hides from one is named there once, and again once it is heard")
  func hidden() {
    var room = RuleHarness.joined(4)
    room.hidden = [(sender: 3, receiver: 1)]
    room.run(.seconds(28))
    #expect(told(&room, 1).isEmpty)
    room.run(.seconds(42))
    let news = told(&room, 1)
    #expect(news.count == 1 && news[0].hasPrefix("others hear p4"))
    // The hidden one is told of the other side.
    let other = told(&room, 3)
    #expect(other.count == 1 && other[0].hasPrefix("p2") && other[0].contains("but not this participant"))
    #expect(told(&room, 0).isEmpty && told(&room, 2).isEmpty)
    room.hidden = []
    room.run(.seconds(6))
    let over = told(&room, 1)
    #expect(over.count == 1 && over[0].contains("is heard here again"))
  }

  @Test("Z45: who does not hear one while it hears others is named there, and again once it does")
  func deaf() {
    var room = RuleHarness.joined(4)
    room.hidden = [(sender: 1, receiver: 3)]
    room.run(.seconds(70))
    let news = told(&room, 1)
    #expect(news.count == 1 && news[0].hasPrefix("p4") && news[0].contains("but not this participant"))
    room.hidden = []
    room.run(.seconds(6))
    #expect(told(&room, 1).count == 1)
  }

  @Test("Z45: who loses its link without a word is heard by nobody, and nobody is kept apart")
  func gone() {
    var room = RuleHarness.joined(4)
    room.hidden = (0..<3).map { (sender: 3, receiver: $0) }
    room.run(.seconds(120))
    #expect((0..<3).allSatisfy { told(&room, $0).isEmpty })
    room.unlink(2)
    room.run(.seconds(120))
    #expect((0..<2).allSatisfy { told(&room, $0).isEmpty })
  }

  @Test("Z45: one member that says it hears somebody who is not there is believed by nobody")
  func lie() {
    var room = RuleHarness.joined(4)
    room.unlink(3)
    room.hidden = [(sender: 2, receiver: 0), (sender: 2, receiver: 1)]
    for _ in 0..<40 {
      room.run(.seconds(2))
      for receiver in 0..<2 { room.give(.message(.beat(beat(heard: [0b1111])), from: room.ids[2]), to: receiver) }
    }
    #expect((0..<2).allSatisfy { told(&room, $0).isEmpty })
  }

  @Test("Z45: bits of another length than the roster's, or beyond its last place, say nothing")
  func length() {
    for bits: [UInt8] in [[0xFF], [0b1111, 0], [], [0b1111, 0b1111]] {
      var room = RuleHarness.joined(4)
      room.unlink(3)
      room.hidden = [(sender: 1, receiver: 0), (sender: 2, receiver: 0)]
      for _ in 0..<60 {
        room.run(.seconds(1))
        for sender in 1...2 { room.give(.message(.beat(beat(heard: bits)), from: room.ids[sender]), to: 0) }
      }
      #expect(told(&room, 0).isEmpty)
    }
    // The same with the right bits is believed: two say so.
    var room = RuleHarness.joined(4)
    room.unlink(3)
    room.hidden = [(sender: 1, receiver: 0), (sender: 2, receiver: 0)]
    for _ in 0..<60 {
      room.run(.seconds(1))
      for sender in 1...2 { room.give(.message(.beat(beat(heard: [0b1111])), from: room.ids[sender]), to: 0) }
    }
    #expect(!told(&room, 0).isEmpty)
  }

  private func beat(heard: [UInt8]) -> Beat {
    Beat(digest: [UInt8](repeating: 1, count: 32), newestStamp: 0, hubDelay: 1, clockError: 1, heard: heard)
  }
}
