import Testing

@testable import UnisonoBase
@testable import UnisonoCoordination
@testable import UnisonoReplica

/// Who writes a start, and how far ahead it lies.
@Suite struct StartRuleTests {
  /// Two participants 50 ms apart who know it. The first gives the command and needs longer to get ready than the second.
  private func room(clockError: Nanoseconds = .milliseconds(45)) -> RuleHarness {
    var room = RuleHarness.joined(2)
    room.delay = .milliseconds(50)
    room.clockError = clockError
    room.synchronise(0)
    room.synchronise(1)
    room.run(.seconds(5))
    room.hostLatency = [.milliseconds(30), .milliseconds(5)]
    return room
  }

  /// From the command to the start's instant, as each is told.
  private func starts(_ room: RuleHarness, since command: HostTime) -> [Nanoseconds?] {
    room.commands.map { $0.last { $0.kind == .play }?.hostTime.map { $0 - command } }
  }

  @Test("the last one ready writes the start when it hears of the others, though they were ready before it")
  func lastOneReady() {
    var room = room()
    let command = room.now
    room.give(.rateChange(rate: 1, immediately: false), to: 0)
    room.run(.seconds(1))
    // Ready at 30 and 55; the second hears of the first at 80; the start lies 120 ahead.
    #expect(starts(room, since: command) == [.milliseconds(200), .milliseconds(200)])
  }

  @Test("when the last one ready falls silent, the keeper writes the start one lead later")
  func lastOneSilent() {
    var room = room()
    let command = room.now
    room.give(.rateChange(rate: 1, immediately: false), to: 0)
    room.run(.milliseconds(60))
    room.linked.remove(1)
    room.run(.seconds(1))
    // The keeper hears of the second at 105.
    #expect(starts(room, since: command)[0] == .milliseconds(345))
  }

  @Test("a start's lead counts of a clock's error only what is beyond half the round trip, which messages take anyway")
  func clockError() {
    var room = room(clockError: .milliseconds(80))
    let command = room.now
    room.give(.rateChange(rate: 1, immediately: false), to: 0)
    room.run(.seconds(1))
    let ahead = starts(room, since: command).compactMap(\.self)
    #expect(ahead.count == 2 && ahead.allSatisfy { (.milliseconds(260)...(.milliseconds(261))).contains($0) })
  }

  @Test("a play begins on the frame on which the player of whoever gives it stands, and at the group's place else")
  func ownFrame() {
    for (stands, offset, begins) in [(23, 0, 23), (-40, 0, -40), (41, 0, 0), (23, 5, 0)] {
      var room = RuleHarness.joined(2)
      room.give(.seek(to: .seconds(10), resumeImmediately: false), to: 1)
      room.run(.seconds(1))
      room.give(.setOutputOffset(.milliseconds(Int64(offset))), to: 0)
      let position = PlaybackReport.Position(itemTime: .seconds(10) + .milliseconds(Int64(stands)), hostTime: room.now)
      room.give(.report(PlaybackReport(rate: 0, position: position)), to: 0)
      room.give(.rateChange(rate: 1, immediately: false), to: 0)
      room.run(.seconds(1))
      #expect(room.isInStep && room.statuses == [.playing])
      #expect(room.commands[1].last?.itemTime == .seconds(10) + .milliseconds(Int64(begins)))
    }
  }
}
