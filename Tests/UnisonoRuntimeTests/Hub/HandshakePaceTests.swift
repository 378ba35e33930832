import Testing
import UnisonoBase
import UnisonoWire

@testable import UnisonoRuntime

@Suite("A hub makes few handshakes in one turn")
struct HandshakePaceTests {
  @Test("those beyond the turn's wait, and come in order in the next one")
  func turns() {
    let pace = Box(HandshakePace())
    #expect(!pace { $0.isUsedUp })
    #expect(pace { $0.countHandshake() })
    #expect(!pace { $0.isUsedUp } && !pace { $0.countHandshake() })
    #expect(pace { $0.isUsedUp })
    for connection in [5, 3, 4] as [UInt64] { pace { $0.wait(connection) } }
    #expect(pace { $0.beginTurn() } == [5, 3, 4])
    #expect(!pace { $0.isUsedUp } && pace { $0.beginTurn() }.isEmpty)
  }

  @Test("many who come at once are all let in, two handshakes in 200 us, and nobody is refused for it")
  func crowd() throws {
    let hub = try HubHarness()
    let talkers = hub.guests(2)
    let crowd = (0..<40).map { hub.guest(room: UInt8(2 + $0 / 10)) }
    #expect(hub.network.run(atMost: .seconds(1)) { crowd.allSatisfy(\.isIn) })
    #expect(hub.server.measures.refusals.isEmpty && crowd.allSatisfy { $0.losses.isEmpty })
    _ = talkers[0].client.send(talkers[0].envelope(1), to: nil)
    #expect(hub.network.run(atMost: .milliseconds(10)) { !talkers[1].delivered.isEmpty })
  }

  @Test("who is gone while it waits for its turn is not answered")
  func gone() throws {
    let hub = try HubHarness()
    let peers = (0..<6).map { _ in hub.raw() }
    for peer in peers { peer.open() }
    // All have said OPEN; two were answered.
    #expect(hub.network.run(atMost: .milliseconds(10)) { peers.filter { !$0.frames.isEmpty }.count == 2 })
    for peer in peers where peer.frames.isEmpty { peer.stream.close() }
    hub.network.run(for: .milliseconds(50))
    #expect(peers.filter { !$0.frames.isEmpty }.count == 2)
    #expect(hub.server.measures.unentered == 2)
  }
}
