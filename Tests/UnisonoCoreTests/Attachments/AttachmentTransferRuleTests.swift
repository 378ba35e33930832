import Testing

@testable import UnisonoBase
@testable import UnisonoCoordination
@testable import UnisonoReplica

@Suite("Attachments on their way")
struct AttachmentTransferRuleTests {
  @Test("G38: a file comes whole over a network that loses a tenth of all messages", arguments: 1...10 as ClosedRange<UInt64>)
  func loss(seed: UInt64) throws {
    let world = AttachmentWorld(2, seed: seed)
    world.loss = 0.1
    world.bytesPerSecond = 1_048_576
    let content = world.content(1_000_001)
    let load = try world.load(world.offer(content, by: world[0]), by: world[1])
    #expect(world.run(for: .seconds(300)) { world[1].files[load] != nil })
    #expect(world[1].files[load] == content && world[1].failures == [] && world[1].forgeries == [])
    // What was lost is asked for again, and not everything.
    #expect(world[0].sentBytes < 3 * content.count)
  }

  @Test("G38: of nothing, of one byte and of whole pieces, all come", arguments: [0, 1, 32_767, 32_768, 32_769, 65_536])
  func sizes(count: Int) throws {
    let world = AttachmentWorld(2)
    let content = world.content(count)
    let load = try world.load(world.offer(content, by: world[0]), by: world[1])
    #expect(world.run(for: .seconds(10)) { world[1].files[load] != nil })
    #expect(world[1].files[load] == content && world[1].attachments.held.contains(AttachmentWorld.id(content)))
    #expect(world[0].sentBytes == content.count)
  }

  @Test("G39: who gives it leaves in the middle: it goes on where it was with another who has it")
  func sourceLeaves() throws {
    let world = AttachmentWorld(3)
    let content = world.content(600_000)
    let offer = world.offer(content, by: world[0])
    world.hold(content, world[1])
    let load = try world.load(offer, by: world[2])
    world.run(for: .seconds(60)) { world[2].parts[load]?.count ?? 0 > 200_000 }
    let before = world[0].sentBytes
    world[0].isGone = true
    #expect(world.run(for: .seconds(60)) { world[2].files[load] == content })
    #expect(before > 200_000 && world[1].sentBytes < content.count - 150_000)
  }

  @Test("G39: who loaded it gives it to who comes when its author is gone")
  func author() throws {
    let world = AttachmentWorld(3)
    let content = world.content(100_000)
    let offer = world.offer(content, by: world[0])
    let first = try world.load(offer, by: world[1])
    #expect(world.run(for: .seconds(30)) { world[1].files[first] != nil })
    world[0].isGone = true
    let second = try world.load(offer, by: world[2])
    #expect(world.run(for: .seconds(30)) { world[2].files[second] == content })
  }

  @Test("G40: a link that is gone for half a minute costs what was on its way, and no more")
  func link() throws {
    let world = AttachmentWorld(2)
    let content = world.content(600_000)
    let load = try world.load(world.offer(content, by: world[0]), by: world[1])
    world.run(for: .seconds(60)) { world[1].parts[load]?.count ?? 0 > 200_000 }
    world.cuts = [[world[0].id, world[1].id]]
    world.run(for: .seconds(30))
    let before = world[0].sentBytes
    world.cuts = []
    world[1].attachments.entered(now: world.now)
    #expect(world.run(for: .seconds(30)) { world[1].files[load] == content })
    #expect(world[0].sentBytes - before < content.count - 190_000)
  }

  @Test("G41: a liar is named, its bytes are thrown away, and another one is asked")
  func liar() throws {
    let world = AttachmentWorld(3)
    let content = world.content(300_000)
    let offer = world.offer(content, by: world[0])
    world.hold(content, world[1])
    world[0].lies = true
    let load = try world.load(offer, by: world[2])
    #expect(world.run(for: .seconds(60)) { world[2].files[load] != nil })
    #expect(world[2].files[load] == content && world[2].forgeries == [[world[0].id]])
  }

