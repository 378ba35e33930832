@testable import UnisonoBase
@testable import UnisonoCoordination
@testable import UnisonoReplica
import UnisonoWire

/// A harness for tests of one rule: participants, a hub with one delay for all, hosts that obey after a while.
///
/// Virtual time; nothing is random but what a test asks for. The simulator has the large one.
struct RuleHarness {
  struct Delivery {
    var at: HostTime
    var order: Int
    var receiver: Int
    var event: CoordinationEvent
  }

  var nodes: [Coordination] = []
  var ids: [ParticipantID] = []
  var now: HostTime = .seconds(100)
  var delay: Nanoseconds = .milliseconds(10)
  /// Each message may take this much longer; those of one sender to one receiver stay in order.
  var jitter: Nanoseconds = 0
  var random = SplitMix64(seed: 0)
  /// Whose messages the hub keeps from whom.
  var hidden: [(sender: Int, receiver: Int)] = []
  /// What comes to one participant at one instant is of one turn of its, as where a process was kept waiting; else of several.
  var readsAtOnce = false
  private var lastArrival: [Int: HostTime] = [:]
  /// From a seek or buffer command to its completion; nil: never.
  var hostLatency: [Nanoseconds?] = []
  var commands: [[PlaybackCommand]] = []
  var notices: [[CoordinationEffect]] = []
  private var queue: [Delivery] = []
  private var sent = 0

  static let policy = PolicyID(high: 1, low: 1)
  /// The hub that all are in, and what its clock shows beyond virtual time.
  var hub = ClockID(high: 9, low: 9)
  var hubOffset: Nanoseconds = 0
  /// What all state as the bound of their clocks' errors.
  var clockError: Nanoseconds = .microseconds(500)

  /// Adds a participant that is not linked.
  mutating func add(_ id: UInt64, isCreator: Bool = false, participates: Bool = true, origin: PolicyOrigin = PolicyOrigin()) {
    let local = ParticipantID(high: id, low: 0)
    ids.append(local)
    nodes.append(
      Coordination(
        Coordination.Configuration(
          local: local, incarnation: id, displayName: "p\(id)", deviceName: "", seed: id, isCreator: isCreator,
          policy: RuleHarness.policy, origin: origin, participates: participates, hash: RuleHarness.hash,
          digestInput: StatementBody.digestInput)))
    hostLatency.append(.milliseconds(20))
    commands.append([])
    notices.append([])
  }

