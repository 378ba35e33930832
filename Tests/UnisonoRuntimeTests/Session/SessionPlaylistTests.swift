import Testing

@testable import UnisonoBase
@testable import UnisonoCoordination
@testable import UnisonoCrypto
@testable import UnisonoReplica
@testable import UnisonoRuntime

@Suite("The playlist of a session, as it is signed and sent")
struct SessionPlaylistTests {
  private func id(_ number: UInt64) -> EntryID { EntryID(high: number << 32, low: number) }

  private func add(_ count: Int, by player: SessionPlayer) {
    for number in 1...UInt64(count) {
      let entry = PlaylistEntry(
        place: .spread(0), item: ItemID("film \(number)"), added: 0, title: "The film number \(number)",
        copy: Copy(duration: .seconds(5_400), size: number, hash: [UInt8](repeating: 7, count: 32)))
      player.do { $0.handle(.editPlaylist(.add(id(number), entry: entry, before: nil))) }
    }
  }

  private func items(_ player: SessionPlayer) -> [String] { player.engine.playlist.lines.map(\.entry.item.description) }

  @Test("G24: a thousand entries reach those who are there, and one who comes later has all of them within seconds")
  func thousand() throws {
    let world = SessionWorld(seed: 241)
    let all = try world.playing(2, path: .lan)
    add(1_000, by: all[0])
    let wanted = (1...1_000).map { "film \($0)" }
    #expect(world.network.run(atMost: .seconds(20)) { items(all[1]) == wanted })
    all[1].do { $0.handle(.editPlaylist(.select(id(7)))) }
    world.network.run(for: .seconds(1))
    let late = try world.guest(of: all[0], named: "Zoe", path: .lan)
    late.do { $0.join() }
    #expect(world.network.run(atMost: .seconds(10)) { items(late) == wanted })
    world.network.run(for: .seconds(20))
    #expect(late.playlistChanges.last?.entry == id(7))
    #expect(all.allSatisfy { $0.isJoined && $0.refusals.isEmpty && $0.ignored.isEmpty })
    #expect(all.allSatisfy { $0.engine.statistics.messagesRefused == 0 })
  }

  @Test("G32: what a participant says of its copy reaches the others with everything else that it says of itself")
  func copies() throws {
    let world = SessionWorld(seed: 242)
    let all = try world.joined(3, path: .lan)
    let film = Copy(duration: .seconds(5_400), size: 700, hash: [UInt8](repeating: 1, count: 32))
    all[0].do { $0.handle(.stateCopy(StatedCopy(entry: id(1), copy: film))) }
    all[2].do { $0.handle(.stateCopy(StatedCopy(entry: id(1), copy: Copy(duration: .seconds(5_410))))) }
    world.network.run(for: .seconds(2))
    #expect(all[0].copies.map(\.participant) == [all[2].id] && all[2].copies.map(\.copy) == [film])
    #expect(all[1].copies.isEmpty)
    #expect(all[2].copies.allSatisfy { $0.difference.duration && !$0.difference.size })
  }

  @Test("G68: a member adds 3,000 entries: all keep one thousand, hosts are told once, and commands arrive as before")
  func flood() throws {
    let world = SessionWorld(seed: 242)
    let all = try world.playing(3, path: .lan)
    let busy = all[2]
    for start in stride(from: UInt64(1), to: 3_000, by: 100) {
      let time = try #require(busy.groupTime(at: world.network.trueTime))
      let policy = busy.engine.coordination.policy.id
      let statements = (start..<start + 100).map { number -> Statement in
        let entry = PlaylistEntry(place: .spread(Int(number % 7)), item: "Z", added: GroupTime(number))
        return Statement(key: .playlistEntry(id(number)), author: busy.id, policy: policy, time: time, value: .playlistEntry(entry))
      }
      busy.do { engine in engine.perform { $0.send(.update(statements), to: nil, now: busy.machine.now) } }
      world.network.run(for: .milliseconds(500))
    }
    for player in all { player.forgetCommands() }
    all[0].do { $0.handle(.rateChange(rate: 0, immediately: false)) }
    #expect(world.network.run(atMost: .milliseconds(300)) { all.allSatisfy { $0.commands.last?.kind == .pause } })
    world.network.run(for: .seconds(10))
    for honest in all[0...1] {
      #expect(honest.engine.playlist.lines.count == 1_000 && items(honest) == items(all[0]))
      #expect(honest.logs.count { $0.contains("\(busy.id)") && $0.contains("adds to a playlist that is full") } == 1)
      #expect(honest.isJoined)
      #expect(honest.ignored.map(\.participant) == [busy.id] && honest.ignored.map(\.part) == [.excess(.playlist)])
    }
  }
}