  @Test("G41: where several gave some nobody is named; then all is of one, and the liar is found")
  func several() throws {
    let world = AttachmentWorld(4)
    let content = world.content(400_000)
    let offer = world.offer(content, by: world[0])
    world.hold(content, world[1])
    world[0].lies = true
    let load = try world.load(offer, by: world[3])
    world.run(for: .seconds(60)) { world[3].parts[load]?.count ?? 0 > 100_000 }
    world[0].isGone = true
    #expect(world.run(for: .seconds(60)) { world[3].files[load] != nil })
    #expect(world[3].files[load] == content && world[3].forgeries == [[world[0].id, world[1].id]])
  }

  @Test("G41: where nobody else has it, it fails as what it is")
  func onlyLiar() throws {
    let world = AttachmentWorld(2)
    world[0].lies = true
    let load = try world.load(world.offer(world.content(50_000), by: world[0]), by: world[1])
    world.run(for: .seconds(100))
    #expect(world[1].failures == [.forged] && world[1].forgeries.count == 1)
    #expect(world[1].files[load] == nil && world[1].parts[load] == nil)
  }

  @Test("G42: what nobody has fails after a minute, and not before; who comes with it meanwhile is asked")
  func nobody() throws {
    let world = AttachmentWorld(3)
    let content = world.content(1_000)
    let offer = world.offer(content, by: world[0])
    world[0].attachments.letGo(offer.value.id)
    _ = try world.load(offer, by: world[1])
    world.run(for: .seconds(59))
    #expect(world[1].failures == [])
    world.run(for: .seconds(3))
    #expect(world[1].failures == [.notFound])
    let load = try world.load(offer, by: world[2])
    world.run(for: .seconds(30))
    world.hold(content, world[1])
    #expect(world.run(for: .seconds(10)) { world[2].files[load] == content })
  }

  @Test("G43: who asks without end gets its turn, and another one's file comes as fast as by turns")
  func greedy() throws {
    let world = AttachmentWorld(3)
    let content = world.content(400_000)
    let offer = world.offer(content, by: world[0])
    let id = offer.value.id
    for step in 0..<600 as Range<Int64> {
      world.after(.milliseconds(20 * step)) {
        world.send(.fetch(id, offset: 0, count: 8), from: world[1], to: world[0].id)
      }
    }
    let load = try world.load(offer, by: world[2])
    #expect(world.run(for: .seconds(12)) { world[2].files[load] == content })
  }

  @Test("G43: all that is given stays within three quarters of what the hub reads", arguments: [65_536, 262_144, 1_048_576] as [UInt32])
  func budget(rate: UInt32) throws {
    let world = AttachmentWorld(5)
    world.bytesPerSecond = rate
    let offer = world.offer(world.content(8_000_000), by: world[0])
    for index in 1...4 { _ = try world.load(offer, by: world[index]) }
    world.run(for: .seconds(5))
    let before = world[0].sentBytes
    world.run(for: .seconds(10))
    let given = world[0].sentBytes - before
    #expect(given <= Int(rate) * 10 * 3 / 4 && given >= Int(rate) * 10 / 2)
  }

  @Test("G43: pieces that nobody asked for, of others, or of another length, change nothing")
  func unasked() throws {
    let world = AttachmentWorld(3)
    let content = world.content(200_000)
    let offer = world.offer(content, by: world[0])
    let id = offer.value.id
    world.send(.chunk(id, offset: 0, bytes: [1]), from: world[1], to: world[2].id)
    let load = try world.load(offer, by: world[2])
    for step in 0..<100 as Range<UInt64> {
      world.after(.milliseconds(10 * Int64(step))) {
        let wrong = [UInt8](repeating: 7, count: 32_768)
        world.send(.chunk(id, offset: step % 7 * 32_768, bytes: wrong), from: world[1], to: world[2].id)
        world.send(.chunk(id, offset: step % 7 * 32_768, bytes: [7]), from: world[0], to: world[2].id)
        world.send(.refusal(id, .notHere), from: world[1], to: world[2].id)
      }
    }
    #expect(world.run(for: .seconds(30)) { world[2].files[load] != nil })
    #expect(world[2].files[load] == content && world[2].forgeries == [])
  }

