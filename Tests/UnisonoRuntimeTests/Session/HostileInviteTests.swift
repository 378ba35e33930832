import Testing
import UnisonoBase
import UnisonoReplica
import UnisonoWire

@testable import UnisonoCrypto
@testable import UnisonoRuntime

@Suite("Sessions with somebody who has the invite and not the key")
struct HostileInviteTests {
  /// At a hub with the secret of a door: makes noise, and answers what it is asked with any key.
  private final class Holder {
    let guest: Guest
    private(set) var hellos = 0
    private let world: SessionWorld
    private let door: Door
    private let intro: [UInt8]
    private var lanes: UInt32 = 0
    private var read = 0

    init(in world: SessionWorld, invite: Invite) {
      self.world = world
      door = Door(invite)
      guest = Guest(on: world.network.machine(), addresses: invite.hubs, door: door)
      intro = Introduction(guest.identity, session: door.scope.session).bytes
    }

    /// The first of a lane, as who comes sends it.
    private func header(_ kind: EnvelopeHeader.Kind, _ epoch: EpochID = .none) -> EnvelopeHeader {
      lanes += 1
      return EnvelopeHeader(
        kind: kind, epoch: epoch, sender: guest.id, lane: Lane(index: lanes, random: 2), counter: 0)
    }

    private func secret() -> Secret { Secret(random: guest.machine.randomBytes) }

    func noise(_ epoch: EpochID) {
      guest.client.send(header(.ordered, epoch).bytes + guest.machine.randomBytes(256))
    }

    /// Answers each HELLO that came with a room of its own making.
    func answer() throws {
      for (envelope, _) in guest.delivered[read...] {
        let asked = try EnvelopeHeader(envelope: envelope)
        guard asked.kind == .door, let content = try? opened(envelope, asked),
          case .hello(let hello)? = try InnerMessage.decode(content)
        else { continue }
        hellos += 1
        let (chain, roster) = (secret(), [guest.id, asked.sender])
        let founding = RosterRecord.founding(
          roster: roster, policy: PolicyStack.origin, chain: chain, scope: door.scope, author: guest.identity.signing)
        let text = WelcomeText(record: founding.bytes, proof: [founding.bytes], roster: roster)
        let seal = WelcomeSeal(scope: door.scope, welcomer: guest.id, newcomer: asked.sender, hello: content)
        let sealed = try seal.seal(text, chain: chain, to: HybridPublicKey(hello.freshKey))
        let header = header(.door)
        guest.client.send(
          try Envelope.seal(
            InnerMessage.welcome(WelcomeMessage(intro: intro, sealed: sealed)).encoded, header: header, scope: door.scope,
            key: key(header), author: guest.identity.signing), to: [asked.sender])
      }
      read = guest.delivered.count
    }

    private func key(_ header: EnvelopeHeader) -> SendKey {
      SendKey(chain: door.chain, scope: door.scope, header: header)
    }

    private func opened(_ envelope: [UInt8], _ header: EnvelopeHeader) throws -> [UInt8] {
      try Envelope.open(envelope, key: key(header)).content
    }

    /// Noise for `length`, 20 a second, and an answer to whatever is asked.
    func attack(_ newest: RecordID, for length: Nanoseconds) throws {
      for round in 0..<UInt64(length / .milliseconds(50)) {
        noise(round % 3 == 0 ? newest.epoch : EpochID(high: round, low: 77))
        world.network.run(for: .milliseconds(50))
        try answer()
      }
    }
  }

  /// A command of each is there at all others within 50 ms, of which their ways take two. `then`: what goes on between them; nil: nothing.
  private func command(_ world: SessionWorld, _ players: [SessionPlayer], then: (() throws -> Void)? = nil) throws {
    for (index, player) in players.enumerated() {
      let place = ItemTime.seconds(100 * (Int64(index) + 1))
      player.do { $0.handle(.seek(to: place, resumeImmediately: false)) }
      let isThere = world.network.run(atMost: .milliseconds(50)) {
        players.allSatisfy { $0.commands.last?.itemTime == place }
      }
      #expect(isThere)
      if let then { try then() } else { world.network.run(for: .seconds(1)) }
    }
  }

  @Test("Z41 Z42: noise and answers with any key, by whoever has the invite: it is asked seldom, commands come within 50 ms")
  func invited() throws {
    let world = SessionWorld(seed: 71)
    let all = try world.joined(3, path: .lan)
    for player in all { player.do { $0.handle(.transition(to: "film", proposal: nil)) } }
    world.network.run(for: .seconds(8))
    let holder = Holder(in: world, invite: try Invite(parsing: all[0].engine.invite()))
    #expect(world.network.run(atMost: .seconds(2)) { holder.guest.isIn })
    let before = all.map(\.engine.present.channel.records.current)
    try holder.attack(#require(before[0]), for: .seconds(15))
    // Each of the three, one in 6 s.
    #expect(holder.hellos <= 12)
    for _ in 0..<3 { try command(world, all) { try holder.attack(#require(before[0]), for: .milliseconds(500)) } }
    #expect(all.map(\.engine.present.channel.records.current) == before)
    try command(world, all)
  }

  @Test("Z41 Z42: the same while a link breaks and comes back: who was away asks whom it knows, and nothing changes")
  func reconnecting() throws {
    let world = SessionWorld(seed: 72)
    let all = try world.joined(3, path: .lan, keepingStandbyHubs: false)
    for player in all { player.do { $0.handle(.transition(to: "film", proposal: nil)) } }
    let holder = Holder(in: world, invite: try Invite(parsing: all[0].engine.invite()))
    #expect(world.network.run(atMost: .seconds(2)) { holder.guest.isIn })
    let newest = try #require(all[0].engine.present.channel.records.current)
    for _ in 0..<3 {
      world.split([all[1]], [all[0]])
      world.network.run(for: .seconds(8))
      world.mend([all[1]], [all[0]])
      try holder.attack(newest, for: .seconds(10))
    }
    #expect(Set(all.map(\.engine.present.channel.records.current)) == [newest])
    try command(world, all)
  }

  @Test("Z41: who was removed comes back to the old door: its keeper asks nobody there, and the session goes on")
  func oldDoor() throws {
    let world = SessionWorld(seed: 73)
    let all = try world.joined(4, path: .lan)
    let rest = Array(all[..<3])
    for player in rest { player.do { $0.handle(.transition(to: "film", proposal: nil)) } }
    let old = try Invite(parsing: all[0].engine.invite())
    all[0].do { $0.remove(all[3].id) }
    world.network.run(for: .seconds(8))
    let former = try #require(all[0].engine.retired.first?.channel.records.current)
    let holder = Holder(in: world, invite: old)
    #expect(world.network.run(atMost: .seconds(2)) { holder.guest.isIn })
    try holder.attack(former, for: .seconds(15))
    #expect(holder.hellos == 0)
    #expect(all[0].engine.retired.first?.channel.records.current == former)
    #expect(rest.allSatisfy { $0.people.count == 3 })
    try command(world, rest)
  }
}
