import Testing
import UnisonoBase
import UnisonoCrypto
import UnisonoReplica
import UnisonoWire

@testable import UnisonoRuntime

@Suite("Sessions at a hub that lies")
struct CrookedHubTests {
  /// A real hub, one that lies in front of it, and sessions that only know that one.
  private final class Stage {
    let world: SessionWorld
    let hub: HubServer
    let crooked: CrookedHub
    let machine: VirtualEnvironment
    var dice: SplitMix64

    init(seed: UInt64) throws {
      world = SessionWorld(seed: seed)
      machine = world.network.machine()
      hub = try HubServer(environment: machine, options: HubOptions(listen: ["0.0.0.0:7400"]))
      let front = world.network.machine()
      crooked = try CrookedHub(before: hub, at: "\(machine.host):7400", on: front)
      dice = SplitMix64(seed: seed)
    }

    func playing(_ count: Int = 3) throws -> [SessionPlayer] {
      try world.playing(count, path: .lan, hub: crooked.address, keepingStandbyHubs: false)
    }

    /// People do things for a while, one a second.
    func busy(_ players: [SessionPlayer], seconds: Int) {
      for second in 0..<seconds {
        let player = players[second % players.count]
        switch second % 4 {
        case 0: player.do { $0.handle(.seek(to: .seconds(Int64(100 + second)), resumeImmediately: false)) }
        case 1: player.do { $0.handle(.rateChange(rate: 0, immediately: false)) }
        case 2: player.do { $0.handle(.rateChange(rate: 1, immediately: false)) }
        default: player.do { $0.send([UInt8(second)], isReliable: true, to: nil) }
        }
        world.network.run(for: .seconds(1))
      }
    }

