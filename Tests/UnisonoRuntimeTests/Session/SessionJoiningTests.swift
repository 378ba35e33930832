import Testing
import UnisonoBase
import UnisonoCrypto
import UnisonoReplica

@testable import UnisonoRuntime

@Suite("A session from invite to joined")
struct SessionJoiningTests {
  @Test("S1: a session that waits knows the activity and the others, and is no participant yet")
  func waiting() throws {
    let world = SessionWorld()
    let host = try world.host()
    host.do { $0.join() }
    let guest = try world.guest(of: host)
    #expect(world.network.run(atMost: .seconds(3)) { guest.engine.view.activity == SessionWorld.activity })
    world.network.run(for: .seconds(2))
    #expect(guest.activities == [SessionWorld.activity])
    #expect(guest.engine.state.status == .waiting)
    #expect(guest.engine.state.connection == .connected)
    #expect(guest.changes.isEmpty)
    // The host sees it coming: it holds the keys.
    let seen = host.engine.view.participants.first { $0.id == guest.id }
    #expect(seen?.connection == .connecting)
    #expect(seen?.displayName == "")
  }

  @Test("join makes JOINED of both; each lists both, first as a whole")
  func joining() throws {
    let world = SessionWorld()
    let all = try world.joined()
    for player in all {
      #expect(player.isJoined)
      #expect(player.people == ["Ann", "Ben1"])
      #expect(player.changes.first?.isComplete == true)
      #expect(player.changes.dropFirst().allSatisfy { !$0.isComplete })
      #expect(player.states.filter { $0.status == .joined && $0.connection == .connected && !$0.isAlone }.count == 1)
      #expect(player.states.last?.hub?.isOwn == (player === all[0]))
      #expect(player.engine.view.participants.first { $0.isLocal }?.id == player.id)
    }
    #expect(all[1].engine.view.participants.first { $0.id == all[0].id }?.deviceName == "Ann's device")
  }

