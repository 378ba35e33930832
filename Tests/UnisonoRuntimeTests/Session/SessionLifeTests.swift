import Testing
import UnisonoBase
import UnisonoReplica

@testable import UnisonoCrypto
@testable import UnisonoRuntime

@Suite("The life of a session, in the log at INFO")
struct SessionLifeTests {
  @Test("F32: connecting, joining, who came and is gone, and why it ended")
  func wholeLife() throws {
    let world = SessionWorld(seed: 2)
    let all = try world.joined(2)
    let (host, guest) = (all[0], all[1])
    #expect(guest.life.first?.hasPrefix("connecting to ") == true)
    #expect(guest.life.dropFirst().contains { $0.hasPrefix("connected to ") })
    #expect(guest.life.contains("joining"))
    #expect(guest.life.contains("joined"))
    #expect(guest.life.contains("here: Ann"))
    #expect(host.life.contains("Ben1 came"))
    #expect(!host.life.contains { $0.hasPrefix("Ann came") }, "of itself it knows")
    guest.do { $0.leave() }
    #expect(world.network.run(atMost: .seconds(5)) { host.life.contains("Ben1 is gone") })
    #expect(guest.life.last == "over: left")
    host.do { $0.end() }
    #expect(host.life.last == "over: ended for everybody by this participant")
  }

  @Test("F32: a session is ended while a guest is on its way in: it is informed, wherever it was", arguments: 0..<12)
  func endedWhileWaiting(step: Int) throws {
    let world = SessionWorld(seed: 3)
    let host = try world.host()
    host.do { $0.join() }
    world.network.run(for: .seconds(1))
    let guest = try world.guest(of: host, path: .lan)
    if step % 2 == 1 { guest.do { $0.join() } }
    world.network.run(for: .milliseconds(Int64(step / 2) * 4))
    host.do { $0.end() }
    world.network.run(for: .seconds(2))
    #expect(guest.states.last?.status == .invalidated && guest.states.last?.reason == .ended, "\(guest.life)")
  }

  @Test("F32: who ended a session informs those who come within 5 s, and then is gone; nothing is reported to its host")
  func farewell() throws {
    let world = SessionWorld(seed: 3)
    let all = try world.joined(2)
    let hub = try #require(all[0].engine.hub)
    all[1].do { $0.end() }
    let states = all[1].states.count
    world.network.run(for: .seconds(4))
    let guest = try world.guest(of: all[0], named: "New", path: .lan)
    #expect(world.network.run(atMost: .milliseconds(900)) { guest.states.last?.reason == .ended })
    let topic = all[1].engine.door.topic
    #expect(hub.participants(of: topic).contains(all[1].id))
    world.network.run(for: .seconds(2))
    #expect(hub.participants(of: topic).isEmpty && all[1].states.count == states && all[1].messages.isEmpty)
  }

  @Test("F32: a session is ended by another member while a guest waits without joining: it is informed")
  func endedByAnother() throws {
    let world = SessionWorld(seed: 4)
    let all = try world.joined(2)
    let guest = try world.guest(of: all[0], named: "New")
    world.network.run(for: .seconds(3))
    #expect(guest.engine.state.status == .waiting && guest.engine.state.connection == .connected)
    all[1].do { $0.end() }
    world.network.run(for: .seconds(5))
    #expect(guest.states.last?.reason == .ended, "\(guest.life)")
  }

  @Test("F32: an owner ends the session, and is gone, while six meet at a hub that came late: each is told", arguments: [21, 47, 90, 180, 237, 273])
  func endedWhileMeeting(seed: UInt64) throws {
    let world = SessionWorld(seed: seed + 1)
    var random = SplitMix64(seed: seed + 77)
    let machine = world.network.machine()
    let key = SigningKey(seed: Secret(random: machine.randomBytes))
    let jitter = [Int64.milliseconds(1), .milliseconds(30), .milliseconds(100)][Int(seed % 3)]
    let path = VirtualPath(delay: .milliseconds(1) + jitter, jitter: jitter)
    world.network.defaultPath = path
    let ann = try world.host(hub: HubAddress(address: "\(machine.host):7400", hub: key.publicKey.hashedID))
    ann.do { $0.join() }
    world.network.run(for: Int64.random(in: 0 ... .milliseconds(200), using: &random))
    var others: [SessionPlayer] = []
    for number in 1...5 {
      let one = try world.guest(of: ann, named: "Ben\(number)", path: path)
      world.network.setPath(one.machine, machine, path)
      one.do { $0.join() }
      others.append(one)
      world.network.run(for: Int64.random(in: 0 ... .milliseconds(300), using: &random))
    }
    world.network.run(for: Int64.random(in: 0 ... .seconds(6), using: &random))
    let hub = try HubServer(environment: machine, options: HubOptions(listen: ["0.0.0.0:7400"]), identity: key)
    defer { withExtendedLifetime(hub) {} }
    func haveMet() -> Bool {
      ([ann] + others).allSatisfy { player in
        player.engine.state.connection == .connected && (player === ann || player.personNotices.contains { $0.participant == ann.id })
      }
    }
    try #require(world.network.run(atMost: .seconds(60), until: haveMet))
    let gone = others.removeLast()
    gone.do { $0.leave() }
    gone.do { $0.close() }
    let watching = others[0]
    try #require(
      world.network.run(atMost: .seconds(60)) {
        watching.personNotices.contains { $0.kind == .left && $0.participant == gone.id }
      })
    world.network.run(for: Int64.random(in: 0 ... .milliseconds(20), using: &random))
    ann.do { $0.end() }
    world.network.run(for: .milliseconds(20))
    ann.do { $0.close() }
    world.network.run(for: .seconds(5))
    #expect(others.allSatisfy { $0.engine.state.reason == .ended }, "\(others.map(\.life))")
  }

  @Test("F32: a session is not ended for others who cannot be told; it is once they can")
  func endedWithoutLink() throws {
    let world = SessionWorld(seed: 1)
    let all = try world.playing(3, path: .lan)
    let (ben, cem) = (all[1], all[2])
    all[0].kill()
    #expect(world.network.run(atMost: .seconds(5)) { ben.life.contains { $0.hasPrefix("reconnecting: ") } })
    ben.do { $0.end() }
    #expect(ben.refusals.map(\.operation) == [.endSession])
    #expect(!ben.life.contains { $0.hasPrefix("over: ") })
    #expect(
      world.network.run(atMost: .seconds(5)) { [ben, cem].allSatisfy { $0.engine.state.connection == .connected } })
    world.network.run(for: .seconds(1))
    ben.do { $0.end() }
    #expect(ben.life.last == "over: ended for everybody by this participant")
    world.network.run(for: .seconds(1))
    #expect(cem.states.last?.reason == .ended, "\(cem.life)")
  }

  @Test("F40: the hub dies: the link is lost and another hub is found")
  func anotherHub() throws {
    let world = SessionWorld(seed: 1)
    let all = try world.playing(3, path: .lan)
    let rest = Array(all.dropFirst())
    all[0].kill()
    #expect(
      world.network.run(atMost: .seconds(5)) {
        rest.allSatisfy { $0.life.contains { $0.hasPrefix("at another hub: ") } }
      })
    for player in rest {
      let lost = try #require(player.life.firstIndex { $0.hasPrefix("reconnecting: ") })
      let found = try #require(player.life.firstIndex { $0.hasPrefix("at another hub: ") })
      #expect(lost < found)
    }
  }
}
