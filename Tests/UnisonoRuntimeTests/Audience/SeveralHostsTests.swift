import Testing
import UnisonoBase
import UnisonoCoordination
import UnisonoReplica
import UnisonoWire

@testable import UnisonoCrypto
@testable import UnisonoRuntime

@Suite("An audience outlives the participant who opened it")
struct SeveralHostsTests {
  /// Two hosts and a member, and two who listen to them.
  private func room(_ seed: UInt64) throws -> (AudienceWorld, listeners: [ListeningPlayer], second: SessionPlayer) {
    let room = try AudienceWorld(seed: seed, players: 3, hosts: 2)
    let listeners = try (0..<2).map { _ in try room.listen() }
    #expect(room.network.run(atMost: .seconds(4)) { listeners.allSatisfy { $0.line != nil } })
    return (room, listeners, room.all[1])
  }

  private func refusal(_ player: SessionPlayer) -> AudienceRefusal? {
    var found: AudienceRefusal?
    player.do { engine in do throws(AudienceRefusal) { try engine.openAudience() } catch { found = error } }
    return found
  }

  /// What a host commands reaches who listens, in step with it.
  private func commands(_ host: SessionPlayer, _ room: AudienceWorld, _ listeners: [ListeningPlayer], to place: ItemTime) throws {
    host.do { $0.handle(.rateChange(rate: 0, immediately: false)) }
    #expect(room.network.run(atMost: .milliseconds(300)) { listeners.allSatisfy { $0.commands.last?.kind == .pause } })
    #expect(Set(listeners.map { $0.commands.last?.itemTime }) == [host.commands.last?.itemTime])
    host.do { $0.handle(.seek(to: place, resumeImmediately: false)) }
    #expect(room.network.run(atMost: .seconds(1)) { listeners.allSatisfy { $0.commands.last?.itemTime == place } })
    host.do { $0.handle(.rateChange(rate: 1, immediately: false)) }
    // The group waits for who is gone as long as it may be back.
    #expect(room.network.run(atMost: Law.waitLimit + .seconds(2)) { listeners.allSatisfy { $0.line != nil } })
    room.network.run(for: .seconds(2))
    #expect(try #require(room.spread(listeners, with: host)) < .milliseconds(5))
  }

  @Test("N32: who opened it leaves, and the next host speaks to the same listeners, by the same link, within 2 s")
  func leaves() throws {
    let (room, listeners, second) = try room(31)
    let link = try #require(room.host.engine.audienceLink)
    #expect(second.engine.audienceLink == link && second.engine.audience == AudienceNews(state: .open))
    #expect(room.all[2].engine.audienceLink == nil && room.all[2].engine.audience == AudienceNews())
    #expect(refusal(second) == .isOpen && refusal(room.all[2]) == .denied)
    let told = listeners.map { $0.news.count }
    room.host.do { $0.leave() }
    #expect(room.network.run(atMost: .seconds(2)) { second.engine.audience == AudienceNews(state: .open, listeners: 2) })
    #expect(room.host.engine.audience == AudienceNews() && second.engine.audienceLink == link)
    try commands(second, room, listeners, to: .seconds(900))
    #expect(zip(listeners, told).allSatisfy { one, before in one.news.dropFirst(before).allSatisfy { $0.status == .listening } })
    let late = try room.listen()
    #expect(room.network.run(atMost: .seconds(4)) { late.line != nil })
    #expect(try #require(room.spread([late], with: second)) < .milliseconds(5))
    // Nobody goes on after the last one.
    second.do { $0.leave() }
    room.network.run(for: .seconds(3))
    #expect((listeners + [late]).allSatisfy { $0.status == .listening } && room.all[2].engine.audience.state == .open)
    room.all[2].do { $0.leave() }
    #expect(room.network.run(atMost: .seconds(2)) { (listeners + [late]).allSatisfy { $0.status == .over } })
  }

  @Test("N32: the process of who opened it dies, and the next host speaks within 3 s; a host who comes later has the key, too")
  func dies() throws {
    let (room, listeners, second) = try room(32)
    room.host.do { $0.setRole(of: room.all[2].id, to: .host) }
    room.network.run(for: .seconds(2))
    #expect(room.all[2].engine.audienceLink == room.host.engine.audienceLink)
    room.host.kill()
    #expect(room.network.run(atMost: .seconds(3)) { room.all[1...].contains { $0.engine.audience.listeners == 2 } })
    let first = try #require(room.all[1...].first { $0.engine.audience.listeners == 2 })
    try commands(second, room, listeners, to: .seconds(300))
    first.kill()
    let last = try #require(room.all.first { $0.isAlive })
    #expect(room.network.run(atMost: .seconds(3)) { last.engine.audience == AudienceNews(state: .open, listeners: 2) })
    try commands(last, room, listeners, to: .seconds(60))
    #expect(listeners.allSatisfy { one in !one.news.contains { $0.status == .silent || $0.status == .over } })
  }

