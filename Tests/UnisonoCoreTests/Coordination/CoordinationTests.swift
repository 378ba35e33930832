import Testing

@Suite struct CoordinationTests {
  @Test("a detached coordinator plays at once, by itself")
  func detached() {
    var room = RuleHarness()
    room.add(1)
    room.give(.transition(to: "X", proposal: nil), to: 0)
    #expect(room.commands[0].isEmpty)
    room.give(.rateChange(rate: 1, immediately: false), to: 0)
    #expect(room.kinds(of: 0) == [.play])
    #expect(room.commands[0][0].hostTime == room.now)
    room.run(.seconds(2))
    #expect(room.position(of: 0) == .seconds(2))
    room.give(.rateChange(rate: 0, immediately: false), to: 0)
    #expect(room.kinds(of: 0) == [.play, .pause])
  }

  @Test("two join, play with a barrier, seek while playing, pause")
  func everyday() {
    var room = RuleHarness.joined(2)
    #expect(room.nodes.allSatisfy { $0.view.joined && $0.view.timing.status == .paused })
    room.give(.rateChange(rate: 1, immediately: false), to: 0)
    room.run(.milliseconds(300))
    #expect(room.kinds(of: 0) == [.buffer, .play])
    #expect(room.kinds(of: 1) == [.buffer, .play])
    #expect(room.commands[0][1].hostTime == room.commands[1][1].hostTime)
    #expect(room.position(of: 0) == room.position(of: 1))
    room.give(.seek(to: .seconds(60), resumeImmediately: false), to: 1)
    room.run(.milliseconds(300))
    #expect(room.kinds(of: 0) == [.buffer, .play, .seek, .play])
    #expect(room.kinds(of: 1) == [.buffer, .play, .seek, .play])
    room.give(.rateChange(rate: 0, immediately: false), to: 1)
    room.run(.milliseconds(300))
    #expect(room.kinds(of: 0).last == .pause)
    #expect(room.position(of: 0) == room.position(of: 1))
    let count = room.commands[0].count + room.commands[1].count
    room.run(.seconds(30))
    #expect(room.commands[0].count + room.commands[1].count == count)
  }

  @Test("J1: a newcomer starts in step, and nobody is interrupted")
  func newcomer() {
    var room = RuleHarness.joined(1)
    room.give(.rateChange(rate: 1.5, immediately: false), to: 0)
    room.run(.seconds(10))
    room.commands[0] = []
    room.add(2)
    room.give(.transition(to: "X", proposal: nil), to: 1)
    room.link(1)
    room.run(.seconds(1))
    #expect(room.kinds(of: 1) == [.play])
    #expect(room.commands[1].first?.rate == 1.5)
    #expect(room.position(of: 0) == room.position(of: 1))
    #expect(room.commands[0].isEmpty)
  }
}
