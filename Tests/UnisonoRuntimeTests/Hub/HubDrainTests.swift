import Testing
import UnisonoBase
import UnisonoCrypto
import UnisonoReplica
import UnisonoWire

@testable import UnisonoRuntime

@Suite("A hub ends in order")
struct HubDrainTests {
  @Test("F76: a few are told at once, and it is over when they are gone or the time is")
  func few() {
    let drain = Box(HubDrain())
    #expect(!drain { $0.isUnderWay } && !drain { $0.isOver(isEmpty: true, now: 100) })
    drain { $0.begin(within: .seconds(10), rooms: [3, 5], members: 6, now: .seconds(100)) }
    #expect(drain { $0.next(now: .seconds(100)) } == [3, 5])
    #expect(drain { $0.next(now: .seconds(101)) }.isEmpty)
    #expect(drain { $0.left(now: .seconds(101)) } == 9_000)
    #expect(!drain { $0.isOver(isEmpty: false, now: .seconds(109)) })
    #expect(drain { $0.isOver(isEmpty: true, now: .seconds(101)) })
    #expect(drain { $0.isOver(isEmpty: false, now: .seconds(110)) })
    #expect(drain { $0.nextLook(now: .milliseconds(109_995)) } == .seconds(110))
  }

  @Test("F76: many rooms are told evenly, each once, over half of the time and 200 entries a second")
  func many() {
    for (members, last) in [(1_000, Int64.seconds(5)), (400, .seconds(2))] {
      var drain = HubDrain()
      drain.begin(within: .seconds(10), rooms: Array(0..<100), members: members, now: 0)
      var told: [UInt64] = []
      var times: [Int64] = []
      for step in 0...500 {
        let now = Int64(step) * .milliseconds(20)
        let some = drain.next(now: now)
        #expect(some.count <= 2)
        if !some.isEmpty { times.append(now) }
        told += some
      }
      #expect(told == Array(0..<100))
      #expect((last - .milliseconds(100)...last).contains(times.last ?? 0))
    }
  }

  @Test("F76: while a hub drains nobody enters, and who tries is told to turn to another one")
  func shut() throws {
    let hub = try HubHarness()
    let guests = hub.guests(2)
    let late = hub.raw()
    late.open()
    hub.network.run(for: .milliseconds(100))
    let drained = Box(0)
    hub.server.drain(within: .seconds(10)) { drained { $0 += 1 } }
    hub.server.drain(within: .seconds(1)) { drained { $0 += 100 } }
    try late.enter()
    let stranger = hub.raw()
    stranger.open()
    hub.network.run(for: .milliseconds(100))
    for peer in [late, stranger] {
      #expect(peer.refusal?.status == HubRefusal.full.rawValue)
      #expect(peer.refusal?.text.contains("turn to another") == true && peer.isClosed)
    }
    #expect(stranger.refusal?.retry == 1_000)
    #expect(hub.server.measures.refusals == [.draining: 2])
    #expect(hub.server.measures.isDraining && guests.allSatisfy(\.isIn))
    // These have nowhere to go: they stay until the time is over.
    #expect(drained { $0 } == 0)
    hub.network.run(for: .seconds(10))
    #expect(drained { $0 } == 1)
    #expect(hub.lines.contains { $0.level == .warning && $0.text.contains("2 participants have not gone") })
  }

  @Test("F76: NEXT from a participant breaks the protocol")
  func fromParticipant() throws {
    let hub = try HubHarness()
    let peer = try hub.rawMember()
    peer.write(.next(NextFrame(within: 1)))
    hub.network.run(for: .milliseconds(100))
    #expect(peer.refusal?.status == HubRefusal.protocolBroken.rawValue && peer.isClosed)
    #expect(hub.server.measures.refusals == [.protocolBroken: 1])
  }

  @Test("F76: who goes to the next hub is not told as gone, who leaves is; the end waits for nobody else")
  func goodbyes() throws {
    let hub = try HubHarness()
    let guests = hub.guests(3)
    let drained = Box(false)
    hub.server.drain(within: .seconds(10)) { drained { $0 = true } }
    guests[0].client.close()
    guests[1].client.leave()
    hub.network.run(for: .milliseconds(200))
    #expect(guests[2].departures.map(\.id) == [guests[1].id])
    #expect(!drained { $0 })
    guests[2].client.close()
    hub.network.run(for: .milliseconds(200))
    #expect(drained { $0 })
  }

