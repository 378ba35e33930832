import Testing
import UnisonoCrypto
import UnisonoWire

@testable import UnisonoRuntime

@Suite("Entering a room")
struct HubEntryTests {
  @Test("whoever holds the door's key and an own one gets a seat, and everybody learns who is there")
  func entry() throws {
    let hub = try HubHarness()
    let guests = hub.guests(3)
    #expect(guests.allSatisfy { $0.entries.count == 1 })
    for guest in guests { #expect(Set(guest.members.keys) == Set(guests.map(\.id))) }
    let seat = try #require(guests[2].entries.first)
    #expect(seat.clockID == hub.server.clockID)
    #expect(seat.hubID == hub.server.hubID)
    #expect((seat.udpPort, seat.frameLimit, seat.bytesPerSecond) == (7400, 262_144, 262_144))
    #expect(seat.members.map(\.id) == guests.map(\.id).sorted())
    #expect((hub.server.statistics.connections, hub.server.statistics.rooms) == (3, 1))
  }

  @Test("members are told with the age of their seats")
  func age() throws {
    let hub = try HubHarness()
    let first = hub.guests(1)[0]
    hub.network.run(for: .seconds(100))
    let second = hub.guest()
    #expect(hub.network.run(atMost: .seconds(1)) { second.isIn })
    let ages = second.entries[0].members.map { ($0.id, $0.age) }
    #expect(ages.first { $0.0 == first.id }?.1 == 100_001)
    #expect(ages.first { $0.0 == second.id }?.1 == 0)
  }

  @Test("rooms know nothing of each other")
  func rooms() throws {
    let hub = try HubHarness()
    let (one, other) = (hub.guests(2, room: 1), hub.guests(2, room: 2))
    one[0].client.send(one[0].envelope())
    hub.network.run(for: .seconds(1))
    #expect(one[1].delivered.count == 1)
    #expect(other.allSatisfy { $0.delivered.isEmpty && $0.members.count == 2 })
    #expect(hub.server.statistics.rooms == 2)
  }

  @Test("leaving and vanishing are told apart, and an empty room is gone")
  func departures() throws {
    let hub = try HubHarness()
    let guests = hub.guests(3)
    guests[0].client.leave()
    guests[1].client.close()
    hub.network.run(for: .seconds(1))
    #expect(guests[2].departures.first { $0.id == guests[0].id }?.left == true)
    #expect(guests[2].departures.first { $0.id == guests[1].id }?.left == false)
    #expect(guests[2].members.count == 1)
    guests[2].client.leave()
    hub.network.run(for: .seconds(1))
    #expect((hub.server.statistics.rooms, hub.server.statistics.connections) == (0, 0))
  }

  @Test("the newest connection of an id replaces the older, which is told and does not come back at once")
  func replaced() throws {
    let hub = try HubHarness()
    let guests = hub.guests(2)
    let again = hub.guest(as: guests[0].identity, turns: Turns(after: 1))
    #expect(hub.network.run(atMost: .seconds(1)) { again.isIn })
    let since = hub.network.trueTime
    hub.network.run(for: .seconds(3))
    #expect(guests[0].losses.count == 1)
    #expect(guests[0].losses[0].end.status == HubRefusal.replaced.rawValue)
    #expect(try #require(guests[0].losses[0].retry) > since + .seconds(3))
    #expect(guests[1].members[again.id] == again.entries[0].connection)
    #expect(guests[1].departures.isEmpty)
    guests[1].client.send(guests[1].envelope())
    hub.network.run(for: .seconds(1))
    #expect((again.delivered.count, guests[0].delivered.count) == (1, 0))
    #expect(hub.server.statistics.connections == 2)
  }

  /// Sends OPEN, and what `answer` makes of the hub's IDENTITY; gives the peer after a second.
  private func attempt(
    _ hub: HubHarness, on machine: VirtualEnvironment? = nil, _ answer: (RawPeer) throws -> RawFrame?
  ) throws -> RawPeer {
    let peer = hub.raw(on: machine)
    peer.open()
    hub.network.run(for: .milliseconds(500))
    if peer.body(.identity) != nil, let frame = try answer(peer) {
      peer.write(frame)
      hub.network.run(for: .milliseconds(500))
    }
    return peer
  }

  @Test("Z3: with the invite but another's key nobody takes that one's seat")
  func seatSignature() throws {
    let hub = try HubHarness()
    let victim = hub.guests(1)[0]
    let thief = Identity { [UInt8](repeating: 3, count: $0) }
    let peer = try attempt(hub) { peer in
      var enter = try peer.enterFrame(as: thief)
      enter?.signingKey = victim.identity.signing.publicKey.bytes
      return enter.map { HubFrame.enter($0).raw }
    }
    #expect(peer.refusal?.status == HubRefusal.auth.rawValue)
    #expect(peer.isClosed)
    #expect(victim.isIn && victim.losses.isEmpty)
    #expect(hub.server.statistics.refused == 1)
  }

  @Test("Z4: a recorded ENTER is refused at the same hub and at another")
  func replay() throws {
    let hub = try HubHarness()
    let identity = Identity { [UInt8](repeating: 4, count: $0) }
    var recorded: RawFrame?
    let first = try attempt(hub) { peer in
      recorded = try peer.enterFrame(as: identity).map { HubFrame.enter($0).raw }
      return recorded
    }
    #expect(first.body(.entered) != nil)
    for target in [hub, try HubHarness(seed: 2)] {
      let again = try attempt(target) { _ in recorded }
      #expect(again.refusal?.status == HubRefusal.auth.rawValue)
      #expect(again.body(.entered) == nil)
    }
  }

  @Test("Z6: knowing the topic without its secret gives no seat, costs the address its tries, and disturbs nobody")
  func noSecret() throws {
    let hub = try HubHarness()
    let guests = hub.guests(2)
    let attacker = hub.network.machine()
    let topic = HubHarness.door(1).topic
    var statuses: [Int32: Int] = [:]
    for number in 0..<100 {
      let identity = Identity { [UInt8](repeating: UInt8(number), count: $0) }
      let peer = hub.raw(on: attacker)
      peer.open()
      hub.network.run(for: .milliseconds(2))
      if var enter = try peer.enterFrame(room: 2, as: identity) {
        enter.topic = topic
        peer.write(.enter(enter))
      }
      hub.network.run(for: .milliseconds(8))
      statuses[peer.refusal?.status ?? 0, default: 0] += 1
      if peer.refusal?.status == HubRefusal.full.rawValue { #expect((peer.refusal?.retry ?? 0) > 0) }
    }
    // 20 at once and 5 in the second that it takes.
    #expect((24...26).contains(statuses[HubRefusal.auth.rawValue] ?? 0))
    #expect((statuses[HubRefusal.full.rawValue] ?? 0) == 100 - (statuses[HubRefusal.auth.rawValue] ?? 0))
    guests[0].client.send(guests[0].envelope())
    hub.network.run(for: .seconds(1))
    #expect(guests[1].delivered.count == 1)
    #expect(guests.allSatisfy { $0.members.count == 2 })
  }

  @Test("all failures of entry look alike")
  func alike() throws {
    let hub = try HubHarness()
    let identity = Identity { [UInt8](repeating: 5, count: $0) }
    var answers: Set<[UInt8]> = []
    let changes: [(inout EnterFrame) -> Void] = [
      { $0.enterSignature?[0] ^= 1 }, { $0.seatSignature[63] ^= 1 },
      { $0.signingKey = [UInt8](repeating: 0, count: 32) }, { $0.topic = [1] + [UInt8](repeating: 0, count: 31) },
      { $0.topic[5] ^= 1 },
    ]
    for change in changes {
      let peer = try attempt(hub) { peer in
        guard var frame = try peer.enterFrame(as: identity) else { return nil }
        change(&frame)
        return HubFrame.enter(frame).raw
      }
      answers.insert(peer.frames.last.map(\.encoded) ?? [])
      #expect(peer.isClosed)
    }
    let garbage = try attempt(hub) { _ in RawFrame(type: 3, body: [1, 2, 3]) }
    answers.insert(garbage.frames.last.map(\.encoded) ?? [])
    let other = try attempt(hub) { _ in HubFrame.ping(1).raw }
    answers.insert(other.frames.last.map(\.encoded) ?? [])
    #expect(answers.count == 1)
    let one = try #require(answers.first.map { Array($0.dropFirst(5)) })
    #expect(try RefusedFrame(body: one).status == HubRefusal.auth.rawValue)
  }

  @Test("a client without a common version is told so")
  func version() throws {
    let hub = try HubHarness()
    let peer = hub.raw()
    var open = ClientHandshake(random: peer.machine.randomBytes).open
    open.lowestVersion = 3
    open.highestVersion = 9
    peer.stream.write(HubFrame.open(open).encoded)
    hub.network.run(for: .seconds(1))
    #expect(peer.refusal?.status == HubRefusal.version.rawValue)
    #expect(peer.isClosed)
  }

  @Test("a full room, a full hub and an address with too many connections are told as such")
  func full() throws {
    var limits = HubLimits()
    limits.participantsPerRoom = 2
    limits.connections = 3
    let hub = try HubHarness(limits: limits)
    _ = hub.guests(2)
    let third = hub.guest()
    #expect(hub.network.run(atMost: .seconds(1)) { !third.losses.isEmpty })
    #expect(third.losses[0].end.status == HubRefusal.full.rawValue)
    #expect(third.losses[0].retry != nil)
    third.client.close()
    let elsewhere = hub.guest(room: 2)
    #expect(hub.network.run(atMost: .seconds(1)) { elsewhere.isIn })
    let late = hub.guest(room: 3)
    #expect(hub.network.run(atMost: .seconds(1)) { !late.losses.isEmpty })
    #expect(late.losses[0].end.status == HubRefusal.full.rawValue)
    elsewhere.client.leave()
    #expect(hub.network.run(atMost: .seconds(15)) { late.isIn })
  }

  @Test("2.10: who only looks is shown who is in the room; nobody there notices, and its connection is over")
  func look() throws {
    let hub = try HubHarness()
    let guests = hub.guests(2)
    let before = guests.map { $0.members.count }
    for room in [1, 2] as [UInt8] {
      var seen: [RoomEntry] = []
      var ended = 0
      let link = HubLink(
        environment: hub.network.machine(), address: hub.address,
        credentials: RoomCredentials(
          access: .member(of: HubHarness.door(room)), identity: Identity(random: hub.machine.randomBytes), turns: Turns()),
        patience: .seconds(3), peekOnly: true,
        events: HubLink.Events(
          proven: { _ in true }, entered: { seen.append($0) }, presence: { _, _ in }, delivered: { _ in },
          probed: { _ in }, drained: {}, ending: { _ in }, ended: { _ in ended += 1 }))
      hub.network.run(for: .seconds(1))
      #expect(seen.count == 1 && ended == 1)
      #expect(seen.first?.members.map(\.id).sorted() == (room == 1 ? guests.map(\.id).sorted() : []))
      withExtendedLifetime(link) {}
    }
    #expect(guests.map { $0.members.count } == before && guests.allSatisfy { $0.departures.isEmpty })
    #expect(hub.server.statistics.connections == 2 && hub.server.statistics.rooms == 1)
  }
}