  /// A hash good enough to tell sets of registers apart.
  static func hash(_ bytes: [UInt8]) -> [UInt8] {
    var word: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in bytes { word = (word ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
    let eight = (0..<8).map { UInt8(truncatingIfNeeded: word >> UInt64(8 * $0)) }
    return eight + eight + eight + eight
  }

  var linked: Set<Int> = []
  /// In the order in which they came.
  private(set) var roster: [ParticipantID] = []

  /// Lets a participant into the hub. `measured`: it has measured the hub's clock by then already, and that much of it is wrong.
  mutating func link(_ index: Int, synchronised: Bool = true, measured wrong: Nanoseconds? = nil) {
    let members = linked.sorted().map { Member(id: ids[$0], connection: UInt64($0) + 1, age: 1_000 * UInt32(max(0, 10 - $0))) }
    let own = Member(id: ids[index], connection: UInt64(index) + 1, age: 0)
    for other in linked { give(.presence(joined: [own], gone: []), to: other) }
    linked.insert(index)
    give(.linkUp(members: members, clock: hub), to: index)
    if let wrong {
      hubOffset += wrong
      synchronise(index)
      hubOffset -= wrong
    }
    give(.secured, to: index)
    if !roster.contains(ids[index]) { roster.append(ids[index]) }
    for other in linked.sorted() { give(.roster(roster), to: other) }
    if synchronised, wrong == nil { synchronise(index) }
  }

  mutating func synchronise(_ index: Int) {
    let model = ClockModel(hostTime: now, remoteTime: now + hubOffset, errorBound: clockError)
    give(.clock(model, roundTrip: delay * 2), to: index)
  }

  mutating func unlink(_ index: Int, left: Bool = false) {
    linked.remove(index)
    give(.linkDown, to: index)
    for other in linked {
      give(
        .presence(joined: [], gone: [Departure(id: ids[index], connection: UInt64(index) + 1, left: left)]), to: other)
    }
  }

  /// Feeds an event and ends the turn.
  mutating func give(_ event: CoordinationEvent, to index: Int) {
    carryOut(nodes[index].handle(event, now: now), of: index)
    carryOut(nodes[index].settle(now: now), of: index)
  }

  mutating func run(_ length: Nanoseconds) {
    let end = now + length
    while true {
      let delivery = queue.enumerated().min { ($0.element.at, $0.element.order) < ($1.element.at, $1.element.order) }
      let wake = nodes.indices.compactMap { index in nodes[index].nextWake.map { (at: max($0, now), index: index) } }
        .min { $0.at < $1.at }
      if let delivery, delivery.element.at <= end, delivery.element.at <= wake?.at ?? .max {
        now = max(now, delivery.element.at)
        queue.remove(at: delivery.offset)
        let receiver = delivery.element.receiver
        if readsAtOnce, queue.contains(where: { $0.receiver == receiver && $0.at <= now }) {
          carryOut(nodes[receiver].handle(delivery.element.event, now: now), of: receiver)
        } else {
          give(delivery.element.event, to: receiver)
        }
      } else if let wake, wake.at <= end {
        now = wake.at
        give(.tick, to: wake.index)
      } else {
        now = end
        return
      }
    }
  }

  private mutating func carryOut(_ effects: [CoordinationEffect], of index: Int) {
    for effect in effects {
      switch effect {
      case .send(let message, let receiver):
        guard linked.contains(index) else { continue }
        for other in linked.sorted() where other != index && (receiver == nil || receiver == ids[other]) {
          if hidden.contains(where: { $0 == (index, other) }) { continue }
          let pair = index * 100 + other
          let later = jitter > 0 ? Int64.random(in: 0...jitter, using: &random) : 0
          let arrival = max(now + delay + later, lastArrival[pair] ?? now)
          lastArrival[pair] = arrival
          post(.message(message, from: ids[index]), to: other, after: arrival - now)
        }
      case .playback(.command(let command)):
        commands[index].append(command)
        guard let latency = hostLatency[index] else { continue }
        post(.completed(command: command.id), to: index, after: latency)
      default:
        notices[index].append(effect)
      }
    }
  }

  private mutating func post(_ event: CoordinationEvent, to receiver: Int, after: Nanoseconds) {
    sent += 1
    queue.append(Delivery(at: now + after, order: sent, receiver: receiver, event: event))
  }

  func position(of index: Int) -> ItemTime {
    let timing = nodes[index].view.timing
    return (now >= timing.line.since ? timing.line : timing.prior ?? timing.line).position(at: now)
  }

  func pair(of item: ItemID, at index: Int) -> Pair? { nodes[index].facts.registers.cells(of: item)?.pair }

  func kinds(of index: Int) -> [PlaybackCommand.Kind] { commands[index].map(\.kind) }

  /// `count` participants, joined, on item "X", paused at 0, no commands left to see.
  static func joined(_ count: Int, origin: PolicyOrigin = PolicyOrigin()) -> RuleHarness {
    var room = RuleHarness()
    for index in 0..<count {
      room.add(UInt64(index) + 1, isCreator: index == 0, origin: origin)
      room.link(index)
      room.run(.milliseconds(500))
      room.give(.transition(to: "X", proposal: nil), to: index)
      room.run(.milliseconds(500))
    }
    room.run(.seconds(3))
    for index in 0..<count {
      room.commands[index] = []
      room.notices[index] = []
    }
    return room
  }

  /// As `joined`, playing for two seconds.
  static func playing(_ count: Int, origin: PolicyOrigin = PolicyOrigin()) -> RuleHarness {
    var room = RuleHarness.joined(count, origin: origin)
    room.give(.rateChange(rate: 1, immediately: false), to: 0)
    room.run(.seconds(2))
    for index in 0..<count { room.commands[index] = [] }
    return room
  }

  var statuses: Set<TimingStatus> { Set(nodes.map(\.view.timing.status)) }

  /// All have the same status and position.
  var isInStep: Bool { statuses.count == 1 && Set(nodes.indices.map { position(of: $0) }).count == 1 }
}
