import Testing
import UnisonoBase
import UnisonoCoordination
import UnisonoCrypto
import UnisonoReplica
import UnisonoWire

@testable import UnisonoRuntime

@Suite("Sessions at a hub that keeps participants apart")
struct SessionSplitTests {
  /// A hub that keeps what some say from others, and sessions at it.
  private final class Stage {
    let world: SessionWorld
    let crooked: CrookedHub
    private let hub: HubServer
    private let machine: VirtualEnvironment
    /// What is kept from whom.
    private var hidden: [(speaker: ParticipantID, host: String)] = []

    init(seed: UInt64) throws {
      world = SessionWorld(seed: seed)
      machine = world.network.machine()
      hub = try HubServer(environment: machine, options: HubOptions(listen: ["0.0.0.0:7400"]))
      crooked = try CrookedHub(before: hub, at: "\(machine.host):7400", on: world.network.machine())
      crooked.bend = { [unowned self] frame, way, line in
        guard way == .down, case .deliver(let envelope)? = try? HubFrame.decode(frame),
          let sender = try? EnvelopeHeader(envelope: envelope).sender,
          hidden.contains(where: { $0.speaker == sender && $0.host == line.host })
        else { return [.init(frame)] }
        return []
      }
    }

    func joined(_ count: Int, keepingStandbyHubs: Bool = false) throws -> [SessionPlayer] {
      try world.joined(count, path: .lan, hub: crooked.address, keepingStandbyHubs: keepingStandbyHubs)
    }

    func hide(_ speaker: SessionPlayer, from listeners: [SessionPlayer]) {
      hidden += listeners.map { (speaker.id, $0.machine.host) }
    }

    func beHonest() { hidden = [] }
    func run(_ length: Nanoseconds) { world.network.run(for: length) }

    /// All links to the hub break at once.
    func breakLinks(_ players: [SessionPlayer]) {
      for player in players { world.network.breakStreams(player.machine, crooked.machine) }
    }
  }

  private func told(_ player: SessionPlayer, _ kind: SplitChange.Kind) -> [SplitNews] {
    player.splits.filter { $0.change.kind == kind }
  }

  private func split(_ player: SessionPlayer, of other: SessionPlayer) -> UInt32? {
    player.engine.view.participants.first { $0.id == other.id }?.split
  }

  @Test("Z45, F49: a hub hides one from another: both hosts are told, the list says it, and that it is over")
  func hidden() throws {
    let stage = try Stage(seed: 450)
    let all = try stage.joined(4)
    stage.hide(all[3], from: [all[1]])
    stage.run(.seconds(25))
    #expect(all.allSatisfy { $0.splits.isEmpty && $0.hubDoubts.isEmpty })
    stage.run(.seconds(25))
    let news = all[1].splits
    #expect(news.map(\.change.participant) == [all[3].id] && news.map(\.change.kind) == [.unheard])
    #expect(news.allSatisfy { !$0.change.isOver && $0.name == "Ben3" && $0.hub == stage.crooked.address.address })
    #expect(all[3].splits.map(\.change.participant) == [all[1].id] && all[3].splits.map(\.change.kind) == [.deaf])
    #expect(all[0].splits.isEmpty && all[2].splits.isEmpty)
    #expect(split(all[1], of: all[3]) == 1 && split(all[3], of: all[1]) == 2 && split(all[1], of: all[2]) == 0)
    // Who is not heard by one only may be wronged by that one: what two others hear is the hub's doing.
    #expect(all[1].hubDoubts.map(\.reason) == [.split] && all[3].hubDoubts.isEmpty)
    #expect(all[1].hubDoubts[0].hub == stage.crooked.address.address && all[1].hubDoubts[0].until == nil)
    stage.beHonest()
    stage.run(.seconds(8))
    #expect(all[1].splits.map(\.change.isOver) == [false, true] && all[3].splits.map(\.change.isOver) == [false, true])
    #expect(split(all[1], of: all[3]) == 0 && split(all[3], of: all[1]) == 0)
    #expect(all[1].splits[1].change.since == news[0].change.since)
    // The hub is believed again ten minutes later.
    stage.run(.seconds(580))
    #expect(all[1].hubDoubts.count == 1)
    stage.run(.seconds(20))
    #expect(all[1].hubDoubts.map(\.isOver) == [false, true])
  }

