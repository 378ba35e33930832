import Testing
import UnisonoReplica
import UnisonoWire

@testable import UnisonoCrypto

@Suite("Re-keying in a room")
struct RoomRekeyTests {
  private func secrets(_ world: RoomWorld, by node: RoomWorld.Node, without out: RoomWorld.Node) -> RoomSecrets {
    node.room.makeRoom(without: [out.id], basis: PolicyStack.origin, now: world.now)
  }

  @Test("Z17: a re-key is handed to all but the removed one, which opens nothing of it")
  func handedOver() throws {
    let world = RoomWorld(seed: 11)
    let room = world.room(of: 4)
    let secrets = secrets(world, by: room[0], without: room[3])
    room[0].room.setPolicy(levels: [try world.removal(of: room[3], by: room[0], to: secrets)])
    world.rekey(room[0], secrets)
    world.run(.seconds(1))
    for node in room[1...2] {
      #expect(node.moves.map(\.secrets) == [secrets] && node.moves.first?.isLate == false)
    }
    #expect(room[3].moves.isEmpty)
  }

  @Test("6.6: secrets that are not those that the owner signed for are refused, whoever hands them over")
  func otherSecrets() throws {
    let world = RoomWorld(seed: 12)
    let room = world.room(of: 4)
    let (right, wrong) = (secrets(world, by: room[0], without: room[3]), secrets(world, by: room[0], without: room[3]))
    let level = try world.removal(of: room[3], by: room[0], to: right)
    room[0].room.setPolicy(levels: [level])
    room[1].room.setPolicy(levels: [level])
    world.rekey(room[0], wrong)
    world.run(.seconds(1))
    #expect(room[2].moves.isEmpty && room[2].refused(.rekey) == 1)
    // Any member may carry the right ones.
    world.rekey(room[1], right)
    world.run(.seconds(1))
    #expect(room[2].moves.map(\.secrets) == [right])
  }

  @Test("Z18, 6.8: the doorkeeper tells who was away lately, and neither the removed one nor a stranger")
  func doorkeeper() throws {
    let world = RoomWorld(seed: 13)
    let room = world.room(of: 4)
    let (owner, away, out) = (room[0], room[1], room[2])
    world.cut(away)
    world.cut(out)
    world.run(.seconds(60))
    let secrets = secrets(world, by: owner, without: out)
    owner.room.setPolicy(levels: [try world.removal(of: out, by: owner, to: secrets)])
    owner.room.retire(keeping: secrets)
    room[3].room.retire(keeping: nil)
    world.enter(away)
    world.enter(out)
    world.run(.seconds(15))
    #expect(away.moves.map(\.secrets) == [secrets] && away.moves.first?.isLate == true)
    #expect(out.moves.isEmpty)
    world.cut(away)
    world.cut(out)
    let stranger = world.add()
    world.enter(stranger)
    world.run(.seconds(15))
    #expect(stranger.moves.isEmpty && stranger.secured == 0 && stranger.unanswered == 0)
    world.run(.seconds(10))
    #expect(stranger.secured == 0 && stranger.unanswered == 1)
  }

  @Test("Z18: who was away for longer than ten minutes gets no answer either")
  func tooLate() throws {
    let world = RoomWorld(seed: 14)
    let room = world.room(of: 3)
    world.cut(room[1])
    world.run(.seconds(601))
    let secrets = secrets(world, by: room[0], without: room[2])
    room[0].room.setPolicy(levels: [try world.removal(of: room[2], by: room[0], to: secrets)])
    room[0].room.retire(keeping: secrets)
    world.enter(room[1])
    world.run(.seconds(8))
    #expect(room[1].moves.isEmpty)
  }

