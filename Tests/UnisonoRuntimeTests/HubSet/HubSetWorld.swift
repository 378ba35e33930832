import UnisonoBase
import UnisonoCrypto
import UnisonoReplica
import UnisonoWire

@testable import UnisonoRuntime

/// Several hubs of a set on virtual time, and a network between them that may lose, double and delay.
final class HubSetWorld {
  /// One message on its way to one hub.
  struct Message {
    let from: Int
    let to: Int
    let subject: String
    let bytes: [UInt8]
  }

  private struct Event {
    let at: HostTime
    let number: Int
    let work: () -> Void
  }

  static let topic = [UInt8](repeating: 7, count: 32)
  static let keys = HubSetKeys(Secret { [UInt8](repeating: 5, count: $0) })

  private(set) var now: HostTime = 0
  private(set) var nodes: [HubSetNode] = []
  private(set) var messages: [Message] = []
  private(set) var random: SplitMix64
  private var events: [Event] = []
  private var lastEvent = 0
  private var lastArrival: [[Int]: HostTime] = [:]
  /// true: the message is lost.
  var isLost: (Message) -> Bool = { _ in false }
  /// How often one comes twice, and how often one comes late and behind others.
  var doubled = 0.0
  var late = 0.0
  var keepsMessages = false
  /// A delay more for some messages.
  var delay: (Message) -> Nanoseconds = { _ in 0 }

  /// `drifts`: how much faster than the world's time each machine's goes, ns per ns.
  init(hubs: Int, seed: UInt64 = 1, keys: HubSetKeys? = HubSetWorld.keys, drifts: [Double] = []) {
    random = SplitMix64(seed: seed)
    for index in 0..<hubs {
      nodes.append(HubSetNode(index: index, keys: keys, drift: index < drifts.count ? drifts[index] : 0, world: self))
    }
    for node in nodes { node.start() }
  }

  func number(_ range: ClosedRange<Double>) -> Double { Double.random(in: range, using: &random) }
  func pick(_ range: Range<Int>) -> Int { Int.random(in: range, using: &random) }

  func at(_ time: HostTime, _ work: @escaping () -> Void) {
    lastEvent += 1
    let event = Event(at: max(time, now), number: lastEvent, work: work)
    var low = 0
    var high = events.count
    // Latest first: the next one is at the end.
    while low < high {
      let middle = (low + high) / 2
      if (events[middle].at, events[middle].number) > (event.at, event.number) { low = middle + 1 } else { high = middle }
    }
    events.insert(event, at: low)
  }

  func run(for time: Nanoseconds) {
    let end = now.adding(time)
    while let event = events.last, event.at <= end {
      events.removeLast()
      now = max(now, event.at)
      event.work()
    }
    now = end
  }

  func publish(_ bytes: [UInt8], on subject: String, from sender: HubSetNode) {
    for receiver in nodes where receiver !== sender {
      let message = Message(from: sender.index, to: receiver.index, subject: subject, bytes: bytes)
      if keepsMessages { messages.append(message) }
      guard sender.isConnected, receiver.subjects.contains(subject), !isLost(message) else { continue }
      let way = Nanoseconds.microseconds(Int64(number(300...8_000))) + delay(message)
      // In order, as by one connection.
      var arrival = max(now.adding(way), lastArrival[[sender.index, receiver.index]] ?? 0)
      lastArrival[[sender.index, receiver.index]] = arrival
      if late > 0, number(0...1) < late { arrival = arrival.adding(.milliseconds(Int64(number(1...300)))) }
      deliver(message, at: arrival)
      if doubled > 0, number(0...1) < doubled { deliver(message, at: arrival.adding(.milliseconds(Int64(number(0...500))))) }
    }
  }

  /// Whether what a hub knows of a clock is true now; nil: nothing is known.
  func isTrue(_ clock: ClockID, at node: HubSetNode) -> Bool? {
    let report = node.clocks
    guard let reading = report.readings.first(where: { $0.clock == clock }), let time = nodes.lazy.compactMap({ $0.time(of: clock) }).first
    else { return nil }
    let truth = time.subtracting(node.time)
    return report.at == node.time && reading.offset.subtracting(truth).absolute <= .microseconds(Int64(reading.error))
  }

  func deliver(_ message: Message, at time: HostTime) {
    at(time) { [self] in nodes[message.to].receive(message.bytes, on: message.subject) }
  }
}

/// One hub of the world: a `HubSet`, and what a hub does with it.
final class HubSetNode {
  enum Event: Equatable {
    case shows(ParticipantID, turn: UInt64?)
    case said(ParticipantID, turn: UInt32, counter: UInt64)
    case lost([ParticipantID])
  }