  @Test("Z45: after Z44, whom a hub hid with its welcomer is listed by all, and both were told that they are kept apart")
  func hiddenWelcomer() throws {
    let stage = try Stage(seed: 451)
    let all = try stage.joined(3)
    let (welcomer, others) = (all[1], [all[0], all[2]])
    stage.hide(welcomer, from: others)
    let guest = try stage.world.guest(of: all[0], named: "Cem", path: .lan)
    stage.hide(guest, from: others)
    for other in others { stage.hide(other, from: [guest]) }
    guest.do { $0.join() }
    #expect(stage.world.network.run(atMost: .seconds(20)) { guest.isJoined })
    stage.run(.seconds(50))
    #expect(Set(told(welcomer, .deaf).map(\.change.participant)) == Set(others.map(\.id)))
    #expect(Set(guest.splits.map(\.change.participant)) == Set(others.map(\.id)))
    #expect(welcomer.hubDoubts.map(\.reason) == [.split])
    stage.beHonest()
    stage.run(.seconds(25))
    let everybody = all + [guest]
    #expect(everybody.allSatisfy { $0.people == ["Ann", "Ben1", "Ben2", "Cem"] })
    for player in everybody {
      #expect(everybody.allSatisfy { player === $0 || split(player, of: $0) == 0 })
      #expect(player.splits.count { $0.change.isOver } * 2 == player.splits.count)
    }
  }

  @Test("Z45: newcomers that come one after the other, each by a roster of its own, are found apart from nobody")
  func otherRoster() throws {
    let stage = try Stage(seed: 452)
    let all = try stage.joined(4)
    // Every few seconds somebody else comes, by a record of its own.
    for number in 0..<6 {
      let guest = try stage.world.guest(of: all[0], named: "Guest\(number)", path: .lan)
      guest.do { $0.join() }
      stage.run(.seconds(6))
    }
    #expect(stage.world.players.allSatisfy { $0.splits.isEmpty && $0.hubDoubts.isEmpty })
  }

  @Test("F83: a hub in doubt is the last choice: who found it out goes elsewhere when its link breaks, and the group with it")
  func lastChoice() throws {
    let stage = try Stage(seed: 453)
    let all = try stage.joined(5, keepingStandbyHubs: true)
    #expect(all.allSatisfy { $0.engine.lastHub == stage.crooked.address.hub })
    stage.hide(all[4], from: [all[1], all[2]])
    stage.run(.seconds(60))
    let doubting = [all[1], all[2], all[4]]
    #expect(doubting.allSatisfy { $0.hubDoubts.map(\.reason) == [.split] })
    #expect(all[0].hubDoubts.isEmpty && all[3].hubDoubts.isEmpty)
    for player in all {
      let first = player.engine.hubs.directory.candidates.first?.address.hub
      #expect((first != stage.crooked.address.hub) == doubting.contains { $0 === player })
    }
    // None leaves as long as the hub serves.
    #expect(all.allSatisfy { $0.engine.lastHub == stage.crooked.address.hub })
    stage.breakLinks(all)
    stage.run(.seconds(4))
    #expect(doubting.allSatisfy { $0.engine.lastHub != stage.crooked.address.hub })
    // They are more than the two who went back, who come after them.
    let isOne = stage.world.network.run(atMost: .seconds(40)) {
      Set(all.map(\.engine.lastHub)).count == 1 && all.allSatisfy { $0.people.count == 5 }
    }
    #expect(isOne && all[0].engine.lastHub != stage.crooked.address.hub)
  }
}