  @Test("in a quiet session nothing is refused, and the counters of one are those of the other")
  func counters() throws {
    let world = SessionWorld()
    let all = try world.joined()
    let before = all.map { $0.engine.statistics }
    world.network.run(for: .seconds(30))
    for player in all { #expect(player.engine.statistics.messagesRefused == 0) }
    let (host, guest) = (all[0].engine.statistics, all[1].engine.statistics)
    #expect(host.messagesSent - before[0].messagesSent == guest.messagesReceived - before[1].messagesReceived)
    #expect(guest.messagesSent - before[1].messagesSent == host.messagesReceived - before[0].messagesReceived)
    #expect(host.bytesSent - before[0].bytesSent == guest.bytesReceived - before[1].bytesReceived)
    #expect(host.messagesSent > before[0].messagesSent + 5)
    #expect(guest.probesSent >= 16)
    // The path loses one datagram in a hundred, either way.
    #expect(guest.probesReceived * 20 >= guest.probesSent * 19, "\(guest.probesReceived) of \(guest.probesSent)")
    #expect(guest.reconnects == 0 && guest.hubChanges == 0)
    let trip = try #require(guest.roundTrip)
    #expect((.milliseconds(34)...(.milliseconds(46))).contains(trip))
    #expect(host.roundTrip == 0 && host.probesSent == 0)
  }

  @Test("the clock is synchronised within its bound, and within 2 ms, over 20 ms with jitter, offset and drift")
  func clock() throws {
    let world = SessionWorld()
    let all = try world.joined()
    for _ in 0..<60 {
      world.network.run(for: .seconds(1))
      let now = world.network.trueTime
      #expect(all[1].engine.clockStatus == .synchronized)
      let own = try #require(all[0].groupTime(at: now))
      let guest = try #require(all[1].groupTime(at: now))
      let error = try #require(all[1].engine.groupClock?.error(at: all[1].machine.hostTime(at: now)))
      #expect(abs(own - guest) <= error)
      #expect(abs(own - guest) <= .milliseconds(2))
    }
  }

  @Test("before join nothing of a session is published; its clock runs all the same")
  func clockWhileWaiting() throws {
    let world = SessionWorld()
    let host = try world.host()
    let guest = try world.guest(of: host)
    #expect(world.network.run(atMost: .seconds(3)) { guest.engine.clockStatus == .synchronized })
    #expect(world.network.run(atMost: .seconds(3)) { guest.engine.groupClock != nil })
    #expect(host.engine.groupClock != nil)
    #expect(!guest.isJoined && !host.isJoined)
  }

  @Test("an invite with another secret: the session is invalidated with authentication")
  func wrongSecret() throws {
    let world = SessionWorld()
    let host = try world.host()
    host.do { $0.join() }
    let guest = try world.guest(of: host) { invite in
      let other = Secret { [UInt8](repeating: 7, count: $0) }
      if let wrong = try? Invite(origin: invite.origin, door: other, hubs: invite.hubs) { invite = wrong }
    }
    guest.do { $0.join() }
    #expect(world.network.run(atMost: .seconds(5)) { guest.engine.state.status == .invalidated })
    #expect(guest.states.last?.reason == .authentication)
    #expect(guest.states.last?.message.isEmpty == false)
    world.network.run(for: .seconds(1))
    #expect(host.engine.view.participants.count == 1)
    #expect(host.engine.statistics.messagesReceived == 0)
  }

  @Test("an invite that names another hub: the session keeps trying, and says why it does not get in")
  func wrongHub() throws {
    let world = SessionWorld()
    let host = try world.host()
    let guest = try world.guest(of: host) { invite in
      let hubs = invite.hubs.map { HubAddress(address: $0.address, hub: [UInt8](repeating: 1, count: 16)) }
      if let wrong = try? Invite(origin: invite.origin, door: invite.door, hubs: hubs) { invite = wrong }
    }
    world.network.run(for: .seconds(2))
    #expect(guest.engine.state.status == .waiting)
    #expect(
      guest.states.contains { $0.connection == .connecting && $0.reason == .authentication && !$0.message.isEmpty })
    // F83: and that each of its addresses leads elsewhere, for a minute.
    let named = guest.engine.hubs.directory.invited.map(\.address)
    #expect(Set(guest.hubDoubts.map(\.hub)) == Set(named) && guest.hubDoubts.count == named.count)
    #expect(guest.hubDoubts.allSatisfy { $0.reason == .identity && !$0.isOver })
    let ends = guest.hubDoubts.compactMap(\.until).map { $0 - guest.machine.now }
    #expect(ends.count == named.count && ends.allSatisfy { (.seconds(57)...(.seconds(60))).contains($0) })
  }

  @Test("a hub that cannot be reached: connecting, with words; at a hub without the group: still connecting, and why")
  func unreachable() throws {
    let world = SessionWorld()
    let machine = world.network.machine()
    let hubMachine = world.network.machine()
    var dice = SplitMix64(seed: 5)
    let key = SigningKey(seed: Secret { [UInt8](repeating: 8, count: $0) })
    let invite = try Invite(
      origin: Origin(root: ParticipantID(high: 1, low: 1), controlPolicy: 0, joinerRole: 2),
      door: Secret { (0..<$0).map { _ in UInt8.random(in: 0...255, using: &dice) } },
      hubs: [HubAddress(address: "\(hubMachine.host):7400", hub: key.publicKey.hashedID)])
    let guest = try world.add(machine, "Ben", .invited(invite))
    world.network.run(for: .seconds(3))
    #expect(guest.engine.state.status == .waiting)
    #expect(guest.engine.state.connection == .connecting)
    #expect(guest.engine.state.reason == .network)
    #expect(guest.engine.state.message.contains("refused"))
    #expect(guest.states.count == 1)
    let server = try HubServer(
      environment: hubMachine, options: HubOptions(listen: ["0.0.0.0:7400"]), identity: key)
    #expect(world.network.run(atMost: .seconds(15)) { guest.engine.state.reason == .nobodyThere })
    #expect(guest.engine.state.hub == HubInUse(address: "\(hubMachine.host):7400", isOwn: false))
    #expect(server.statistics.rooms == 1)
    // Nobody of the group is there, and it does not take itself for the group.
    guest.do { $0.join() }
    world.network.run(for: .seconds(30))
    #expect(guest.engine.state.status == .waiting && guest.engine.state.connection == .connecting)
    #expect(guest.engine.state.isAlone)
  }

