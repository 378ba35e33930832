import Testing

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
