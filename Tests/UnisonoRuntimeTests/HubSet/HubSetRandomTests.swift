import Glibc
import Testing
import UnisonoBase
import UnisonoReplica

@testable import UnisonoRuntime

/// One room at two to five hubs, 25 s of faults, and quiet after them: what members see is checked against what was done.
private final class RandomRoom {
  /// A participant, with the connection that is its newest.
  private struct Client {
    var turn: UInt32 = 0
    var hub: Int?
    /// The hub's start.
    var start = 0
    var counter: UInt64 = 0
    /// When it enters again.
    var next: HostTime? = 0
    /// Its link is half open: the hub does not know yet.
    var isSilent = false
  }

  private static let step = Nanoseconds.milliseconds(50)
  private static let chaos = Nanoseconds.seconds(25)
  private static let quiet = Nanoseconds.seconds(24)

  private let world: HubSetWorld
  private var random: SplitMix64
  private var clients: [Client]
  private let rate: Double
  private let talkEnd: HostTime
  private var cut: Set<Int> = []
  private var deaf: [Int: HostTime] = [:]
  private var outage: HostTime = 0
  /// Half-open links: when their hub notices.
  private var silent: [(hub: Int, start: Int, id: ParticipantID, turn: UInt32, at: HostTime)] = []
  /// Of connections that ended with their hub: when.
  private var died: [ParticipantID: [UInt32: HostTime]] = [:]
  private var said: [ParticipantID: [UInt32: UInt64]] = [:]
  private(set) var faults: [String] = []
  private(set) var worstGhost = Nanoseconds(0)
  private var converged: HostTime?

  init(seed: UInt64) {
    random = SplitMix64(seed: seed)
    let hubs = Int.random(in: 2...5, using: &random)
    clients = Array(repeating: Client(), count: Int.random(in: 2...6, using: &random))
    rate = Double.random(in: 0...1, using: &random) < 0.5 ? 0.3 : 0.02
    talkEnd = Self.chaos + (Bool.random(using: &random) ? 0 : .seconds(15))
    world = HubSetWorld(hubs: hubs, seed: seed ^ 77, drifts: (0..<hubs).map { Double($0) * 20e-6 - 40e-6 })
    if Double.random(in: 0...1, using: &random) < 0.3 {
      world.doubled = 0.05
      world.late = 0.02
    }
    world.isLost = { [unowned self] in
      if cut.isEmpty, outage <= world.now, (deaf[$0.to] ?? 0) <= world.now { return false }
      return outage > world.now || (deaf[$0.to] ?? 0) > world.now || (!cut.isEmpty && cut.contains($0.from) != cut.contains($0.to))
    }
    for node in world.nodes {
      node.isWrong = { [unowned self] id, turn in
        let client = clients[Int(id.high)]
        guard client.turn == turn, client.hub == node.index, client.start == node.starts, !client.isSilent else { return }
        faults.append("\(world.now): the newest connection of \(id.high) is replaced")
      }
    }
  }

  func run() {
    var nextFault = Nanoseconds.milliseconds(Int64.random(in: 1_000...4_000, using: &random))
    var isRepaired = false
    while world.now < Self.chaos + Self.quiet {
      world.run(for: Self.step)
      let now = world.now
      for entry in silent where entry.at <= now {
        let node = world.nodes[entry.hub]
        if node.isUp, node.starts == entry.start, node.own[HubSetWorld.topic]?[entry.id] == entry.turn { node.leave(entry.id, left: false) }
      }
      silent.removeAll { $0.at <= now }
      for index in clients.indices { look(after: index) }
      if now < talkEnd { talk() }
      if now < Self.chaos {
        if now >= nextFault {
          fault()
          nextFault = now + .milliseconds(Int64(-1_600 * log(Double.random(in: 0.0001...1, using: &random))))
        }
      } else if !isRepaired {
        isRepaired = true
        repair()
      }
      compare()
    }
    check()
  }

