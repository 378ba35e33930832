import Testing
import UnisonoBase
import UnisonoCrypto
import UnisonoReplica
import UnisonoWire

@testable import UnisonoRuntime

@Suite("A client and its hubs")
struct HubClientTests {
  @Test("probes tell the hub's time over UDP, true within half the round trip")
  func probes() throws {
    let hub = try HubHarness()
    let machine = hub.network.machine(clockOffset: .seconds(5), clockDrift: 30e-6)
    hub.network.setPath(hub.machine, machine, VirtualPath(delay: .milliseconds(20), jitter: .milliseconds(5)))
    let guest = hub.guest(on: machine)
    #expect(hub.network.run(atMost: .seconds(2)) { guest.isIn })
    for _ in 0..<10 {
      guest.client.probe(.datagram)
      hub.network.run(for: .milliseconds(200))
    }
    #expect(guest.samples.count == 10)
    #expect(guest.samples.allSatisfy { $0.isDatagram })
    let offsets = guest.samples.map { ($0.t2 + $0.t3 - $0.t1 - $0.t4) / 2 }
    let trips = guest.samples.map { $0.t4 - $0.t1 - ($0.t3 - $0.t2) }
    #expect(trips.allSatisfy { (.milliseconds(29)...(.milliseconds(51))).contains($0) })
    // One true offset lies within half the round trip of each, but for 2 s of drift.
    let lowest = zip(offsets, trips).map { $0 - $1 / 2 }.max() ?? 0
    let highest = zip(offsets, trips).map { $0 + $1 / 2 }.min() ?? 0
    #expect(lowest <= highest + .microseconds(60))
    #expect(Set(offsets).count > 1)
    #expect(hub.server.statistics.probes == 10)
  }

  @Test("where UDP is blocked only what went in the stream is answered")
  func blockedDatagrams() throws {
    let hub = try HubHarness()
    let machine = hub.network.machine()
    let guest = hub.guest(on: machine)
    #expect(hub.network.run(atMost: .seconds(2)) { guest.isIn })
    hub.network.setPath(hub.machine, machine, VirtualPath(delay: .milliseconds(5), loss: 1))
    for ways in [ProbeWays.datagram, .stream, [.datagram, .stream], []] {
      guest.client.probe(ways)
      hub.network.run(for: .milliseconds(200))
    }
    #expect(guest.samples.map(\.way) == [.stream, .stream])
    hub.network.setPath(hub.machine, machine, VirtualPath(delay: .milliseconds(5)))
    guest.client.probe([.datagram, .stream])
    hub.network.run(for: .milliseconds(200))
    #expect(Set(guest.samples.dropFirst(2).map(\.isDatagram)) == [true, false])
  }

  @Test("F60: what was asked before this machine slept is not answered after it")
  func forgottenProbes() throws {
    let hub = try HubHarness()
    let guest = hub.guest()
    #expect(hub.network.run(atMost: .seconds(2)) { guest.isIn })
    guest.client.probe([.datagram, .stream])
    guest.client.forgetProbes()
    hub.network.run(for: .milliseconds(200))
    #expect(hub.server.statistics.probes == 2)
    #expect(guest.samples.isEmpty)
    guest.client.probe(.datagram)
    hub.network.run(for: .milliseconds(200))
    #expect(guest.samples.count == 1)
  }