  let index: Int
  private let keys: HubSetKeys?
  private unowned let world: HubSetWorld
  private(set) var set: HubSet!
  private(set) var run = HubRunID.none
  private(set) var starts = 0
  private(set) var subjects: Set<String> = []
  private(set) var isConnected = false
  private(set) var isUp = false
  /// Host time of this machine less that of the world at the world's time 0, and how much faster it goes.
  let offset: Nanoseconds
  private let drift: Double
  private(set) var clock = ClockID.none
  /// What members here would be told of the others' clocks, each time.
  private(set) var toldClocks: [(at: HostTime, report: ClockReport)] = []
  private(set) var zero: HostTime = 0
  /// Zeros of all clocks that it ever had.
  private var zeros: [ClockID: HostTime] = [:]
  private var armed = HostTime.max
  /// Turns of own members, by topic.
  private(set) var own: [[UInt8]: [ParticipantID: UInt32]] = [:]
  /// Turns as members here are shown them, by topic.
  private(set) var shown: [[UInt8]: [ParticipantID: UInt64]] = [:]
  private(set) var events: [[UInt8]: [(at: HostTime, event: Event)]] = [:]
  private(set) var failures: [String] = []
  private(set) var looked: [(topic: [UInt8], at: HostTime)] = []
  private(set) var reconnects = 0
  private(set) var deliveries: [(envelope: [UInt8], to: [ParticipantID]?, mayDrop: Bool)] = []
  /// What was told of audiences at other hubs: how they stand, how many listen, and what these say.
  private(set) var standings: [AudienceStanding] = []
  private(set) var counted: [AudienceCount] = []
  private(set) var hands: [[UInt8]] = []
  /// Subjects of what it published.
  private(set) var published: [String] = []
  /// Somebody's newest connection was closed as replaced, or not let in.
  var isWrong: (ParticipantID, UInt32) -> Void = { _, _ in }
  /// Its connections that were closed as replaced.
  private(set) var closed: [(id: ParticipantID, turn: UInt32)] = []

  init(index: Int, keys: HubSetKeys?, drift: Double, world: HubSetWorld) {
    self.index = index
    self.keys = keys
    self.drift = drift
    self.world = world
    offset = .seconds(10_000 + 5_000 * Int64(index))
  }

  var now: HostTime { hostTime(at: world.now) }
  private func hostTime(at time: HostTime) -> HostTime { time.adding(offset).adding(time.scaled(by: drift)) }

  /// The world's time when it is `host` here, or just after.
  private func worldTime(at host: HostTime) -> HostTime {
    let length = host.subtracting(offset)
    var time = length.subtracting(length.scaled(by: drift / (1 + drift)))
    while hostTime(at: time) < host { time += 1 }
    return time
  }

  var hub: [UInt8] { [UInt8](repeating: UInt8(index + 1), count: 16) }
  /// This hub's clock now.
  var time: HubTime { now.subtracting(zero) }
  /// What a clock of this hub shows now, or would show; nil: it had none of that name.
  func time(of clock: ClockID) -> HubTime? { zeros[clock].map { now.subtracting($0) } }

  func start(hub: [UInt8]? = nil, connected: Bool = true) {
    starts += 1
    isUp = true
    run = HubRunID(high: UInt64(index + 1), low: UInt64(starts))
    clock = ClockID(high: UInt64(index + 1), low: UInt64(starts))
    zero = now.subtracting(.seconds(3_600 * Int64(index + 1)))
    zeros[clock] = zero
    subjects = []
    own = [:]
    shown = [:]
    events = [:]
    armed = .max
    set = HubSet(
      HubSetOptions(
        keys: keys, run: run, hub: hub ?? self.hub, clock: clock, clockZero: zero, addresses: ["hub\(index).example:4747"]), now: now)
    if connected { connect() } else { follow() }
  }

  func connect() {
    isConnected = true
    set.connected(now: now)
    follow()
  }

  func disconnect() {
    isConnected = false
    set.disconnected(now: now)
    follow()
  }

  func kill() {
    isUp = false
    isConnected = false
    subjects = []
  }

  func receive(_ bytes: [UInt8], on subject: String) {
    guard isUp, isConnected, subjects.contains(subject) else { return }
    set.message(bytes, on: subject, at: now, now: now)
    follow()
  }

  /// false: it is here, or elsewhere, with a turn that is as great.
  @discardableResult
  func enter(_ id: ParticipantID, turn: UInt32, topic: [UInt8] = HubSetWorld.topic) -> Bool {
    if let known = set.turn(of: id, in: topic), known >= turn {
      isWrong(id, turn)
      return false
    }
    let isFirst = own[topic, default: [:]].isEmpty
    own[topic, default: [:]][id] = turn
    set.entered(topic, id, turn: turn, now: now)
    follow()
    if isFirst {
      let members = Dictionary(uniqueKeysWithValues: set.members(of: topic, now: now).map { ($0.id, $0.connection) })
      let changed = Set(members.keys).union((shown[topic] ?? [:]).keys).filter { members[$0] != shown[topic]?[$0] }
      for id in changed.sorted() { log(.shows(id, turn: members[id]), topic) }
      shown[topic] = members
    }
    return true
  }