  @Test("F45: invites to a session at a hub lead to what the hub advertises first, and to where its host found it")
  func advertisedHub() throws {
    let world = SessionWorld(seed: 8)
    let hubMachine = world.network.machine()
    let near = "\(hubMachine.host):7400"
    let far = ["play.example.org:7400", "[2001:db8::7]:7400"]
    let hub = try HubServer(environment: hubMachine, options: HubOptions(listen: ["0.0.0.0:7400"], advertise: far))
    let host = try world.host(hub: hub.address(on: hubMachine))
    #expect(try Invite(parsing: host.engine.invite()).hubs.map(\.address) == [near], "nothing is known of the hub yet")
    host.do { $0.join() }
    #expect(world.network.run(atMost: .seconds(5)) { host.isJoined })
    world.network.run(for: .seconds(1))
    let listed = try Invite(parsing: host.engine.invite()).hubs
    #expect(listed.first?.address == far[0])
    // Of each hub one address comes before anybody's second.
    #expect(Set(far + [near]).isSubset(of: listed.map(\.address)))
    #expect(listed.filter { far.contains($0.address) }.allSatisfy { $0.hub == hub.hubID })
    let guest = try world.guest(of: host)
    guest.do { $0.join() }
    #expect(world.network.run(atMost: .seconds(30)) { guest.isJoined })
    #expect(try Invite(parsing: guest.engine.invite()).hubs.first?.address == far[0], "who came by it hands it on")
  }

  @Test("Z94: every address in an invite, of a hub of its own and of participants' hubs, has the hash of that hub's key behind it")
  func namedHubs() throws {
    let world = SessionWorld(seed: 94)
    let machine = world.network.machine()
    let hub = try HubServer(
      environment: machine, options: HubOptions(listen: ["0.0.0.0:7400"], advertise: ["play.example.org:7400", "[2001:db8::7]:7400"]))
    let all = try world.joined(4, path: .lan, hub: hub.address(on: machine))
    world.network.run(for: .seconds(10))
    let own = all.compactMap { $0.engine.hub?.hubID }
    #expect(own.count == 4)
    for player in all {
      let text = try player.engine.invite()
      let invite = try Invite(parsing: text)
      #expect(invite.hubs.count > 4 && invite.hubs.allSatisfy { $0.hub == hub.hubID || own.contains($0.hub) })
      // As it stands there: without what is behind an address all of it is refused.
      let parts = text.dropFirst("unisono://".count).split(separator: "/")
      let ids = parts.indices.filter { parts[$0].count == 26 }
      #expect(ids.count == invite.hubs.count)
      for id in ids {
        let others = parts.indices.filter { $0 != id }.map { parts[$0] }
        #expect(throws: InviteError.self) { try Invite(parsing: "unisono://" + others.joined(separator: "/")) }
      }
    }
  }

  @Test("five guests who come at once are all joined, and all list all")
  func manyAtOnce() throws {
    let world = SessionWorld(seed: 4)
    let all = try world.joined(6)
    for player in all {
      #expect(player.isJoined)
      #expect(player.people.count == 6)
      #expect(player.engine.statistics.messagesRefused == 0, "\(player.logs)")
    }
  }

  @Test("an activity that is changed reaches all")
  func activityChanges() throws {
    let world = SessionWorld()
    let all = try world.joined()
    let next = Activity(
      type: 2, identifier: "org.example.album", title: "Album", payload: [UInt8](repeating: 9, count: 60_000))
    all[1].do { $0.handle(.setActivity(next)) }
    #expect(world.network.run(atMost: .seconds(1)) { all[0].engine.view.activity == next })
    #expect(all[0].activities.last == .some(next))
  }
}