  @Test("Z33: forged, bent and repeated answers are no samples")
  func forgedAnswers() {
    let code = ProbeMAC(key: Secret { [UInt8](repeating: 1, count: $0) })
    let ledger = Box(ProbeLedger(token: 7, code: code))
    let ask = ledger { $0.ask(isDatagram: true, opaque: 5, now: 100) }
    #expect(code.verifies(ask))
    var answer = ProbePacket(kind: .answer, token: 7, number: ask.number, opaque: 5, received: 1, sent: 2)
    #expect(ledger { $0.answer(answer, isDatagram: true, at: 200) } == nil)
    for change in [
      { $0.token = 8 }, { $0.number = 9 }, { $0.opaque = 6 }, { $0.kind = .ask },
    ] as [(inout ProbePacket) -> Void] {
      var bent = answer
      change(&bent)
      #expect(ledger { $0.answer(code.signed(bent), isDatagram: true, at: 200) } == nil)
    }
    answer = code.signed(answer)
    #expect(ledger { $0.answer(answer, isDatagram: false, at: 200) } == nil)
    let sample = ProbeSample(t1: 100, t4: 200, t2: 1, t3: 2, isDatagram: true)
    #expect(ledger { $0.answer(answer, isDatagram: true, at: 200) } == sample)
    #expect(ledger { $0.answer(answer, isDatagram: true, at: 300) } == nil)
  }

  @Test("a broken link comes back by itself, with a new connection number and the same id")
  func reconnect() throws {
    let hub = try HubHarness()
    let guests = hub.guests(2)
    hub.network.breakStreams(guests[0].machine, hub.machine)
    hub.network.run(for: .milliseconds(50))
    #expect(!guests[0].isIn)
    #expect(guests[1].members.count == 1)
    #expect(hub.network.run(atMost: .milliseconds(500)) { guests[0].isIn })
    #expect(guests[0].entries.count == 2)
    #expect(guests[0].entries[0].connection < guests[0].entries[1].connection)
    hub.network.run(for: .milliseconds(50))
    #expect(guests[1].members[guests[0].id] == guests[0].entries[1].connection)
    let retry = try #require(guests[0].losses.first?.retry)
    #expect(retry > hub.machine.now - .seconds(1))
  }

  @Test("the own connection that the hub has not noticed as dead is replaced by the next")
  func reconnectBeforeNoticed() throws {
    let hub = try HubHarness()
    let guests = hub.guests(2)
    hub.network.cut(guests[0].machine, hub.machine)
    hub.network.run(for: .seconds(14))
    guests[0].client.close()
    // As who goes on with a session does.
    let again = hub.guest(on: guests[0].machine, as: guests[0].identity, turns: Turns(after: 65_536))
    hub.network.heal(guests[0].machine, hub.machine)
    #expect(hub.network.run(atMost: .seconds(12)) { again.isIn })
    hub.network.run(for: .seconds(20))
    #expect(again.isIn && again.losses.isEmpty)
    #expect(guests[1].members[again.id] == again.entries.last?.connection)
  }

  @Test(
    "F14: two addresses of one hub: it is entered once, whatever the path; nobody is told to be replaced",
    arguments: [1, 50, 100, 140, 150, 160, 180, 200, 250, 300, 400] as [Int64])
  func rivals(delay: Int64) throws {
    let hub = try HubHarness()
    let machine = hub.network.machine()
    // Over a slow path the second way is begun before the first one leads in.
    hub.network.setPath(hub.machine, machine, VirtualPath(delay: .milliseconds(delay)))
    let guest = Guest(on: machine, addresses: twoWays(to: hub), door: HubHarness.door())
    hub.network.run(for: .seconds(60))
    #expect(guest.isIn && guest.entries.count == 1)
    #expect(guest.losses.isEmpty)
  }

