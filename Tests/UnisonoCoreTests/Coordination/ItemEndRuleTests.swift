import Testing

@testable import UnisonoBase
@testable import UnisonoCoordination
@testable import UnisonoReplica

/// The end of an item (decision 10, H23): one test a rule.
@Suite struct ItemEndRuleTests {
  private func end(_ room: inout RuleHarness, _ index: Int, at end: ItemTime) {
    let position = PlaybackReport.Position(itemTime: end, hostTime: room.now)
    room.give(.report(PlaybackReport(rate: 0, position: position, range: 0...end)), to: index)
  }

  /// Playing, just at 100 s.
  private static func atEnd(_ count: Int) -> RuleHarness {
    var room = RuleHarness.playing(count)
    room.give(.seek(to: .seconds(98), resumeImmediately: true), to: 0)
    room.run(.seconds(2))
    for index in 0..<count { room.commands[index] = [] }
    return room
  }

  @Test("H23: one whose cut is shorter ends alone; the group goes on")
  func shorterCut() {
    var room = Self.atEnd(3)
    end(&room, 1, at: .seconds(100))
    room.run(.seconds(3))
    #expect(room.statuses == [.playing])
    #expect(room.commands == [[], [], []])
  }

  @Test("F1: once everybody has ended the group is paused at the farthest end, and nobody is moved")
  func everybody() {
    var room = Self.atEnd(3)
    end(&room, 0, at: .seconds(100))
    end(&room, 1, at: .seconds(99))
    room.run(.seconds(1))
    #expect(room.statuses == [.playing])
    end(&room, 2, at: .seconds(101))
    room.run(.seconds(1))
    #expect(room.statuses == [.paused])
    #expect(room.isInStep)
    #expect(room.position(of: 0) == .seconds(101))
    for index in 0...2 {
      #expect(room.kinds(of: index) == [.pause])
      #expect(room.commands[index].first?.snap == false)
      #expect(room.commands[index].first?.cause == .ended)
    }
  }

  @Test("H23: the suspended are not waited for")
  func suspended() {
    var room = Self.atEnd(2)
    room.give(.beginSuspension(id: 1, reason: "r"), to: 1)
    room.run(.milliseconds(100))
    end(&room, 0, at: .seconds(100))
    room.run(.seconds(1))
    #expect(room.statuses == [.paused])
  }

  @Test("H23: a seek that crosses the end beats it, and the group plays on")
  func crossingSeek() {
    var room = Self.atEnd(2)
    end(&room, 1, at: .seconds(100))
    room.give(.seek(to: .seconds(5), resumeImmediately: false), to: 0)
    room.run(.seconds(2))
    #expect(room.statuses == [.playing])
    #expect(room.isInStep)
    #expect(room.position(of: 0) < .seconds(10))
  }

  @Test("G97: one whose player has just ended seeks before the others say so, too: nothing restarts", arguments: [0, 1])
  func seekFromOwnEnd(seeker: Int) {
    var room = Self.atEnd(2)
    room.delay = .milliseconds(200)
    for index in 0...1 {
      end(&room, index, at: .seconds(100))
      room.run(.milliseconds(50))
    }
    #expect(room.statuses == [.playing])
    room.give(.seek(to: .seconds(5), resumeImmediately: false), to: seeker)
    room.run(.seconds(3))
    #expect(room.statuses == [.paused])
    #expect(room.position(of: 0) == .seconds(5) && room.position(of: 1) == .seconds(5))
  }

  @Test("G97: one whose cut ended long before the group's seeks back: all play on from there")
  func seekFromShorterCut() {
    var room = Self.atEnd(2)
    end(&room, 1, at: .seconds(100))
    room.run(.seconds(3))
    room.give(.seek(to: .seconds(5), resumeImmediately: false), to: 1)
    room.run(.seconds(2))
    #expect(room.statuses == [.playing])
    #expect(room.isInStep)
    #expect(room.position(of: 0) < .seconds(10))
  }

  @Test("G97: where the end is to change nothing, a seek from it plays on")
  func seekFromEndThatChangesNothing() {
    var room = Self.atEnd(2)
    room.give(.setActionAtEnd(.none, asProposal: false), to: 0)
    room.run(.milliseconds(500))
    for index in 0...1 { end(&room, index, at: .seconds(100)) }
    room.give(.seek(to: .seconds(5), resumeImmediately: false), to: 1)
    room.run(.seconds(2))
    #expect(room.statuses == [.playing])
  }

  @Test("decision 12: a seek from the end that was reached leaves the group paused")
  func seekAfterEnd() {
    var room = Self.atEnd(2)
    for index in 0...1 { end(&room, index, at: .seconds(100)) }
    room.run(.seconds(1))
    room.notices = [[], []]
    room.give(.seek(to: .seconds(5), resumeImmediately: false), to: 1)
    room.run(.seconds(2))
    #expect(room.statuses == [.paused])
    #expect(room.position(of: 0) == .seconds(5) && room.position(of: 1) == .seconds(5))
    #expect(room.kinds(of: 0) == [.pause, .seek])
    #expect(room.commands[0].last?.cause == .seek)
    // Then a play is a play.
    room.give(.rateChange(rate: 1, immediately: false), to: 0)
    room.run(.seconds(2))
    #expect(room.statuses == [.playing])
    #expect(room.isInStep)
  }

  @Test("C9: play at the end: the group is paused there again, nothing restarts")
  func playAtEnd() {
    var room = Self.atEnd(2)
    for index in 0...1 { end(&room, index, at: .seconds(100)) }
    room.run(.seconds(1))
    room.give(.rateChange(rate: 1, immediately: false), to: 0)
    room.run(.seconds(2))
    #expect(room.statuses == [.paused])
    #expect(room.position(of: 1) == .seconds(100))
  }

  @Test("C9: a host that stands at the end because the group was paused there has not ended")
  func pausedAtEnd() {
    var room = RuleHarness.joined(2)
    room.give(.seek(to: .seconds(100), resumeImmediately: false), to: 0)
    room.run(.seconds(1))
    for index in 0...1 { end(&room, index, at: .seconds(100)) }
    room.run(.seconds(1))
    #expect(room.nodes.allSatisfy { $0.facts.own.ended == nil })
  }

  @Test("F1: backwards, the beginning is the end")
  func backwards() {
    var room = RuleHarness.playing(2)
    room.give(.rateChange(rate: -1, immediately: false), to: 0)
    room.run(.seconds(2))
    for index in 0...1 {
      let position = PlaybackReport.Position(itemTime: 0, hostTime: room.now)
      room.give(.report(PlaybackReport(rate: 0, position: position, range: 0...(.seconds(100)))), to: index)
    }
    room.run(.seconds(1))
    #expect(room.statuses == [.paused])
    #expect(room.position(of: 0) == 0)
  }

  @Test("2.6: the keeper hears nothing: the next one writes the end a second later")
  func takeover() {
    var room = Self.atEnd(3)
    for index in 0...2 { end(&room, index, at: .seconds(100)) }
    room.linked.remove(0)
    room.run(.milliseconds(500))
    #expect(room.nodes[1].view.timing.status == .playing)
    room.run(.milliseconds(800))
    #expect(room.nodes[1].view.timing.status == .paused)
  }
}
