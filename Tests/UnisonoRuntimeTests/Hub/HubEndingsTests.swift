import Testing
import UnisonoBase
import UnisonoCrypto
import UnisonoReplica
import UnisonoWire

@testable import UnisonoRuntime

@Suite("Many endings at once")
struct HubEndingsTests {
  /// What single turns of a hub did, from now on.
  private final class Turns {
    private(set) var mostClosed: UInt64 = 0
    private(set) var mostWritten: UInt64 = 0
    /// When connections were closed.
    private(set) var closings: [HostTime] = []

    init(of hub: HubHarness) {
      var before = (hub.server.endings.count, hub.server.statistics.framesOut)
      hub.machine.onEndOfTurn { [self] in
        let after = (hub.server.endings.count, hub.server.statistics.framesOut)
        mostClosed = max(mostClosed, after.0 - before.0)
        mostWritten = max(mostWritten, after.1 - before.1)
        if after.0 > before.0 { closings.append(hub.machine.now) }
        before = after
      }
    }
  }

  private func crowdedHub() throws -> HubHarness {
    var limits = HubLimits()
    limits.entriesPerSecondInAll = 10_000
    return try HubHarness(limits: limits)
  }

  /// Who went and who came, one entry for each PRESENCE frame.
  private func news(of peer: RawPeer) -> [(joined: [Member], gone: [Departure])] {
    peer.frames.compactMap { frame in
      guard case .presence(let joined, let gone)? = try? HubFrame.decode(frame) else { return nil }
      return (joined, gone)
    }
  }

  @Test("Z31: 300 begun frames are closed a few at a time; what others say passes between, log and rooms are spared")
  func begunFrames() throws {
    let hub = try crowdedHub()
    let guests = hub.guests(2, room: 2)
    let witnesses = try (0..<3).map { try hub.enteredPeer(room: UInt8(10 + $0)) }
    let announcers = try (0..<300).map { try hub.enteredPeer(room: UInt8(10 + $0 / 100)) }
    for announcer in announcers { announcer.stream.write([0, 4, 0, 0, 7]) }
    for second in 0..<9 {
      hub.network.run(for: .seconds(1))
      if second % 3 == 0 { for witness in witnesses { witness.write(.ping(1)) } }
    }
    #expect(hub.server.statistics.connections == 305)
    let turns = Turns(of: hub)
    for number in 0..<500 {
      guests[0].client.send(guests[0].envelope(UInt64(number)))
      hub.network.run(for: .milliseconds(5))
    }
    #expect(announcers.allSatisfy { $0.isClosed } && guests.allSatisfy { $0.isIn && $0.losses.isEmpty })
    #expect(turns.mostClosed <= 32 && turns.mostWritten <= 64)
    let first = try #require(turns.closings.first)
    let last = try #require(turns.closings.last)
    #expect(guests[1].delivered.contains { first < $0.at && $0.at < last })
    #expect(guests[1].delivered.count == 500)
    // Nobody who is about to be closed is told of the others; who stays hears of all in one frame.
    #expect(announcers.allSatisfy { news(of: $0).allSatisfy { $0.gone.isEmpty } })
    for witness in witnesses {
      let gone = news(of: witness).map(\.gone.count).filter { $0 > 0 }
      #expect(!witness.isClosed && gone == [100])
    }
    let lines = hub.lines.filter { $0.level == .info }.map(\.text)
    #expect(lines.count { $0.hasSuffix("broke the protocol: closed") } == 100)
    #expect(lines.last == "200 more lines like these in the last second were left out")
  }

  @Test("Z31: rooms that somebody leaves at the same time are told a few at a time, each once")
  func hangingUp() throws {
    let hub = try crowdedHub()
    let rooms = try (0..<12).map { room in try (0..<21).map { _ in try hub.enteredPeer(room: UInt8(10 + room)) } }
    let turns = Turns(of: hub)
    for room in rooms { room[0].stream.close() }
    hub.network.run(for: .milliseconds(100))
    #expect((21...84).contains(turns.mostWritten))
    for peer in rooms.flatMap({ $0.dropFirst() }) { #expect(news(of: peer).map(\.gone.count).filter { $0 > 0 } == [1]) }
  }

  @Test("who leaves and comes back at the same moment is told in this order, also while other rooms are told")
  func comingBack() throws {
    let hub = try crowdedHub()
    let witness = try hub.enteredPeer()
    let others = try (0..<2).map { _ in try hub.enteredPeer(room: 2) }
    let (identity, machine) = (Identity(random: hub.machine.randomBytes), hub.network.machine())
    let older = try hub.enteredPeer(on: machine, as: identity)
    let newer = hub.raw(on: machine)
    newer.open()
    #expect(hub.network.run(atMost: .seconds(1)) { newer.body(.identity) != nil })
    others[0].stream.close()
    older.stream.close()
    try newer.enter(as: identity)
    hub.network.run(for: .milliseconds(10))
    #expect(newer.body(.entered) != nil && newer.body(.presence) == nil)
    #expect(news(of: witness).map { [$0.joined.count, $0.gone.count] } == [[1, 0], [0, 1], [1, 0]])
  }
}