  func leave(_ id: ParticipantID, left: Bool = true, topic: [UInt8] = HubSetWorld.topic) {
    guard let turn = own[topic]?.removeValue(forKey: id) else { return }
    set.gone(topic, id, turn: turn, left: left, now: now)
    follow()
  }

  func say(
    _ id: ParticipantID, _ counter: UInt64, to: [ParticipantID]? = nil, length: Int = 578, mayDrop: Bool = false,
    topic: [UInt8] = HubSetWorld.topic
  ) {
    guard let turn = own[topic]?[id] else { return }
    log(.said(id, turn: turn, counter: counter), topic)
    let header = EnvelopeHeader(
      kind: .ordered, epoch: EpochID(high: 1, low: 1), sender: id, lane: Lane(index: turn, random: 0), counter: counter)
    let envelope = header.bytes + [UInt8](repeating: 0, count: length - EnvelopeHeader.length)
    set.said(topic, from: id, to: to, mayDrop: mayDrop, envelope: envelope, now: now)
    follow()
  }

  /// What a publisher says.
  func stageEnvelope(_ id: ParticipantID, _ counter: UInt64) -> [UInt8] {
    let header = EnvelopeHeader(
      kind: .stage, epoch: EpochID(high: 1, low: 1), sender: id, lane: Lane(index: 1, random: 0), counter: counter)
    return header.bytes + [UInt8](repeating: 0, count: 528)
  }

  var clocks: ClockReport { self.set.clockReport(now: now) }

  func call(_ body: (HubSet) -> Void) {
    body(set)
    follow()
  }

  /// What was said, as it was heard here.
  func said(topic: [UInt8] = HubSetWorld.topic) -> [Event] {
    (events[topic] ?? []).map(\.event).filter { if case .said = $0 { true } else { false } }
  }

  /// Who was named in LOST, in order.
  func lost(topic: [UInt8] = HubSetWorld.topic) -> [[ParticipantID]] {
    (events[topic] ?? []).compactMap { if case .lost(let ids) = $0.event { ids } else { nil } }
  }

  func changes(topic: [UInt8] = HubSetWorld.topic, since: HostTime = 0) -> Int {
    (events[topic] ?? []).count { if case .shows = $0.event { $0.at >= since } else { false } }
  }

  private func log(_ event: Event, _ topic: [UInt8]) { events[topic, default: []].append((world.now, event)) }

  private func follow() {
    while set.hasEffects {
      for effect in set.takeEffects() { follow(effect) }
    }
    let wake = set.nextWake
    guard wake < armed else { return }
    armed = wake
    let start = starts
    world.at(worldTime(at: wake)) { [self] in
      guard isUp, start == starts, armed == wake else { return }
      armed = .max
      set.tick(now: now)
      follow()
    }
  }

  private func follow(_ effect: HubSetEffect) {
    switch effect {
    case .publish(let bytes, let subject):
      published.append(subject)
      world.publish(bytes, on: subject, from: self)
    case .subscribe(let subject): subjects.insert(subject)
    case .unsubscribe(let subject): subjects.remove(subject)
    case .flush: break
    case .reconnect: reconnects += 1
    case .joined(let topic, let member):
      shown[topic, default: [:]][member.id] = member.connection
      log(.shows(member.id, turn: member.connection), topic)
    case .gone(let topic, let departure):
      if shown[topic]?[departure.id] == departure.connection { shown[topic]?[departure.id] = nil }
      log(.shows(departure.id, turn: nil), topic)
    case .deliver(let topic, let envelope, let to, let mayDrop, _):
      deliveries.append((envelope, to, mayDrop))
      guard let header = try? EnvelopeHeader(envelope: envelope) else { return }
      log(.said(header.sender, turn: header.lane.index, counter: header.counter), topic)
    case .clocks(let report): toldClocks.append((world.now, report))
    case .lost(let topic, let ids): log(.lost(ids), topic)
    case .replaced(let topic, let id, let turn):
      guard own[topic]?[id] == turn else { return }
      isWrong(id, turn)
      closed.append((id, turn))
      own[topic]?[id] = nil
      set.gone(topic, id, turn: turn, left: false, now: now)
    case .looked(let topic): looked.append((topic, world.now))
    case .fail(let text): failures.append(text)
    case .audience(_, let standing, _): standings.append(standing)
    case .counted(_, let count): counted.append(count)
    case .hand(_, let envelope): hands.append(envelope)
    case .log: break
    }
  }
}

func participant(_ number: UInt64) -> ParticipantID { ParticipantID(high: number, low: number) }