  @Test("N32: who opened it is cut off and comes back: another speaks since, and nobody who listens goes back")
  func cutOff() throws {
    let (room, listeners, second) = try room(33)
    room.network.cut(room.hubMachine, room.host.machine)
    #expect(room.network.run(atMost: .seconds(12)) { second.engine.audience == AudienceNews(state: .open, listeners: 2) })
    try commands(second, room, listeners, to: .seconds(2_000))
    let told = listeners.map { $0.commands.count }
    room.network.heal(room.hubMachine, room.host.machine)
    #expect(room.network.run(atMost: .seconds(30)) { room.host.engine.audience == AudienceNews(state: .open) })
    room.network.run(for: .seconds(20))
    #expect(second.engine.audience == AudienceNews(state: .open, listeners: 2))
    let since = zip(listeners, told).flatMap { $0.commands.dropFirst($1) }
    #expect(since.allSatisfy { $0.itemTime >= .seconds(2_000) })
    #expect(listeners.allSatisfy { one in one.status == .listening && !one.news.contains { $0.status == .silent } })
    #expect(try #require(room.spread(listeners)) < .milliseconds(5))
    try commands(room.host, room, listeners, to: .seconds(50))
  }

  @Test("N33: two speak at once, one of them of what was before: who listens follows what counts, and never goes back")
  func twoSpeak() throws {
    let (room, listeners, second) = try room(34)
    let old = second.engine.coordination.staged
    room.host.do { $0.handle(.seek(to: .seconds(1_500), resumeImmediately: false)) }
    #expect(room.network.run(atMost: .seconds(3)) { listeners.allSatisfy { ($0.line?.at ?? 0) >= .seconds(1_500) } })
    room.network.run(for: .seconds(2))
    let told = listeners.map { $0.commands.count }
    let audience = try #require(second.engine.coordination.audience?.value)
    #expect(room.network.run(atMost: .seconds(3)) { second.engine.sessionAudience.keeping.key(of: audience.topic) != nil })
    let key = try #require(second.engine.sessionAudience.keeping.key(of: audience.topic))
    let link = try AudienceLink(parsing: try #require(second.engine.audienceLink))
    var opened = false
    let other = AudienceStage(
      link: link, key: key, terms: AudienceTerms(), identity: second.engine.identity, environment: second.machine
    ) { event in
      if case .audience(let news) = event { opened = opened || news.state == .open }
    }
    let channel = second.engine.present.channel
    for turn in 0..<40 {
      second.machine.turn {
        other.settle(second.engine.present.seat, revision: UInt64(turn)) {
          StageInput(state: old, sign: { channel.signed($0) }, keys: { channel.keys(of: $0) }, hubs: link.hubs, hosts: [])
        }
      }
      room.network.run(for: .milliseconds(250))
    }
    #expect(opened && listeners.allSatisfy { $0.listener.view.participants.count == 3 })
    let since = zip(listeners, told).flatMap { $0.commands.dropFirst($1) }
    #expect(since.allSatisfy { $0.itemTime >= .seconds(1_500) })
    #expect(try #require(room.spread(listeners)) < .milliseconds(5))
    second.machine.turn { other.leave() }
    room.network.run(for: .seconds(20))
    let here = listeners.map { one in one.listener.view.participants.count { $0.connection == .connected } }
    #expect(here == [2, 2] && listeners.allSatisfy { $0.status == .listening })
    try commands(room.host, room, listeners, to: .seconds(10))
  }

  @Test("N32: another host closes it; it opens one of its own, by another link, and who had opened the first is refused")
  func closedByAnother() throws {
    let (room, listeners, second) = try room(35)
    let link = room.host.engine.audienceLink
    second.do { $0.closeAudience() }
    #expect(room.network.run(atMost: .seconds(2)) { listeners.allSatisfy { $0.status == .over } })
    #expect(room.host.engine.audience == AudienceNews() && room.host.engine.audienceLink == nil && second.engine.audienceLink == nil)
    #expect(refusal(second) == nil)
    let one = try room.listen()
    #expect(room.network.run(atMost: .seconds(4)) { one.line != nil })
    #expect(second.engine.audienceLink != link && second.engine.audienceLink == room.host.engine.audienceLink)
    #expect(refusal(room.host) == .isOpen && listeners.allSatisfy { $0.status == .over })
    room.host.do { $0.setControl(.everyone) }
    #expect(room.network.run(atMost: .seconds(2)) { one.status == .over })
    room.network.run(for: .seconds(5))
    room.host.do { $0.setControl(.hostsOnly) }
    room.network.run(for: .seconds(3))
    #expect(room.all.allSatisfy { $0.engine.audienceLink == nil && $0.engine.audience == AudienceNews() })
  }

  @Test("N32: who speaks is no host any more, and another goes on")
  func demoted() throws {
    let (room, listeners, second) = try room(36)
    second.do { $0.closeAudience() }
    room.network.run(for: .seconds(1))
    #expect(refusal(second) == nil)
    let one = try room.listen()
    #expect(room.network.run(atMost: .seconds(4)) { one.line != nil })
    room.host.do { $0.setRole(of: second.id, to: .member) }
    #expect(room.network.run(atMost: .seconds(3)) { room.host.engine.audience == AudienceNews(state: .open, listeners: 1) })
    #expect(second.engine.audienceLink == nil && second.engine.audience == AudienceNews() && one.status == .listening)
    try commands(room.host, room, [one], to: .seconds(77))
    #expect(listeners.allSatisfy { $0.status == .over })
  }

  @Test("F136: two hosts command at once, and who listens is where the group is")
  func commandAtOnce() throws {
    let (room, listeners, second) = try room(37)
    for place: ItemTime in [.seconds(100), .seconds(3_000), .seconds(7)] {
      room.host.do { $0.handle(.seek(to: place, resumeImmediately: false)) }
      second.do { $0.handle(.seek(to: place + .seconds(400), resumeImmediately: false)) }
      room.network.run(for: .seconds(1))
      #expect(room.network.run(atMost: Law.waitLimit) { room.spread(listeners) != nil && room.spread(listeners, with: second) != nil })
      room.network.run(for: .seconds(2))
      #expect(try #require(room.spread(listeners)) < .milliseconds(5))
      #expect(try #require(room.spread(listeners, with: second)) < .milliseconds(5))
    }
  }

  @Test("F136: what a mere member says of the audience is not taken, nor a key that comes otherwise than it should")
  func member() throws {
    let (room, listeners, second) = try room(38)
    let member = room.all[2]
    let before = try #require(room.host.engine.coordination.audience)
    let forged = AudienceValue(secret: before.value.secret, topic: [UInt8](repeating: 5, count: 32), hubs: before.value.hubs)
    member.do { $0.handle(.setAudience(forged)) }
    #expect(member.engine.coordination.audience?.value == before.value)
    let time = before.said.time.adding(.seconds(1))
    let policy = member.engine.coordination.policy.id
    member.do { engine in
      for value in [forged, nil] {
        let statement = Statement(key: .audience, author: engine.identity.id, policy: policy, time: time, value: .audience(value))
        engine.perform { $0.send(.update([statement]), to: nil, now: member.machine.now) }
      }
      engine.perform { $0.send(.stage(SeedMessage(topic: before.value.topic)), to: nil, now: member.machine.now) }
    }
    let refused = [room.host, second].map { $0.engine.statistics.messagesRefused }
    room.network.run(for: .seconds(3))
    for player in [room.host, second] {
      #expect(player.engine.coordination.audience?.value == before.value && player.engine.coordination.audience?.said == before.said)
    }
    #expect(zip([room.host, second], refused).allSatisfy { $0.engine.statistics.messagesRefused > $1 })
    // A host's counts, as said by the same means.
    second.do { engine in
      let statement = Statement(key: .audience, author: engine.identity.id, policy: policy, time: time, value: .audience(nil))
      engine.perform { $0.send(.update([statement]), to: nil, now: second.machine.now) }
    }
    #expect(room.network.run(atMost: .seconds(2)) { listeners.allSatisfy { $0.status == .over } })
  }

  @Test("F136: the key goes to hosts who are there, and to nobody else")
  func handsOver() throws {
    let (room, _, second) = try room(39)
    let register = try #require(second.engine.coordination.audience)
    let topic = register.value.topic
    let audience = room.host.engine.sessionAudience
    let seed = try #require(audience.keeping.seed(of: topic))
    let hosts = SessionAudience.Surroundings(
      register: register, hosts: [room.host.id, second.id], isInStep: true, refusal: nil)
    var sent: [(message: SeedMessage, to: [ParticipantID])] = []
    room.host.do { _ in
      for (asker, asked) in [(second.id, topic), (room.all[2].id, topic), (second.id, [UInt8](repeating: 1, count: 32))] {
        for output in audience.receive(SeedMessage(topic: asked), from: asker, hosts) {
          if case .send(let message, let to) = output { sent.append((message, to)) }
        }
      }
    }
    #expect(sent.count == 1 && sent.first?.message == SeedMessage(topic: topic, seed: seed) && sent.first?.to == [second.id])
    #expect(room.all[2].engine.sessionAudience.keeping.key(of: topic) == nil)
  }
}