    /// With an honest hub again everybody is at one place, and obeys.
    func settles(_ players: [SessionPlayer]) throws {
      crooked.bend = CrookedHub.honestly
      world.network.run(for: .seconds(30))
      players[0].do { $0.handle(.rateChange(rate: 1, immediately: false)) }
      let isInStep = world.network.run(atMost: .seconds(15)) {
        world.spread(players).map { $0 < .milliseconds(10) } ?? false
      }
      #expect(isInStep)
      #expect(players.allSatisfy { $0.people.count == players.count })
      players[1].do { $0.handle(.rateChange(rate: 0, immediately: false)) }
      #expect(
        world.network.run(atMost: .seconds(5)) {
          players.allSatisfy { $0.engine.view.timing.status == .paused && $0.commands.last?.kind == .pause }
        })
      world.network.run(for: .seconds(2))
      let places = players.map { $0.engine.view.timing.line.at }
      #expect(Set(places).count == 1)
    }
  }

  private static let deliver = HubFrame.FrameType.deliver.rawValue

  /// What everybody was told by each, in order: never twice, never another's.
  private func areOrderly(_ players: [SessionPlayer]) {
    for player in players {
      for sender in players where sender !== player {
        let heard = player.messages.filter { $0.sender == sender.id }.map { $0.bytes[0] }
        #expect(heard == heard.sorted() && Set(heard).count == heard.count)
      }
    }
  }

  @Test("a hub that drops one frame in six: what it swallowed is healed, and nobody is told anything twice")
  func drops() throws {
    let stage = try Stage(seed: 41)
    let players = try stage.playing()
    var dropped = 0
    stage.crooked.bend = { frame, way, _ in
      if Int.random(in: 0..<6, using: &stage.dice) == 0 {
        dropped += 1
        return []
      }
      return [.init(frame)]
    }
    stage.busy(players, seconds: 24)
    #expect(dropped > 20)
    areOrderly(players)
    try stage.settles(players)
  }

  @Test(
    "a hub that holds frames back for up to 2 s: no gap and no step back in the order, and everything is in step after it"
  )
  func delays() throws {
    let stage = try Stage(seed: 42)
    let players = try stage.playing()
    stage.crooked.bend = { frame, _, _ in
      [.init(frame, after: .milliseconds(Int64.random(in: 0...2_000, using: &stage.dice)))]
    }
    stage.busy(players, seconds: 24)
    #expect(players.allSatisfy { $0.engine.statistics.messagesRefused == 0 })
    areOrderly(players)
    try stage.settles(players)
    for player in players {
      for sender in players where sender !== player {
        // Nothing was dropped: everything came.
        #expect(player.messages.filter { $0.sender == sender.id }.count == 2)
      }
    }
  }

  @Test("a hub that changes the order: what comes too late is refused and counted, and healed")
  func reorders() throws {
    let stage = try Stage(seed: 43)
    let players = try stage.playing()
    stage.crooked.keepsOrder = false
    stage.crooked.bend = { frame, _, _ in
      [.init(frame, after: Int.random(in: 0..<4, using: &stage.dice) == 0 ? .milliseconds(700) : 0)]
    }
    stage.busy(players, seconds: 24)
    #expect(players.contains { $0.engine.statistics.messagesRefused > 0 })
    areOrderly(players)
    stage.crooked.keepsOrder = true
    try stage.settles(players)
  }

  @Test("a hub that says everything twice, and once more a minute later: each is heard once")
  func doubles() throws {
    let stage = try Stage(seed: 44)
    let players = try stage.playing()
    stage.crooked.keepsOrder = false
    let starts = players.map { player in player.commands.filter { $0.kind == .play }.count }
    stage.crooked.bend = { frame, way, _ in
      way == .down ? [.init(frame), .init(frame), .init(frame, after: .seconds(60))] : [.init(frame)]
    }
    stage.busy(players, seconds: 24)
    stage.crooked.bend = CrookedHub.honestly
    stage.world.network.run(for: .seconds(62))
    for player in players {
      #expect(player.engine.statistics.messagesRefused > 50)
      for sender in players where sender !== player {
        #expect(player.messages.filter { $0.sender == sender.id }.count == 2)
      }
    }
    areOrderly(players)
    // No player was told to start more often than once for each play and seek of somebody's.
    for (player, before) in zip(players, starts) {
      #expect(player.commands.filter { $0.kind == .play }.count - before <= 12)
    }
    try stage.settles(players)
  }

  @Test("a hub that makes up frames and people: refused, and nobody is connected, or waited for, who was not heard")
  func injects() throws {
    let stage = try Stage(seed: 45)
    let players = try stage.playing()
    let counts = players.map(\.commands.count)
    let ghosts = (1...5).map { ParticipantID(high: UInt64($0), low: 0xDEAD) }
    for round in 0..<200 {
      for line in stage.crooked.lines {
        let genuine = line.delivered.randomElement(using: &stage.dice)
        let honest = genuine.flatMap { try? HubFrame.decode($0) }
        guard case .deliver(var envelope)? = honest else { continue }
        switch round % 4 {
        case 0:
          // In a member's name, with a bent body.
          let index = Int.random(in: EnvelopeHeader.length..<envelope.count, using: &stage.dice)
          envelope[index] ^= UInt8.random(in: 1...255, using: &stage.dice)
        case 1:
          // Another counter, lane or epoch of the same body.
          let index = Int.random(in: 10..<EnvelopeHeader.length, using: &stage.dice)
          envelope[index] ^= UInt8.random(in: 1...255, using: &stage.dice)
        case 2:
          // A ghost's.
          envelope.replaceSubrange(14..<30, with: ghosts[round % ghosts.count].bytes)
        default: break
        }
        stage.crooked.inject(.deliver(envelope: envelope), into: line)
        if round % 10 == 0 {
          let joined = ghosts.map { Member(id: $0, connection: UInt64(1_000 + round), age: 9_000) }
          stage.crooked.inject(.presence(joined: joined, gone: []), into: line)
        }
      }
      stage.world.network.run(for: .milliseconds(50))
    }
    for (player, count) in zip(players, counts) {
      #expect(player.engine.statistics.messagesRefused > 50)
      #expect(player.commands[count...].allSatisfy { $0.kind == .play })
      #expect(player.engine.view.participants.allSatisfy { $0.connection != .connected || !ghosts.contains($0.id) })
      #expect(player.isJoined && player.engine.view.timing.status == .playing)
    }
    // A start waits for people only.
    players[0].do { $0.handle(.seek(to: .seconds(500), resumeImmediately: false)) }
    let hasStarted = stage.world.network.run(atMost: .seconds(2)) {
      players.allSatisfy { player in
        player.position(at: stage.world.network.trueTime).map { $0 >= .seconds(500) } ?? false
      }
    }
    #expect(hasStarted)
    for line in stage.crooked.lines {
      let gone = ghosts.map { Departure(id: $0, connection: .max, left: false) }
      stage.crooked.inject(.presence(joined: [], gone: gone), into: line)
    }
    // Whoever was refused too often in another's name is ignored for a minute.
    stage.world.network.run(for: .seconds(62))
    try stage.settles(players)
  }

  @Test("a hub that wires two rooms across: nothing of one is heard, or changes anything, in the other")
  func crosses() throws {
    let stage = try Stage(seed: 46)
    let film = try stage.playing(2)
    let filmLines = stage.crooked.lines.count
    let other = try stage.world.playing(2, path: .lan, hub: stage.crooked.address, keepingStandbyHubs: false)
    let (own, foreign) = (Array(stage.crooked.lines[..<filmLines]), Array(stage.crooked.lines[filmLines...]))
    let counts = film.map(\.commands.count)
    let crooked = stage.crooked
    crooked.bend = { frame, way, line in
      if way == .down {
        for target in line.number < filmLines ? foreign : own {
          if let heard = try? HubFrame.decode(frame) { crooked.inject(heard, into: target) }
        }
      }
      return [.init(frame)]
    }
    film[0].do { $0.send([7], isReliable: true, to: nil) }
    other[1].do { $0.handle(.seek(to: .seconds(900), resumeImmediately: false)) }
    stage.world.network.run(for: .seconds(6))
    #expect(film[1].messages.map(\.bytes) == [[7]])
    let refusals = (film + other).map(\.engine.statistics.messagesRefused)
    #expect(!refusals.contains(0))
    #expect(film.map(\.commands.count) == counts && film.allSatisfy { $0.people.count == 2 })
    let places = other.compactMap { $0.position(at: stage.world.network.trueTime) }
    #expect(places.count == 2 && places.allSatisfy { $0 >= .seconds(900) })
    #expect((film + other).allSatisfy { $0.engine.statistics.messagesRefused > 0 })
    try stage.settles(film)
    try stage.settles(other)
  }
}
