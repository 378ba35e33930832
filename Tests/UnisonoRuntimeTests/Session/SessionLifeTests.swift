import Testing
import UnisonoCore

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
