import Testing

@testable import UnisonoBase
@testable import UnisonoCoordination
@testable import UnisonoReplica

/// What an audience changes of starts (coordination 2.24).
@Suite struct AudienceRuleTests {
  /// A group of which the first alone commands, and speaks to an audience; paused at 0.
  private func room(_ count: Int) -> RuleHarness {
    var room = RuleHarness.joined(count, origin: PolicyOrigin(root: ParticipantID(high: 1, low: 0), control: .hostsOnly))
    let hub = HubAddress(address: "h:1", hub: [UInt8](repeating: 1, count: 16))
    let value = AudienceValue(secret: [UInt8](repeating: 2, count: 32), topic: [UInt8](repeating: 3, count: 32), hubs: [hub])
    room.give(.setAudience(value), to: 0)
    room.run(.seconds(1))
    return room
  }

  /// From a command to when the first one's start was written, and to its instant. Throws where within 12 s none was.
  private func start(
    _ room: inout RuleHarness, meanwhile: (inout RuleHarness) -> Void = { _ in }
  ) throws -> (at: Nanoseconds, begins: Nanoseconds) {
    var found: (at: Nanoseconds, begins: Nanoseconds)?
    let command = room.now
    room.commands = room.commands.map { _ in [] }
    room.give(.rateChange(rate: 1, immediately: false), to: 0)
    meanwhile(&room)
    while found == nil, room.now < command + .seconds(12) {
      if let play = room.commands[0].last, play.kind == .play, let at = play.hostTime {
        found = (room.now - command, at - command)
      } else {
        room.run(.milliseconds(5))
      }
    }
    return try #require(found)
  }

  private func ready(_ room: RuleHarness, limit: Nanoseconds) -> CoordinationEvent {
    .audienceReadiness(AudienceReadiness(limit: limit, ready: room.nodes[0].awaitedReadiness))
  }

  @Test("N23: with an audience a start is written 1.5 s ahead; without one, or without the link, as ever")
  func lead() throws {
    var room = room(2)
    let begins = try start(&room).begins
    #expect((.milliseconds(1_500)...(.milliseconds(1_600))).contains(begins), "\(begins) ns")
    room.run(.seconds(3))
    room.give(.rateChange(rate: 0, immediately: false), to: 0)
    room.give(.setAudience(nil), to: 0)
    room.run(.seconds(1))
    let usual = try start(&room)
    #expect(usual.begins < .milliseconds(300))
  }

  @Test("N23: who is alone with an audience gets ready first, for a jump, too; what is to be at once is")
  func alone() throws {
    var room = room(1)
    let first = try start(&room)
    #expect(room.kinds(of: 0) == [.buffer, .play] && first.at < .milliseconds(30) && first.begins - first.at == .milliseconds(1_500))
    room.run(.seconds(3))
    room.commands[0] = []
    room.give(.seek(to: .seconds(60), resumeImmediately: false), to: 0)
    room.run(.seconds(1))
    #expect(room.kinds(of: 0) == [.seek, .play])
    #expect(room.position(of: 0) < .seconds(60) + .milliseconds(1))
    room.run(.seconds(2))
    room.commands[0] = []
    room.give(.seek(to: .seconds(90), resumeImmediately: true), to: 0)
    room.give(.rateChange(rate: 0, immediately: false), to: 0)
    room.give(.rateChange(rate: 1, immediately: true), to: 0)
    #expect(room.kinds(of: 0).last == .play)
    // Nobody hears what is done without a link.
    room.unlink(0)
    room.run(.seconds(5))
    room.give(.rateChange(rate: 0, immediately: false), to: 0)
    room.run(.seconds(1))
    let unheard = try start(&room)
    #expect(unheard.at == 0)
  }