  @Test("F14, N2: an ENTER of a way that was given up comes late: it is the older one, and ends nothing")
  func lateEntry() throws {
    let hub = try HubHarness()
    let machine = hub.network.machine()
    let other = hub.guests(1)[0]
    let guest = Guest(on: machine, addresses: twoWays(to: hub), door: HubHarness.door())
    // The answer to CHALLENGE, which comes after 800 µs, is on its way for longer than anybody waits.
    hub.network.run(for: .microseconds(700))
    hub.network.setPath(from: machine, to: hub.machine, VirtualPath(delay: .milliseconds(3_500)))
    hub.network.run(for: .microseconds(300))
    hub.network.setPath(hub.machine, machine, VirtualPath())
    #expect(hub.network.run(atMost: .milliseconds(3_400)) { guest.isIn })
    hub.network.run(for: .seconds(60))
    #expect(guest.isIn && guest.entries.count == 1)
    #expect(guest.entries.first?.connection == 2)
    #expect(other.members[guest.id] == 2 && other.departures.isEmpty)
    for loss in guest.losses { #expect(loss.end.outcome == .failed && loss.retry != nil, "\(loss.end)") }
  }

  /// Two addresses of one hub, as an IPv4 and an IPv6 one are.
  private func twoWays(to hub: HubHarness) -> [HubAddress] {
    hub.network.names["other"] = hub.machine
    return [hub.address.address, "other:7400"].map { HubAddress(address: $0, hub: hub.server.hubID) }
  }

  @Test("a hub that is gone is left for the next in the list")
  func nextHub() throws {
    let network = VirtualNetwork()
    let machines = (0..<3).map { _ in network.machine() }
    let servers = try machines.map {
      try HubServer(environment: $0, options: HubOptions(listen: ["0.0.0.0:7400"]))
    }
    let addresses = zip(servers, machines).map { $0.address(on: $1) }
    let guest = Guest(on: network.machine(), addresses: addresses, door: HubHarness.door())
    #expect(network.run(atMost: .seconds(1)) { guest.isIn })
    machines[0].crash()
    // The first is asked again, for 3 s, then the second.
    #expect(network.run(atMost: .seconds(4)) { guest.entries.count == 2 })
    #expect(guest.entries.last?.clockID == servers[1].clockID)
    // Without power there is not even a reset: 15 s of silence come before that.
    machines[1].crash(silently: true)
    #expect(network.run(atMost: .seconds(20)) { guest.entries.count == 3 })
    #expect(guest.entries.last?.clockID == servers[2].clockID)
  }

  @Test("hubs that become known later are used after a loss, the present one first; without any it waits for the first")
  func laterHubs() throws {
    let network = VirtualNetwork()
    let machines = (0..<2).map { _ in network.machine() }
    let servers = try machines.map {
      try HubServer(environment: $0, options: HubOptions(listen: ["0.0.0.0:7400"]))
    }
    let addresses = zip(servers, machines).map { $0.address(on: $1) }
    let guest = Guest(on: network.machine(), addresses: [], door: HubHarness.door())
    network.run(for: .seconds(5))
    guest.client.setAddresses([addresses[1]])
    #expect(network.run(atMost: .seconds(1)) { guest.isIn })
    guest.client.setAddresses(addresses)
    network.run(for: .seconds(5))
    network.breakStreams(guest.machine, machines[1])
    #expect(network.run(atMost: .seconds(1)) { guest.entries.count == 2 })
    #expect(guest.entries.map(\.clockID) == [servers[1].clockID, servers[1].clockID])
    servers[1].close()
    #expect(network.run(atMost: .seconds(1)) { guest.entries.count == 3 })
    #expect(guest.entries.last?.clockID == servers[0].clockID)
  }

  @Test("F83: a hub in doubt is not asked first when its link breaks, but after all others; there where no other is")
  func doubtedHub() throws {
    let network = VirtualNetwork()
    let machines = (0..<2).map { _ in network.machine() }
    let servers = try machines.map { try HubServer(environment: $0, options: HubOptions(listen: ["0.0.0.0:7400"])) }
    let addresses = zip(servers, machines).map { $0.address(on: $1) }
    let guest = Guest(on: network.machine(), addresses: [addresses[0]], door: HubHarness.door())
    #expect(network.run(atMost: .seconds(1)) { guest.isIn })
    var doubted = HubCandidate(addresses[0])
    doubted.isDoubted = true
    guest.client.setCandidates([HubCandidate(addresses[1]), doubted])
    network.run(for: .seconds(5))
    #expect(guest.entries.count == 1)
    network.breakStreams(guest.machine, machines[0])
    #expect(network.run(atMost: .seconds(1)) { guest.entries.count == 2 })
    #expect(guest.entries.last?.clockID == servers[1].clockID)
    servers[1].close()
    #expect(network.run(atMost: .seconds(5)) { guest.entries.count == 3 })
    #expect(guest.entries.last?.clockID == servers[0].clockID)
  }

  @Test("J16: who moves to where more of the group are says so before it leaves those who are with it")
  func moves() throws {
    let network = VirtualNetwork()
    let machines = (0..<2).map { _ in network.machine() }
    let servers = try machines.map { try HubServer(environment: $0, options: HubOptions(listen: ["0.0.0.0:7400"])) }
    let addresses = zip(servers, machines).map { $0.address(on: $1) }
    func guests(_ count: Int, at hub: Int) -> [Guest] {
      (0..<count).map { _ in Guest(on: network.machine(), addresses: [addresses[hub]], door: HubHarness.door()) }
    }
    let (few, many) = (guests(2, at: 0), guests(3, at: 1))
    let all = few + many
    #expect(network.run(atMost: .seconds(2)) { all.allSatisfy(\.isIn) })
    let group = HubGroup(isNewcomer: false, known: Set(all.map(\.id)))
    few[0].client.setAddresses(addresses)
    few[0].client.setGroup(group)
    #expect(network.run(atMost: .seconds(3)) { few[0].entries.count == 2 })
    #expect(few[0].moves.map(\.hub) == [addresses[1]] && few[0].moves.map(\.entries) == [1])
    // The last one leaves nobody behind.
    few[1].client.setAddresses(addresses)
    few[1].client.setGroup(group)
    #expect(network.run(atMost: .seconds(3)) { few[1].entries.count == 2 })
    #expect(few[1].moves.isEmpty)
  }

  @Test("Z5: with a known hub id another hub is refused, also one that relays the right one's words")
  func wrongHub() throws {
    let network = VirtualNetwork()
    let (right, wrong) = (network.machine(), network.machine())
    let key = SigningKey(seed: Secret { [UInt8](repeating: 8, count: $0) })
    let hub = try HubServer(environment: right, options: HubOptions(listen: ["0.0.0.0:7400"]), identity: key)
    let other = try HubServer(environment: wrong, options: HubOptions(listen: ["0.0.0.0:7400"]))
    let guest = Guest(
      on: network.machine(),
      addresses: [
        HubAddress(address: "\(wrong.host):7400", hub: hub.hubID),
        HubAddress(address: "\(right.host):7400", hub: hub.hubID),
      ], door: HubHarness.door())
    #expect(network.run(atMost: .seconds(1)) { guest.isIn })
    #expect(guest.entries[0].hubID == hub.hubID)
    #expect(guest.losses.map(\.end.status) == [HubRefusal.auth.rawValue])
    #expect(other.statistics.rooms == 0)

    // A hub that shows the right one's key cannot sign for it.
    let liar = network.machine()
    var shown: [RawFrame] = []
    let listener = try ScriptedHub(on: liar, identity: SigningKey(seed: Secret { [UInt8](repeating: 3, count: $0) })) {
      identity in
      var forged = identity
      forged.hubKey = key.publicKey.bytes
      return [HubFrame.identity(forged)]
    } received: { shown.append($0) }
    let victim = Guest(
      on: network.machine(), addresses: [HubAddress(address: "\(liar.host):7400", hub: hub.hubID)],
      door: HubHarness.door())
    #expect(network.run(atMost: .seconds(1)) { !victim.losses.isEmpty })
    #expect(victim.losses[0].end.status == HubRefusal.auth.rawValue)
    #expect(shown.isEmpty, "Z63: the room's name is told to no other hub")
    withExtendedLifetime(listener) {}
  }

  @Test("refused for good by the only hub before it was ever in: the owner is told and nothing is tried again")
  func fatal() throws {
    let network = VirtualNetwork()
    let machine = network.machine()
    let identity = SigningKey(seed: Secret { [UInt8](repeating: 3, count: $0) })
    let hub = try ScriptedHub(on: machine, identity: identity) {
      [.identity($0), .refused(RefusedFrame(status: -109, text: "not admitted"))]
    }
    let guest = Guest(on: network.machine(), addresses: [hub.address], door: HubHarness.door())
    network.run(for: .seconds(60))
    #expect(hub.attempts == 1)
    #expect(guest.losses.count == 1)
    #expect(guest.losses[0].end == .refused(status: -109, text: "not admitted", retry: nil))
    #expect(guest.losses[0].retry == nil)
  }

  @Test("what answers at the address is not a hub: no crash, no end, another try with ever longer waits")
  func notAHub() throws {
    var generator = SplitMix64(seed: 5)
    let network = VirtualNetwork()
    let machine = network.machine()
    var attempts = 0
    let listener = try machine.listen(on: "0.0.0.0:7400") { stream in
      attempts += 1
      return StreamEvents(
        received: { _ in
          let count = Int.random(in: 1...300, using: &generator)
          switch attempts % 4 {
          case 0: stream.write(Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8))
          case 1: stream.write((0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) })
          case 2: stream.write(HubFrame.ping(1).encoded)
          default: stream.close()
          }
        }, closed: { _ in })
    }
    let guest = Guest(
      on: network.machine(), addresses: [HubAddress(unmet: "\(machine.host):7400")],
      door: HubHarness.door())
    network.run(for: .seconds(120))
    #expect((8...60).contains(attempts))
    #expect(guest.losses.count >= attempts - 1)
    #expect(guest.losses.allSatisfy { $0.retry != nil })
    #expect(guest.entries.isEmpty)
    withExtendedLifetime(listener) {}
  }

  @Test("F39: no hub for six hours: the attempts go on, ten seconds apart or so, and of two clients never in step")
  func forEver() throws {
    let network = VirtualNetwork(seed: 12)
    let machine = network.machine()
    var attempts: [String: [Int64]] = [:]
    let listener = try machine.listen(on: "0.0.0.0:7400") { stream in
      attempts[stream.peer.host, default: []].append(network.trueTime)
      stream.close()
      return StreamEvents(received: { _ in }, closed: { _ in })
    }
    let clients = (0..<2).map { _ in
      Guest(
        on: network.machine(), addresses: [HubAddress(unmet: "\(machine.host):7400")],
        door: HubHarness.door())
    }
    network.run(for: .seconds(6 * 3_600))
    #expect(attempts.count == 2)
    for times in attempts.values {
      let gaps = zip(times.dropFirst(), times).map { $0 - $1 }.dropFirst(10)
      #expect(gaps.allSatisfy { $0 > .milliseconds(7_400) && $0 < .milliseconds(10_100) })
      // The dice are thrown each time.
      #expect(Set(gaps.map { $0 / .milliseconds(10) }).count > 50)
      #expect(try #require(times.last) > network.trueTime - .seconds(11))
    }
    let phases = attempts.values.map { times in Set(times.dropFirst(10).map { $0 / .milliseconds(100) }) }
    #expect(phases[0].intersection(phases[1]).count < phases[0].count / 10)
    #expect(clients.allSatisfy { !$0.isIn && $0.losses.allSatisfy { $0.retry != nil } })
    withExtendedLifetime(listener) {}
  }

  @Test("nothing is told after closing, whatever was under way")
  func closed() throws {
    let hub = try HubHarness()
    let guests = hub.guests(2)
    let early = hub.guest()
    hub.network.run(for: .microseconds(500))
    early.client.close()
    guests[0].client.leave()
    hub.network.run(for: .seconds(30))
    #expect(early.entries.isEmpty && early.losses.isEmpty)
    #expect(guests[0].losses.isEmpty)
    #expect(!guests[0].client.send(guests[0].envelope()))
    #expect(guests[1].members.count == 1)
    #expect(hub.server.statistics.connections == 1)
  }
}