  @Test(
    "F76: participants go to the first hub that they know, or the one named; to no other"
  )
  func handedOver() throws {
    for isNamed in [false, true] {
      let network = VirtualNetwork(seed: 3)
      let machines = (0..<4).map { _ in network.machine() }
      let hubs = try machines.map { try HubServer(environment: $0, options: HubOptions(listen: ["0.0.0.0:7400"])) }
      let known = (0..<3).map { hubs[$0].address(on: machines[$0]) }
      let guests = (0..<3).map { _ in Guest(on: network.machine(), addresses: known, door: HubHarness.door()) }
      #expect(network.run(atMost: .seconds(2)) { guests.allSatisfy { $0.members.count == 3 } })
      let stranger = hubs[3].address(on: machines[3])
      let named = isNamed ? [stranger, known[2]] : []
      hubs[0].reload(limits: HubLimits(), opening: .anybody, advertise: [], next: named)
      hubs[0].drain(within: .seconds(10)) {}
      network.run(for: .seconds(1))
      let place = isNamed ? 2 : 1
      #expect(guests.allSatisfy { $0.client.current?.hubID == hubs[place].hubID && $0.members.count == 3 })
      #expect(guests.allSatisfy { $0.losses.isEmpty && $0.endings == [.milliseconds(10_000)] })
      #expect(hubs[0].statistics.rooms == 0 && hubs[3].statistics.framesIn == 0)
    }
  }

  @Test(
    "F76: a hub that says over and over that it ends is heard once a second; each other has a turn"
  )
  func repeated() {
    let all = (1...3).map { number in
      HubCandidate(HubAddress(address: "192.0.2.\(number):7400", hub: [UInt8](repeating: UInt8(number), count: 16)))
    }
    let here = RoomEntry(at: all[0].address)
    let handover = Box(HubHandover())
    #expect(handover { $0.begin(at: here, candidates: all, named: [], now: .seconds(5)) })
    #expect(handover { $0.next() } == all[1])
    #expect(!handover { $0.begin(at: here, candidates: all, named: [], now: .milliseconds(5_900)) })
    #expect(handover { $0.next() } == all[2])
    #expect(handover { $0.next() } == nil)
    #expect(
      handover { $0.begin(at: here, candidates: all, named: [all[2].address], now: .seconds(6)) })
    #expect(handover { $0.next() } == all[2])
    handover { $0.end() }
    #expect(handover { $0.next() } == nil)
  }

  @Test("F76: other limits hold for those who come, and nobody who is in has to go")
  func reloaded() throws {
    let hub = try HubHarness()
    let guests = hub.guests(3)
    var limits = HubLimits()
    limits.participantsPerRoom = 2
    hub.server.reload(limits: limits, opening: .anybody, advertise: ["hub.example.org:7400"], next: [])
    let late = hub.guest()
    hub.network.run(for: .seconds(1))
    #expect(guests.allSatisfy(\.isIn) && !late.isIn)
    #expect(late.losses.first?.end.status == HubRefusal.full.rawValue)
    #expect(hub.server.measures.refusals[.full] ?? 0 > 0)
    limits.participantsPerRoom = 4
    hub.server.reload(limits: limits, opening: .anybody, advertise: ["hub.example.org:7400"], next: [])
    #expect(hub.network.run(atMost: .seconds(10)) { late.isIn })
    #expect(late.client.current?.advertised == ["hub.example.org:7400"])
    #expect(hub.server.addresses == ["hub.example.org:7400"])
  }

  @Test("F76: what a hub measures adds up")
  func measures() throws {
    let hub = try HubHarness()
    let guests = hub.guests(3)
    let idle = hub.raw()
    hub.network.run(for: .milliseconds(100))
    let measures = hub.server.measures
    #expect((measures.entered, measures.unentered, measures.entries) == (3, 1, 3))
    #expect((measures.largestRoom, measures.resting, measures.endings) == (3, 0, 0))
    #expect(measures.statistics == hub.server.statistics)
    idle.stream.write(Array("POST / HTTP/1.1\r\n".utf8))
    guests[0].client.close()
    hub.network.run(for: .milliseconds(100))
    #expect(hub.server.measures.refusals == [.noise: 1])
    #expect(hub.server.measures.endings == 2 && hub.server.statistics.refused == 1)
  }
}