  private func look(after index: Int) {
    let now = world.now
    if let hub = clients[index].hub, !clients[index].isSilent {
      let node = world.nodes[hub]
      let turn = node.own[HubSetWorld.topic]?[participant(UInt64(index))]
      let isIn = node.isUp && node.starts == clients[index].start && turn == clients[index].turn
      if !isIn {
        clients[index].hub = nil
        clients[index].next = now + .milliseconds(Int64.random(in: 100...500, using: &random))
      }
    }
    guard clients[index].hub == nil, let next = clients[index].next, now >= next else { return }
    let up = world.nodes.filter(\.isUp)
    guard let node = up.randomElement(using: &random) else { return }
    clients[index].turn += 1
    clients[index].hub = node.index
    clients[index].start = node.starts
    clients[index].counter = 0
    clients[index].next = nil
    clients[index].isSilent = false
    if !node.enter(participant(UInt64(index)), turn: clients[index].turn) { clients[index].hub = nil }
  }

  private func talk() {
    for index in clients.indices {
      guard let hub = clients[index].hub, !clients[index].isSilent, Double.random(in: 0...1, using: &random) < rate else { continue }
      clients[index].counter += 1
      let id = participant(UInt64(index))
      said[id, default: [:]][clients[index].turn] = clients[index].counter
      world.nodes[hub].say(id, clients[index].counter)
    }
  }

  private func leave(_ index: Int, silently: Bool) {
    guard let hub = clients[index].hub, !clients[index].isSilent else { return }
    let node = world.nodes[hub]
    clients[index].next = world.now + .milliseconds(Int64.random(in: 100...1_500, using: &random))
    clients[index].hub = nil
    if silently {
      silent.append((hub, node.starts, participant(UInt64(index)), clients[index].turn, world.now + .seconds(15)))
    } else {
      node.leave(participant(UInt64(index)))
    }
  }

  /// `power`: its clients notice late.
  private func kill(_ node: HubSetNode, power: Bool) {
    for (id, turn) in node.own[HubSetWorld.topic] ?? [:] { died[id, default: [:]][turn] = world.now }
    node.kill()
    for index in clients.indices where clients[index].hub == node.index {
      clients[index].hub = nil
      clients[index].next = world.now + .milliseconds(Int64.random(in: power ? 10_000...15_000 : 100...500, using: &random))
    }
  }

  private func restart(_ node: HubSetNode) { node.start(connected: outage <= world.now) }

  private func fault() {
    let what = Double.random(in: 0...1, using: &random)
    let up = world.nodes.filter(\.isUp)
    if what < 0.2 {
      if up.count > 1, let node = up.randomElement(using: &random) { kill(node, power: Double.random(in: 0...1, using: &random) < 0.2) }
    } else if what < 0.4 {
      if let node = world.nodes.filter({ !$0.isUp }).randomElement(using: &random) { restart(node) }
    } else if what < 0.55 {
      let end = world.now + .milliseconds(Int64.random(in: 50...6_000, using: &random))
      outage = max(outage, end)
      // Half of the time the connections seem to hold.
      if Bool.random(using: &random) {
        for node in up where node.isConnected { node.disconnect() }
        world.at(end) { [unowned self] in
          guard outage <= world.now else { return }
          for node in world.nodes where node.isUp && !node.isConnected { node.connect() }
        }
      }
    } else if what < 0.7 {
      cut = Set(world.nodes.map(\.index).shuffled(using: &random).prefix(Int.random(in: 1..<world.nodes.count, using: &random)))
    } else if what < 0.8 {
      cut = []
    } else if what < 0.9 {
      deaf[Int.random(in: 0..<world.nodes.count, using: &random)] = world.now + .milliseconds(Int64.random(in: 50...2_000, using: &random))
    } else {
      leave(Int.random(in: 0..<clients.count, using: &random), silently: Bool.random(using: &random))
    }
  }

  private func repair() {
    cut = []
    deaf = [:]
    outage = 0
    for node in world.nodes where node.isUp && !node.isConnected { node.connect() }
    for node in world.nodes where !node.isUp { restart(node) }
  }

  private var truth: [ParticipantID: UInt64] {
    var truth: [ParticipantID: UInt64] = [:]
    for (index, client) in clients.enumerated() where client.hub != nil { truth[participant(UInt64(index))] = UInt64(client.turn) }
    return truth
  }