  @Test("G43: seventeen ask at once: sixteen are served, the last one is told that it is too many, and asks again")
  func crowd() throws {
    let world = AttachmentWorld(18)
    world.bytesPerSecond = 4_194_304
    let content = world.content(150_000)
    let offer = world.offer(content, by: world[0])
    let loads = try (1...17).map { try world.load(offer, by: world[$0]) }
    #expect(world.run(for: .seconds(60)) { (1...17).allSatisfy { world[$0].files[loads[$0 - 1]] == content } })
  }

  @Test("G44: a file that cannot be made or written fails at once, and what is there already is not touched")
  func disk() throws {
    let world = AttachmentWorld(3)
    let offer = world.offer(world.content(100_000), by: world[0])
    world[1].disk = .exists
    _ = try world.load(offer, by: world[1])
    world[2].diskDelay = .milliseconds(50)
    let load = try world.load(offer, by: world[2])
    world.run(for: .seconds(60)) { world[2].parts[load]?.count ?? 0 > 30_000 }
    world[2].disk = .failed(code: -28)
    world.run(for: .seconds(5))
    #expect(world[1].failures == [.exists] && world[2].failures == [.file(code: -28)] && world[2].parts.isEmpty)
  }

  @Test("G44: a slow disk slows the others down, and never has more than eight pieces to write")
  func slowDisk() throws {
    let world = AttachmentWorld(2)
    world.bytesPerSecond = 8_388_608
    world[1].diskDelay = .seconds(2)
    let content = world.content(700_000)
    let load = try world.load(world.offer(content, by: world[0]), by: world[1])
    var most = 0
    #expect(
      world.run(for: .seconds(120)) {
        if let part = world[1].parts[load] { most = max(most, world[0].sentBytes - part.count) }
        return world[1].files[load] == content
      })
    #expect(most <= 9 * 32_768)
  }

  @Test("G44: what was given up, and what is taken back, ends with its file thrown away")
  func ended() throws {
    let world = AttachmentWorld(3)
    let offer = world.offer(world.content(2_000_000), by: world[0])
    _ = try world.load(offer, by: world[1])
    _ = try world.load(offer, by: world[2])
    #expect(throws: Attachments.Refusal.loading) { try world.load(offer, by: world[1]) }
    world.run(for: .seconds(2))
    world.carryOut(world[1].attachments.cancel(offer.value.id), world[1])
    world.carryOut(world[2].attachments.offersChanged(AttachmentShelf()), world[2])
    world.carryOut(world[0].attachments.offersChanged(AttachmentShelf()), world[0])
    world.run(for: .seconds(5))
    #expect(world[1].failures == [.cancelled] && world[2].failures == [.removed])
    #expect(world[1].parts.isEmpty && world[2].parts.isEmpty && world[0].attachments.held.isEmpty)
  }

  @Test("G44: four are loaded at a time, and the others after them; no more than 64 are asked for")
  func many() throws {
    let world = AttachmentWorld(2)
    world.bytesPerSecond = 4_194_304
    let offers = (0..<65).map { _ in world.offer(world.content(40_000), by: world[0]) }
    for offer in offers.prefix(64) { _ = try world.load(offer, by: world[1]) }
    #expect(throws: Attachments.Refusal.tooMany) { try world.load(offers[64], by: world[1]) }
    var most = 0
    #expect(
      world.run(for: .seconds(60)) {
        most = max(most, world[1].parts.count)
        return world[1].files.count == 64
      })
    #expect(most == 4)
  }

  @Test("G65: what an earlier load left is not loaded again, and progress begins there", arguments: [1, 250_000, 599_999, 600_000])
  func resumed(present: Int) throws {
    let world = AttachmentWorld(2)
    let content = world.content(600_000)
    world[1].left = Array(content.prefix(present))
    let load = try world.load(world.offer(content, by: world[0]), by: world[1])
    #expect(world.run(for: .seconds(30)) { world[1].files[load] == content })
    #expect(world[0].sentBytes == content.count - present)
    #expect(world[1].progress.first == UInt64(present) && world[1].progress == world[1].progress.sorted())
    #expect(world[1].failures == [] && world[1].forgeries == [])
  }

  @Test("G65: what nobody gave the rest of, and what a session ended over, is there for a later load")
  func left() throws {
    let world = AttachmentWorld(3)
    let content = world.content(600_000)
    let offer = world.offer(content, by: world[0])
    for member in [world[1], world[2]] { _ = try world.load(offer, by: member) }
    world.run(for: .seconds(60)) { [1, 2].allSatisfy { world[$0].parts.values.contains { $0.count > 100_000 } } }
    world.carryOut(world[2].attachments.close(), world[2])
    world[0].isGone = true
    #expect(world.run(for: .seconds(70)) { world[1].failures == [.notFound] } && world[2].failures == [.cancelled])
    world[0].isGone = false
    let left = [1, 2].map { world[$0].left.count }
    for index in 1...2 { world[index].news = [] }
    let loads = try [1, 2].map { try world.load(offer, by: world[$0]) }
    #expect(world.run(for: .seconds(60)) { world[1].files[loads[0]] == content && world[2].files[loads[1]] == content })
    #expect(left.allSatisfy { $0 > 100_000 } && [1, 2].map { world[$0].progress.first } == left.map { UInt64($0) })
  }

  @Test("G66: what was left and is not it costs one more load, and no honest member its name", arguments: [1_000, 300_000])
  func leftWrong(present: Int) throws {
    let world = AttachmentWorld(2)
    let content = world.content(300_000)
    world[1].left = content.prefix(present).map { $0 ^ 1 }
    let load = try world.load(world.offer(content, by: world[0]), by: world[1])
    #expect(world.run(for: .seconds(60)) { world[1].files[load] == content })
    #expect(world[1].forgeries == [[]] && world[1].failures == [] && world[0].sentBytes == 2 * content.count - present)
  }

  @Test("G66: a liar is found out behind what was left, the second time")
  func leftAndLiar() throws {
    let world = AttachmentWorld(3)
    let content = world.content(300_000)
    let offer = world.offer(content, by: world[0])
    world.hold(content, world[1])
    world[0].lies = true
    world[2].left = Array(content.prefix(100_000))
    let load = try world.load(offer, by: world[2])
    #expect(world.run(for: .seconds(60)) { world[2].files[load] == content })
    #expect(world[2].forgeries == [[], [world[0].id]])
  }

  @Test("F42: what is here already is copied, and nobody is asked")
  func copied() throws {
    let world = AttachmentWorld(2)
    let content = world.content(80_000)
    let offer = world.offer(content, by: world[0])
    let load = try world.load(offer, by: world[0])
    #expect(world.run(for: .seconds(1)) { world[0].files[load] == content })
    #expect(world[1].sentBytes == 0)
  }

  @Test("G64: twelve fetch two files each of one member, slower than they are patient: all have them as soon as they fit")
  func manyOfOne() throws {
    let world = AttachmentWorld(13)
    var loads: [(member: AttachmentWorld.Member, load: UInt64, content: [UInt8])] = []
    for size in [200_000, 98_305] {
      let content = world.content(size)
      let offer = world.offer(content, by: world[0])
      for index in 1...12 { loads.append((world[index], try world.load(offer, by: world[index]), content)) }
    }
    world.run(for: .seconds(45)) { loads.allSatisfy { $0.member.files[$0.load] != nil } }
    for one in loads { #expect(one.member.files[one.load] == one.content) }
  }
}