  @Test("in the new room the same participants understand each other, and nothing of the old one opens")
  func moved() throws {
    let world = RoomWorld(seed: 15)
    let room = world.room(of: 3)
    let old = world.sealed(by: room[2])
    let secrets = secrets(world, by: room[0], without: room[2])
    room[0].room.setPolicy(levels: [try world.removal(of: room[2], by: room[0], to: secrets)])
    for node in room[0...1] {
      node.room = node.room.relocated(to: secrets, now: world.now)
      world.cut(node)
    }
    world.cut(room[2])
    world.run(.seconds(1))
    for node in room[0...1] { world.enter(node) }
    world.run(.seconds(1))
    #expect(world.hears(room[0], room[1]) && world.hears(room[1], room[0]))
    world.inject(old, into: room[1])
    #expect(room[1].refused(.unknownEpoch) == 1 && room[1].numbers(from: room[2]).isEmpty)
  }

  /// What one who was removed shows to prove that it let somebody in before.
  enum Backdating: CaseIterable { case record, signedAnew, onTheNewFounding }

  @Test("Z57: whom a removed member says to have let in before proves nothing in the new room", arguments: Backdating.allCases)
  func backdated(_ way: Backdating) throws {
    let world = RoomWorld(seed: 57)
    let room = world.room(of: 3)
    let out = room[2]
    let secrets = secrets(world, by: room[0], without: out)
    let level = try world.removal(of: out, by: room[0], to: secrets)
    for node in room { world.cut(node) }
    for node in room[0...1] {
      node.room.setPolicy(levels: [level])
      node.room = node.room.relocated(to: secrets, now: world.now)
    }
    world.run(.seconds(1))
    let door = room[0].room.door
    let founding = try #require(room[0].room.records.founding.flatMap { room[0].room.records[$0]?.record })
    // It has the new invite, and is the first to be asked.
    let sybil = Stranger(in: world, door: door)
    world.run(.seconds(2))
    for node in room[0...1] { world.enter(node) }
    world.run(.seconds(1))
    let guest = world.add(door: door)
    sybil.answers { [unowned sybil] _ in
      let new = [sybil.node, guest].map(\.room.introduction)
      out.isIntroduced(new)
      _ = out.room.makeRecord(admitting: new, now: world.now)
      guard let (_, entry, chain) = out.room.records.present, let (old, proof) = out.room.records.proof(for: guest.id) else { return [] }
      let intros = room.map(\.room.introduction.bytes)
      let signing = out.room.identity.signing
      switch way {
      case .record:
        return [(WelcomeText(
          record: entry.record.bytes, proof: ([old] + proof).map(\.bytes), levels: [level.bytes], intros: intros, roster: entry.roster), chain)]
      case .signedAnew:
        let anew = ([old] + proof).map { RosterRecord.signing($0.body, scope: door.scope, author: signing) }
        let record = RosterRecord.signing(entry.record.body, scope: door.scope, author: signing)
        return [(WelcomeText(
          record: record.bytes, proof: anew.map(\.bytes), levels: [level.bytes], intros: intros, roster: entry.roster), chain)]
      case .onTheNewFounding:
        let roster = founding.body.admitted + new.map(\.id)
        let chain = sybil.secret()
        var body = RosterRecordBody(
          kind: .step, parent: founding.id, number: 1, author: out.id, admitted: new.map(\.id),
          rosterHash: RosterRecord.rosterHash(roster))
        body.commit = ContentKey.commitment(to: chain, of: body, scope: door.scope)
        let record = RosterRecord.signing(body, scope: door.scope, author: signing)
        return [(WelcomeText(
          record: record.bytes, proof: [founding.bytes, record.bytes], levels: [level.bytes], intros: intros, roster: roster), chain)]
      }
    }
    world.enter(guest)
    #expect(world.run(atMost: .seconds(4)) { guest.secured == 1 })
    #expect(sybil.hellos.contains { $0.from == guest.id } && guest.refused(.proof) == 1)
    #expect(guest.record == room[0].record && guest.room.records.founding == founding.id)
    #expect(!guest.room.roster.contains(sybil.node.id) && !guest.room.roster.contains(out.id))
    #expect(world.hears(guest, room[1]) && world.hears(room[1], guest))
  }
}