  private func compare() {
    let truth = truth
    var isEqual = truth.count == clients.count
    for node in world.nodes where node.isUp && node.own[HubSetWorld.topic]?.isEmpty == false {
      let shown = node.shown[HubSetWorld.topic] ?? [:]
      for (id, turn) in shown {
        if let end = died[id]?[UInt32(turn)] { worstGhost = max(worstGhost, world.now - end) }
      }
      if shown != truth { isEqual = false }
    }
    if !isEqual { converged = nil } else if converged == nil { converged = world.now }
  }

  private func check() {
    if converged == nil { faults.append("presence is never equal") }
    if worstGhost > HubRuns.patience + .milliseconds(600) { faults.append("a ghost for \(worstGhost / .milliseconds(1)) ms") }
    for node in world.nodes where node.isUp {
      let members = Dictionary(uniqueKeysWithValues: node.set.members(of: HubSetWorld.topic, now: node.now).map { ($0.id, $0.connection) })
      if !members.isEmpty, node.own[HubSetWorld.topic]?.isEmpty == false, members != node.shown[HubSetWorld.topic] {
        faults.append("hub \(node.index): who came and went is not who is here")
      }
      check(node)
      for reading in node.clocks.readings where world.isTrue(reading.clock, at: node) != true {
        faults.append("hub \(node.index): clock \(reading.clock) is not within \(reading.error) us of what is known")
      }
    }
  }

  private func check(_ node: HubSetNode) {
    var last: [ParticipantID: [UInt32: UInt64]] = [:]
    var told: [ParticipantID: Set<UInt32>] = [:]
    var heard: Set<[UInt64]> = []
    func tell(_ id: ParticipantID) { told[id] = Set(0...clients[Int(id.high)].turn) }
    for (at, event) in node.events[HubSetWorld.topic] ?? [] {
      switch event {
      case .shows(let id, _): tell(id)
      case .lost(let ids): for id in ids { tell(id) }
      case .said(let id, let turn, let counter):
        if !heard.insert([id.high, UInt64(turn), counter]).inserted {
          faults.append("hub \(node.index): twice: \(id.high) \(turn) \(counter)")
        }
        let before = last[id]?[turn] ?? 0
        if counter <= before {
          faults.append("hub \(node.index): out of order: \(id.high) \(turn) \(counter)")
        } else if counter > before + 1, told[id]?.contains(turn) != true {
          faults.append("hub \(node.index) \(at / .milliseconds(1)) ms: lost unseen: \(id.high) \(turn) \(before)->\(counter)")
        }
        last[id, default: [:]][turn] = counter
        told[id]?.remove(turn)
      }
    }
    guard node.own[HubSetWorld.topic]?.isEmpty == false else { return }
    for (index, client) in clients.enumerated() where client.hub != nil {
      let id = participant(UInt64(index))
      guard let newest = said[id]?[client.turn], (last[id]?[client.turn] ?? 0) < newest, told[id]?.contains(client.turn) != true
      else { continue }
      faults.append("hub \(node.index): the end is lost: \(index) \(client.turn) \(last[id]?[client.turn] ?? 0) of \(newest)")
    }
  }
}

@Suite("A set of hubs among faults")
struct HubSetRandomTests {
  /// 300 rooms, or as many as `make test-random-hubs` asks for, in six parts that run beside each other.
  private static let parts: [Range<UInt64>] = {
    func setting(_ name: String) -> UInt64? { getenv(name).flatMap { UInt64(String(cString: $0)) } }
    let first = setting("UNISONO_SEARCH_SEED") ?? 0
    let count = setting("UNISONO_SEARCH_RUNS") ?? 300
    return (0..<6 as Range<UInt64>).map { (part: UInt64) -> Range<UInt64> in
      let (begin, end) = (count * part / 6, count * (part + 1) / 6)
      return first + begin..<first + end
    }
  }()

  @Test("N3: whatever fails, nobody hears twice, nothing is lost unseen, no ghost stays, and all agree", arguments: parts)
  func random(seeds: Range<UInt64>) {
    for seed in seeds {
      let room = RandomRoom(seed: seed)
      room.run()
      #expect(room.faults.isEmpty, "seed \(seed): \(room.faults.prefix(3))")
    }
  }
}
