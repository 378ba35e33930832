import Testing

@testable import UnisonoBase
@testable import UnisonoCoordination
@testable import UnisonoReplica

@Suite("Who hears whom")
struct HearingRuleTests {
  /// What a host was told of who is kept from whom, since the last call.
  private func told(_ room: inout RuleHarness, _ index: Int) -> [SplitChange] {
    defer { room.notices[index] = [] }
    return room.notices[index].compactMap { if case .session(.split(let change)) = $0 { change } else { nil } }
  }

  @Test("Z45: whom a hub hides from one is named there once, and again once it is heard")
  func hidden() {
    var room = RuleHarness.joined(4)
    room.hidden = [(sender: 3, receiver: 1)]
    room.run(.seconds(28))
    #expect(told(&room, 1).isEmpty)
    room.run(.seconds(42))
    let news = told(&room, 1)
    #expect(news.map(\.participant) == [room.ids[3]] && news.map(\.kind) == [.unheard] && news.map(\.isOver) == [false])
    #expect(news.allSatisfy { room.now - $0.since >= .seconds(15) && room.now - $0.since < .seconds(60) })
    // The hidden one is told of the other side.
    let other = told(&room, 3)
    #expect(other.map(\.participant) == [room.ids[1]] && other.map(\.kind) == [.deaf] && other.map(\.isOver) == [false])
    #expect(told(&room, 0).isEmpty && told(&room, 2).isEmpty)
    room.hidden = []
    room.run(.seconds(6))
    let over = told(&room, 1)
    #expect(over.map(\.isOver) == [true] && over.map(\.since) == news.map(\.since))
    #expect(told(&room, 3).map(\.isOver) == [true])
  }

  @Test("Z45: who does not hear one while it hears others is named there, and again once it does")
  func deaf() {
    var room = RuleHarness.joined(4)
    room.hidden = [(sender: 1, receiver: 3)]
    room.run(.seconds(70))
    #expect(told(&room, 1).map { [$0.participant: $0.kind] } == [[room.ids[3]: .deaf]])
    room.hidden = []
    room.run(.seconds(6))
    #expect(told(&room, 1).map(\.isOver) == [true])
  }

  @Test("Z45: who was told not to be heard and goes off the list: it is over, and said once")
  func goneLater() {
    var room = RuleHarness.joined(4)
    room.hidden = [(sender: 3, receiver: 1)]
    room.run(.seconds(60))
    #expect(told(&room, 1).map(\.isOver) == [false])
    room.unlink(3)
    room.run(.seconds(200))
    #expect(told(&room, 1).map(\.isOver) == [true])
  }

  @Test("F49: two who collude and say that they hear everybody who was ever here: 32 are named, and the rest counted")
  func collusion() {
    var room = RuleHarness.joined(38)
    for index in 3..<38 { room.unlink(index) }
    room.hidden = [(sender: 1, receiver: 0), (sender: 2, receiver: 0)]
    room.notices[0] = []
    for _ in 0..<60 {
      room.run(.seconds(1))
      for sender in 1...2 {
        room.give(.message(.beat(beat(heard: [0xFF, 0xFF, 0xFF, 0xFF, 0x3F])), from: room.ids[sender]), to: 0)
      }
    }
    let counted = room.notices[0].count { effect in
      if case .session(.log(_, let text)) = effect { text.hasPrefix("3 more") } else { false }
    }
    #expect(counted == 1)
    let news = told(&room, 0)
    #expect(news.count == 32 && Set(news.map(\.participant)).count == 32 && news.allSatisfy { $0.kind == .unheard })
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

  @Test("F49: bits by another roster are read by that one, and say nothing where this participant is not on it")
  func translation() {
    let ids = (1...12).map { ParticipantID(high: 0, low: UInt64($0)) }
    let theirs = Array(ids[0..<9])
    // It hears the first, the second and the ninth.
    let bits: [UInt8] = [0b11, 0b1]
    let own = [ids[8], ids[10], ids[1]]
    #expect(HearingBits.translate(bits, from: theirs, to: own, for: ids[4]) == [0b101])
    #expect(HearingBits.translate(bits, from: theirs, to: theirs, for: ids[4]) == bits)
    #expect(HearingBits.translate(bits, from: theirs, to: own, for: ids[10]).isEmpty)
    for bad: [UInt8] in [[0b11], [0b11, 0b11], [0b11, 0b1, 0], []] {
      #expect(HearingBits.translate(bad, from: theirs, to: own, for: ids[4]).isEmpty)
    }
    let many = HearingBits.translate([1], from: [ids[0]], to: ids, for: ids[0])
    #expect(many == [1, 0])
  }

  @Test("Z45: heartbeats that were on their way for long, or lay before a machine that stood still, show nobody as heard")
  func late() throws {
    for (onTheWay, isTold) in [(20, false), (1, true)] as [(Int64, Bool)] {
      var room = RuleHarness.joined(4)
      room.run(.seconds(10))
      room.hidden = (0..<3).map { (sender: 3, receiver: $0) }
      for number in 0..<12 as Range<UInt32> {
        room.run(.seconds(5))
        let sent = try #require(room.nodes[0].groupClock).remote(at: room.now) - onTheWay * .seconds(1)
        let timing = Beat.Timing(sent: sent, number: 1_000 + number, echoes: [])
        for receiver in 0..<2 { room.give(.message(.beat(beat(heard: [0b1111], timing)), from: room.ids[3]), to: receiver) }
      }
      #expect(told(&room, 2).isEmpty != isTold)
    }
  }

  @Test("Z45: what those said of whom they hear who then fell silent counts until they fell silent, and no longer")
  func silent() {
    for (silentAfter, isTold) in [(26, false), (60, true)] as [(Int64, Bool)] {
      var room = RuleHarness.joined(4)
      room.run(.seconds(10))
      room.hidden = [(sender: 3, receiver: 2)]
      room.run(silentAfter * .seconds(1))
      room.hidden += (0..<2).map { (sender: $0, receiver: 2) }
      room.run(.seconds(14))
      let news = told(&room, 2).filter { $0.participant == room.ids[3] && $0.kind == .unheard && !$0.isOver }
      #expect(news.isEmpty != isTold)
    }
  }

  private func beat(heard: [UInt8], _ timing: Beat.Timing? = nil) -> Beat {
    Beat(digest: [UInt8](repeating: 1, count: 32), newestStamp: 0, hubDelay: 1, clockError: 1, timing: timing, heard: heard)
  }
}