  @Test("N23: a start waits until the audience is ready for it, or the wait is over; readiness for another one is none")
  func wait() throws {
    for count in [1, 3] {
      var room = room(count)
      room.give(.audienceReadiness(AudienceReadiness(limit: .seconds(4))), to: 0)
      let late = try start(&room)
      #expect((.seconds(4)...(.milliseconds(4_100))).contains(late.at), "\(late.at) ns")
      room.run(.seconds(3))
      room.give(.rateChange(rate: 0, immediately: false), to: 0)
      room.run(.seconds(1))
      let soon = try start(&room) { room in
        let stale = AudienceReadiness(limit: .seconds(4), ready: room.nodes[0].awaitedReadiness.map { .init(base: $0.base, sequence: 9) })
        room.give(.audienceReadiness(stale), to: 0)
        room.run(.seconds(1))
        #expect(!room.kinds(of: 0).contains(.play))
        room.give(self.ready(room, limit: .seconds(4)), to: 0)
      }
      #expect((.seconds(1)...(.milliseconds(1_100))).contains(soon.at), "\(soon.at) ns")
      // Nobody listens any more, or the hub is lost.
      room.run(.seconds(3))
      room.give(.rateChange(rate: 0, immediately: false), to: 0)
      room.run(.seconds(1))
      let gone = try start(&room) { room in
        room.run(.milliseconds(500))
        room.give(.audienceReadiness(nil), to: 0)
      }
      #expect((.milliseconds(500)...(.milliseconds(600))).contains(gone.at), "\(gone.at) ns")
    }
  }

  @Test("N23: who was ready for a start that was taken back does not say so when the audience is waited for no more")
  func takenBack() {
    var room = room(2)
    room.give(.audienceReadiness(AudienceReadiness(limit: .seconds(4))), to: 0)
    room.give(.rateChange(rate: 1, immediately: false), to: 0)
    room.run(.seconds(1))
    #expect(room.nodes[0].awaitedReadiness != nil)
    room.give(.rateChange(rate: 0, immediately: false), to: 0)
    room.run(.milliseconds(500))
    room.give(.audienceReadiness(nil), to: 0)
    room.run(.seconds(1))
    #expect(room.nodes[0].awaitedReadiness == nil)
    #expect(room.nodes[1].facts.registers.participant(room.ids[0])?.ready == nil)
  }

  @Test("N23: the wait is over a second before the start's deadline, and nobody is suspended by it")
  func deadline() throws {
    var room = room(2)
    room.give(.setWaitLimit(.seconds(3)), to: 0)
    room.give(.audienceReadiness(AudienceReadiness(limit: .seconds(10))), to: 0)
    let start = try start(&room)
    #expect((.seconds(2)...(.milliseconds(2_100))).contains(start.at), "\(start.at) ns")
    #expect(room.nodes[0].view.participants.allSatisfy { $0.suspensionReasons.isEmpty })
  }

  @Test("N23: who speaks to the audience is suspended: the others wait for nobody who listens; a pause takes the start back")
  func suspended() throws {
    var room = room(3)
    room.give(.changePolicy(.role(room.ids[1], .host)), to: 0)
    room.run(.seconds(1))
    room.give(.audienceReadiness(AudienceReadiness(limit: .seconds(8))), to: 0)
    room.give(.rateChange(rate: 1, immediately: false), to: 0)
    room.run(.seconds(2))
    #expect(room.nodes[0].readiness == nil && !room.kinds(of: 1).contains(.play))
    room.give(.rateChange(rate: 0, immediately: false), to: 0)
    room.run(.seconds(8))
    #expect(!room.kinds(of: 1).contains(.play))
    room.give(.rateChange(rate: 1, immediately: false), to: 0)
    room.run(.seconds(1))
    room.give(.beginSuspension(id: 1, reason: "user-action"), to: 0)
    room.run(.milliseconds(200))
    #expect(room.kinds(of: 1).last == .play && room.kinds(of: 2).last == .play)
    #expect(room.nodes[0].readiness == nil && room.nodes[0].brokenInvariants.isEmpty)
  }

  @Test("N23: what is ready ahead counts once the audience is ready for it, too")
  func ahead() throws {
    var room = room(2)
    for index in 0..<2 { room.give(.setPreparesAhead(true), to: index) }
    room.give(.audienceReadiness(AudienceReadiness(limit: .seconds(4))), to: 0)
    room.run(.seconds(20))
    #expect(room.nodes[0].readiness == nil && room.nodes[1].readiness != nil)
    room.give(ready(room, limit: .seconds(4)), to: 0)
    #expect(room.nodes[0].readiness == room.nodes[0].awaitedReadiness && room.nodes[0].readiness != nil)
    room.run(.seconds(1))
    let start = try start(&room)
    #expect(start.at == 0 && start.begins == .milliseconds(1_500))
  }
}
