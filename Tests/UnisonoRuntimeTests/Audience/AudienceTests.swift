import Testing
import UnisonoBase
import UnisonoCoordination
import UnisonoReplica
import UnisonoWire

@testable import UnisonoCrypto
@testable import UnisonoRuntime

@Suite("An audience follows what a session plays")
struct AudienceTests {
  @Test("F134: three listen and are where the session is; nobody of it sees them, and no start waits for them")
  func follow() throws {
    let room = try AudienceWorld(seed: 1)
    let three = try (0..<3).map { _ in try room.listen() }
    #expect(room.network.run(atMost: .seconds(4)) { three.allSatisfy { $0.line != nil } })
    #expect(three.allSatisfy { $0.status == .listening && $0.activities.last == SessionWorld.activity })
    room.network.run(for: .seconds(10))
    #expect(try #require(room.spread(three)) < .milliseconds(5))
    #expect(room.all.allSatisfy { $0.people.count == 2 } && three.allSatisfy { $0.listener.view.participants.count == 2 })
    #expect(room.network.run(atMost: .seconds(2)) { room.host.engine.audience == AudienceNews(state: .open, listeners: 3) })

    room.host.do { $0.handle(.rateChange(rate: 0, immediately: false)) }
    #expect(room.network.run(atMost: .milliseconds(300)) { three.allSatisfy { $0.commands.last?.kind == .pause } })
    let place = try #require(room.host.commands.last?.itemTime)
    #expect(three.allSatisfy { $0.commands.last?.itemTime == place })
    room.host.do { $0.handle(.seek(to: .seconds(900), resumeImmediately: false)) }
    #expect(room.network.run(atMost: .seconds(1)) { three.allSatisfy { $0.commands.last?.itemTime == .seconds(900) } })
    room.network.run(for: .seconds(1))
    room.host.do { $0.handle(.rateChange(rate: 1.5, immediately: false)) }
    #expect(room.network.run(atMost: .seconds(3)) { three.allSatisfy { $0.line?.rate == 1.5 } })
    room.network.run(for: .seconds(2))
    #expect(try #require(room.spread(three)) < .milliseconds(5))
    // The hub is asked for its time once in five seconds by now, and known as well as before.
    room.network.run(for: .seconds(60))
    let times = try three.map { try #require($0.listener.groupClock).remote(at: $0.machine.hostTime(at: room.network.trueTime)) }
    #expect(try #require(times.max()).subtracting(try #require(times.min())) < .milliseconds(5))
  }

  @Test("F134: the group goes to another item, and the audience goes along")
  func otherItem() throws {
    let room = try AudienceWorld(seed: 2)
    let one = try room.listen()
    #expect(room.network.run(atMost: .seconds(4)) { one.line != nil })
    for player in room.all { player.do { $0.handle(.transition(to: "second", proposal: nil)) } }
    room.network.run(for: .seconds(2))
    room.host.do { $0.handle(.rateChange(rate: 1, immediately: false)) }
    #expect(room.network.run(atMost: .seconds(4)) { one.commands.last?.item == "second" && one.line != nil })
    room.network.run(for: .seconds(2))
    #expect(try #require(room.spread([one])) < .milliseconds(3))
  }

  @Test("N20: who comes while no publisher is awake plays by what the hub kept, and hears that nobody speaks")
  func noPublisherAwake() throws {
    let room = try AudienceWorld(seed: 3)
    room.network.run(for: .seconds(3))
    room.network.cut(room.hubMachine, room.host.machine)
    room.network.run(for: .seconds(300))
    let late = try room.listen()
    #expect(room.network.run(atMost: .seconds(4)) { late.line != nil })
    room.network.run(for: .seconds(20))
    #expect(late.status == .silent && late.line != nil)
    #expect(try #require(room.spread([late])) < .milliseconds(20))
    room.network.heal(room.hubMachine, room.host.machine)
    #expect(room.network.run(atMost: .seconds(20)) { late.status == .listening })
    #expect(try #require(room.spread([late])) < .milliseconds(20))
    // Players that are told nothing drift with their machines' clocks.
    room.host.do { $0.handle(.rateChange(rate: 1.5, immediately: false)) }
    #expect(room.network.run(atMost: .seconds(3)) { late.line?.rate == 1.5 })
    room.network.run(for: .seconds(2))
    #expect(try #require(room.spread([late])) < .milliseconds(5))
  }

  @Test("F134: a listener commands nothing, pauses for itself in a suspension, and comes back to where the group is")
  func ownWishes() throws {
    let room = try AudienceWorld(seed: 4)
    let one = try room.listen()
    #expect(room.network.run(atMost: .seconds(4)) { one.line != nil })
    let told = room.all.map { $0.commands.count }
    one.do {
      $0.handle(.rateChange(rate: 0, immediately: false))
      $0.handle(.seek(to: 0, resumeImmediately: false))
      $0.handle(.undoJump)
      $0.handle(.setStallPolicy(.off, asProposal: false))
    }
    room.network.run(for: .seconds(1))
    #expect(one.refusals.map(\.operation) == [.coordinateRateChange, .coordinateSeek, .undoJump, .setStallPolicy])
    #expect(one.refusals.allSatisfy { $0.status == .denied } && one.line != nil)
    one.do { $0.handle(.beginSuspension(id: 1, reason: "user-action")) }
    one.do { $0.handle(.report(PlaybackReport(rate: 0))) }
    room.network.run(for: .seconds(5))
    one.do { $0.handle(.endSuspension(id: 1, proposing: .seconds(1))) }
    #expect(room.network.run(atMost: .seconds(3)) { one.line != nil && (room.spread([one]) ?? .max) < .milliseconds(5) })
    #expect(room.all.map { $0.commands.count } == told)
  }

  @Test("F133: only who may command opens an audience, in a session of hosts only, once; it closes where that ends")
  func opening() throws {
    let room = try AudienceWorld(seed: 5)
    let refusal = { (player: SessionPlayer) -> AudienceRefusal? in
      var found: AudienceRefusal?
      player.do { engine in do throws(AudienceRefusal) { try engine.openAudience() } catch { found = error } }
      return found
    }
    #expect(refusal(room.host) == .isOpen && refusal(room.member) == .denied)
    let one = try room.listen()
    #expect(room.network.run(atMost: .seconds(4)) { one.line != nil })
    room.host.do { $0.setControl(.everyone) }
    #expect(room.network.run(atMost: .seconds(2)) { one.status == .over })
    #expect(one.news.last?.reason == "the audience was closed" && room.host.engine.audienceLink == nil)
    #expect(room.host.engine.audience == AudienceNews() && refusal(room.host) == .control)
    room.host.do { $0.setControl(.hostsOnly) }
    room.network.run(for: .seconds(1))
    #expect(refusal(room.host) == nil)
    let other = try room.listen()
    #expect(room.network.run(atMost: .seconds(4)) { other.line != nil })
    room.host.do { $0.closeAudience() }
    #expect(room.network.run(atMost: .seconds(2)) { other.status == .over })
  }

  @Test("F134: the publisher's process dies: what played goes on, and who listens is told that nobody speaks")
  func publisherDies() throws {
    let room = try AudienceWorld(seed: 6)
    let one = try room.listen()
    #expect(room.network.run(atMost: .seconds(4)) { one.line != nil })
    room.host.kill()
    room.network.run(for: .seconds(25))
    #expect(one.status == .silent && one.line != nil)
  }

  @Test("F134: who has the link alone, and who is a mere member, is not followed, whatever the hub hands on")
  func forged() throws {
    let room = try AudienceWorld(seed: 7)
    let one = try room.listen()
    #expect(room.network.run(atMost: .seconds(4)) { one.line != nil })
    let link = try AudienceLink(parsing: try #require(room.host.engine.audienceLink))
    var opener = StageOpener(link)
    var stranger = StageSealer(link, by: Identity(random: room.hubMachine.randomBytes))
    var insider = StageSealer(link, by: room.member.engine.identity)
    let over = StageMessage.line(StageLine(sent: nil, error: 0, statements: [], isOver: true))
    for sealed in [stranger.seal(over), insider.seal(over)] {
      let envelope = try #require(sealed)
      #expect(throws: StageOpener.Refusal.unknownAuthor) { _ = try opener.open(envelope) }
    }
    room.network.run(for: .seconds(2))
    #expect(one.status == .listening)
  }
}
