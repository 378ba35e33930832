import Glibc
import Testing
import UnisonoBase
import UnisonoReplica
import UnisonoWire

@testable import UnisonoCrypto
@testable import UnisonoRuntime

@Suite("An audience gets another link while people listen")
struct RenewalTests {
  private func refusal(_ player: SessionPlayer) -> AudienceRefusal? {
    var found: AudienceRefusal?
    player.do { engine in do throws(AudienceRefusal) { try engine.renewAudience() } catch { found = error } }
    return found
  }

  private func link(_ room: AudienceWorld) throws -> AudienceLink { try AudienceLink(parsing: try #require(room.host.engine.audienceLink)) }

  /// All are at the link in force. Meanwhile nobody is anywhere else in the film: the greatest distance, ns.
  private func move(_ some: [ListeningPlayer], _ room: AudienceWorld, atMost length: Nanoseconds = .seconds(10)) throws -> Nanoseconds? {
    let (wanted, end) = (try link(room), room.network.trueTime + length)
    var most: Nanoseconds = 0
    while room.network.trueTime < end {
      most = max(most, try #require(room.spread(some)))
      if some.allSatisfy({ $0.listener.link.topic == wanted.topic && $0.status == .listening }) { return most }
      room.network.run(for: .milliseconds(50))
    }
    return nil
  }

  /// They do what the group does, and where it is: players of before drifted with their machines' clocks.
  private func hear(_ some: [ListeningPlayer], _ room: AudienceWorld) throws {
    room.host.do { $0.handle(.rateChange(rate: 1.5, immediately: false)) }
    room.network.run(for: .seconds(3))
    #expect(some.allSatisfy { $0.line?.rate == 1.5 })
    room.network.run(for: .seconds(2))
    let apart = try #require(room.spread(some))
    #expect(apart < .milliseconds(5), "\(apart) ns")
  }

  @Test("F137: who listens goes along and plays on, the new link is good at once, and it may be renewed again")
  func renewed() throws {
    let room = try AudienceWorld(seed: 21)
    let three = try (0..<3).map { _ in try room.listen() }
    #expect(room.network.run(atMost: .seconds(4)) { three.allSatisfy { $0.line != nil } })
    room.network.run(for: .seconds(20))
    #expect(refusal(room.member) == .denied)
    for _ in 0..<2 {
      let old = try link(room)
      let (commands, changes) = (three.map { $0.commands.count }, room.host.audience.count)
      #expect(refusal(room.host) == nil)
      #expect(try link(room) != old && room.host.engine.audience.state == .opening)
      #expect(try #require(try move(three, room)) < .milliseconds(40))
      room.network.run(for: .seconds(5))
      #expect(try #require(room.spread(three)) < .milliseconds(5))
      // Nobody was told to do anything.
      #expect(three.map { $0.commands.count } == commands)
      #expect(three.allSatisfy { $0.status == .listening && $0.listener.news.reason.isEmpty })
      #expect(room.host.audience.dropFirst(changes).map(\.state).prefix(2) == [.opening, .open])
      #expect(room.network.run(atMost: .seconds(3)) { room.host.engine.audience.listeners == 3 })
    }
    room.host.do { $0.handle(.rateChange(rate: 0, immediately: false)) }
    #expect(room.network.run(atMost: .milliseconds(500)) { three.allSatisfy { $0.commands.last?.kind == .pause } })
    let late = try room.listen()
    #expect(room.network.run(atMost: .seconds(4)) { late.commands.last?.kind == .pause })
    // What is asked goes where one is.
    three[0].do { $0.say(.asks, "") }
    #expect(room.network.run(atMost: .seconds(1)) { room.host.heard.count == 1 })
    room.host.do { try? $0.inviteListener(room.host.heard[0].listener) }
    #expect(room.network.run(atMost: .seconds(1)) { three[0].invites.count == 1 })
  }

  /// N24 names 5,000, which are minutes of a processor: UNISONO_LISTENERS has as many as are wished for, an ordinary run some.
  private static let crowd = getenv("UNISONO_LISTENERS").flatMap { Int(String(cString: $0)) } ?? 60

  @Test("N24: an audience of 5,000 gets another link: all have gone along within 10 s, and none is elsewhere meanwhile")
  func many() throws {
    let room = try AudienceWorld(seed: 29)
    var all: [ListeningPlayer] = []
    while all.count < Self.crowd {
      all += try (0..<min(50, Self.crowd - all.count)).map { _ in try room.listen() }
      room.network.run(for: .milliseconds(100))
    }
    // All are told how many they are, and have measured the hub's clock.
    room.network.run(for: .seconds(25))
    #expect(all.allSatisfy { $0.line != nil })
    #expect(room.host.engine.audience.listeners == UInt32(Self.crowd) && all.allSatisfy { $0.listener.news.listeners > 0 })
    let begun = room.network.trueTime
    #expect(refusal(room.host) == nil)
    let apart = try #require(try move(all, room))
    #expect(apart < .milliseconds(40), "\(apart) ns")
    #expect(room.network.trueTime - begun < .seconds(10))
    try hear(all, room)
    #expect(room.host.engine.audience.listeners == UInt32(Self.crowd))
  }

  @Test("N24: who was away for five minutes goes along; who comes with the old link eleven minutes later, or was away as long, is told so")
  func late() throws {
    let room = try AudienceWorld(seed: 22)
    let three = try (0..<3).map { _ in try room.listen() }
    #expect(room.network.run(atMost: .seconds(4)) { three.allSatisfy { $0.line != nil } })
    room.network.run(for: .seconds(10))
    let old = try link(room)
    for away in three.dropFirst() { room.network.cut(room.hubMachine, away.machine) }
    room.network.run(for: .seconds(15))
    #expect(refusal(room.host) == nil)
    room.network.run(for: .seconds(285))
    #expect(three.map { $0.listener.link == old } == [false, true, true])
    room.network.heal(room.hubMachine, three[1].machine)
    #expect(room.network.run(atMost: .seconds(40)) { three[1].listener.link != old && three[1].status == .listening })
    let by = try room.listen { _ in old }
    #expect(room.network.run(atMost: .seconds(10)) { by.listener.link != old && by.line != nil })
    room.network.run(for: .seconds(370))
    room.network.heal(room.hubMachine, three[2].machine)
    #expect(room.network.run(atMost: .seconds(60)) { three[2].status == .over })
    let stranger = try room.listen { _ in old }
    #expect(room.network.run(atMost: .seconds(5)) { stranger.status == .over })
    for told in [three[2], stranger] { #expect(told.listener.news.reason.contains("the invitation was renewed")) }
    #expect([three[0], three[1], by].allSatisfy { $0.status == .listening })
    try hear([three[0], three[1], by], room)
  }

  @Test("N24: renewed twice at once, and once more while they go along: all are at the last link, and jump nowhere")
  func often() throws {
    let room = try AudienceWorld(seed: 23)
    let six = try (0..<6).map { _ in try room.listen() }
    #expect(room.network.run(atMost: .seconds(4)) { six.allSatisfy { $0.line != nil } })
    room.network.run(for: .seconds(10))
    let first = try link(room)
    room.host.do { engine in for _ in 0..<2 { try? engine.renewAudience() } }
    let second = try link(room)
    #expect(room.network.run(atMost: .seconds(3)) { six.contains { $0.listener.link.topic == second.topic } })
    #expect(six.contains { $0.listener.link == first })
    #expect(refusal(room.host) == nil)
    #expect(try #require(try move(six, room)) < .milliseconds(40))
    room.network.run(for: .seconds(5))
    #expect(try #require(room.spread(six)) < .milliseconds(5))
    #expect(room.network.run(atMost: .seconds(3)) { room.host.engine.audience.listeners == 6 })
  }

  @Test("N24: closed while they go along, wherever each is just then: all are told that it was closed")
  func closed() throws {
    let room = try AudienceWorld(seed: 24)
    let six = try (0..<6).map { _ in try room.listen() }
    #expect(room.network.run(atMost: .seconds(4)) { six.allSatisfy { $0.line != nil } })
    let first = try link(room)
    #expect(refusal(room.host) == nil)
    #expect(room.network.run(atMost: .seconds(3)) { six.contains { $0.listener.link != first } })
    #expect(six.contains { $0.listener.link == first })
    room.host.do { $0.closeAudience() }
    #expect(room.network.run(atMost: .seconds(15)) { six.allSatisfy { $0.status == .over } })
    #expect(six.allSatisfy { $0.listener.news.reason == "the audience was closed" })
    #expect(refusal(room.host) == .notOpen)
  }

  @Test("N24: the hub is lost while they go along: once it is back all are at the new link")
  func hubLost() throws {
    let room = try AudienceWorld(seed: 25)
    let six = try (0..<6).map { _ in try room.listen() }
    #expect(room.network.run(atMost: .seconds(4)) { six.allSatisfy { $0.line != nil } })
    room.network.run(for: .seconds(10))
    for wait in [Nanoseconds.milliseconds(2), .milliseconds(900)] {
      #expect(refusal(room.host) == nil)
      room.network.run(for: wait)
      let machines = six.map(\.machine) + room.all.map(\.machine)
      for machine in machines {
        room.network.cut(room.hubMachine, machine)
        room.network.breakStreams(room.hubMachine, machine)
      }
      room.network.run(for: .seconds(8))
      for machine in machines { room.network.heal(room.hubMachine, machine) }
      let wanted = try link(room)
      #expect(
        room.network.run(atMost: .seconds(40)) {
          six.allSatisfy { $0.listener.link.topic == wanted.topic && $0.status == .listening }
        })
      room.network.run(for: .seconds(5))
      #expect(try #require(room.spread(six)) < .milliseconds(40))
    }
    try hear(six, room)
  }

  @Test("N24: another host renews what one opened: it speaks from then on, all go along, and the first has the new link as well")
  func byAnother() throws {
    let room = try AudienceWorld(seed: 27, players: 3, hosts: 2)
    let second = room.all[1]
    let three = try (0..<3).map { _ in try room.listen() }
    #expect(room.network.run(atMost: .seconds(4)) { three.allSatisfy { $0.line != nil } })
    room.network.run(for: .seconds(10))
    let (old, told) = (try link(room), room.host.audience.count)
    #expect(refusal(second) == nil && refusal(room.all[2]) == .denied)
    #expect(room.network.run(atMost: .seconds(1)) { (try? link(room)) != old })
    #expect(second.engine.audienceLink == room.host.engine.audienceLink)
    #expect(try #require(try move(three, room)) < .milliseconds(40))
    // Once more, as it is open there as well: the link is another one.
    #expect(room.host.audience.dropFirst(told).map(\.state).last == .open)
    #expect(room.network.run(atMost: .seconds(3)) { second.engine.audience == AudienceNews(state: .open, listeners: 3) })
    #expect(three.allSatisfy { one in !one.news.contains { $0.status == .over || $0.status == .silent } })
    try hear(three, room)
    // And back.
    #expect(refusal(room.host) == nil)
    #expect(try #require(try move(three, room)) < .milliseconds(40))
    #expect(second.engine.audienceLink == room.host.engine.audienceLink)
  }

  @Test("N24: three hundred listen: all go along within ten seconds, and hear the next command there")
  func crowd() throws {
    let room = try AudienceWorld(seed: 26)
    let crowd = try (0..<300).map { _ in try room.listen() }
    #expect(room.network.run(atMost: .seconds(10)) { crowd.allSatisfy { $0.line != nil } })
    room.network.run(for: .seconds(5))
    #expect(refusal(room.host) == nil)
    #expect(try #require(try move(crowd, room)) < .milliseconds(40))
    room.host.do { $0.handle(.rateChange(rate: 0, immediately: false)) }
    #expect(room.network.run(atMost: .seconds(1)) { crowd.allSatisfy { $0.commands.last?.kind == .pause } })
  }
}
