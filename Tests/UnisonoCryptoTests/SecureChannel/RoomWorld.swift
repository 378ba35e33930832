import UnisonoBase
import UnisonoCoordination
import UnisonoReplica
import UnisonoWire

@testable import UnisonoCrypto

/// Secure rooms around a forwarder in memory: one delay for all, virtual time, seeded bytes.
final class RoomWorld {
  /// One participant and all that its room told.
  final class Node {
    var room: SecureChannel { didSet { wake = nil } }
    /// When the room is to be woken, as long as nothing happens to it; nil: not looked at since something did.
    private var wake: HostTime??
    let id: ParticipantID
    fileprivate(set) var connection: UInt64?
    fileprivate(set) var entered: HostTime = 0
    fileprivate(set) var secured = 0
    fileprivate(set) var delivered: [(message: CoordinationMessage, from: ParticipantID)] = []
 /// Of coordinators beside the first one.
 var named: [(name: CoordinatorName, message: CoordinationMessage, from: ParticipantID)] = []
    fileprivate(set) var others: [(message: InnerMessage, from: ParticipantID)] = []
    var chats: [(saying: ChatSaying, sender: ParticipantID)] = []
    fileprivate(set) var refusals: [(sender: ParticipantID, reason: ChannelRefusal)] = []
    fileprivate(set) var logs: [String] = []
    fileprivate(set) var splits: [(at: HostTime, change: SplitChange)] = []
    fileprivate(set) var moves: [(secrets: RoomSecrets, isLate: Bool)] = []
    fileprivate(set) var unanswered = 0
    /// Why members did not let it in.
    fileprivate(set) var declines: [DeclineMessage.Reason] = []
    var full: Int { declines.count { $0 == .full } }

    /// Goes by other records than honest code makes.
    func forge(_ change: (inout RoomRecords) -> Void) {
      var records = room.records
      change(&records)
      room = room.replacing(records: records)
    }

    /// Introductions of others got lost, or never came.
    func forgetIntroductions(of id: ParticipantID) {
      var introductions = room.introductions
      introductions.retain { $0 != id }
      room = room.replacing(introductions: introductions)
    }

    func isIntroduced(_ new: [Introduction]) {
      var introductions = room.introductions
      for one in new { _ = introductions.add(one) }
      room = room.replacing(introductions: introductions)
    }

    fileprivate(set) var ignored: [(sender: ParticipantID, reason: ChannelRefusal, until: HostTime)] = []
    fileprivate(set) var notices: [[PolicyLevel]] = []
    fileprivate(set) var ends: [EndNotice] = []
    /// Marks it, for a test.
    var label = 0
    /// Answers nobody, as a process that hangs.
    var isDeaf = false
    /// Gets what comes instead of the room, which then does nothing by itself: somebody who says what it likes.
    var takes: (([UInt8]) -> Void)?

    fileprivate init(_ room: SecureChannel) {
      self.room = room
      id = room.identity.id
    }

    var isLinked: Bool { connection != nil }
    /// Host time at which the room wants to be woken.
    fileprivate var nextWake: HostTime? {
      if let wake { return wake }
      let next = room.nextWake
      wake = .some(next)
      return next
    }
    /// Roster record that it speaks in.
    var record: RecordID? { room.records.current }
    var number: UInt32? { record.flatMap { room.records[$0]?.record.number } }
    func refused(_ reason: ChannelRefusal) -> Int { refusals.count { $0.reason == reason } }
    func forgetWhatCame() {
      delivered = []
      others = []
      refusals = []
      moves = []
      splits = []
    }
    /// Who could not be read for so long that it was told, and is not over.
    var unreadable: Set<ParticipantID> {
      splits.reduce(into: []) { ids, entry in
        if entry.change.isOver { ids.remove(entry.change.participant) } else { ids.insert(entry.change.participant) }
      }
    }
    /// Numbers of the application messages that came from one.
    func numbers(from sender: Node) -> [UInt64] {
      others.compactMap { entry in
        if case .data(let number, _, _, _, _) = entry.message, entry.from == sender.id { number } else { nil }
      }
    }
  }

  static let origin = Origin(root: ParticipantID(high: 1, low: 1), controlPolicy: 0, joinerRole: 2)

  let doorSecret: Secret
  let door: Door
  private(set) var now: HostTime = .seconds(1_000)
  var delay: Nanoseconds = .milliseconds(10)
  private(set) var nodes: [Node] = []
  /// Who made the session: known to those who are added after it.
  private var root = ParticipantID.none
  /// All that went through the forwarder.
  private(set) var recording: [(envelope: [UInt8], to: [ParticipantID]?)] = []

  private struct Event {
    var at: HostTime
    var order: Int
    var run: () -> Void
  }
  private var events: [Event] = []
  private var orders = 0
  private var connections: UInt64 = 0
  /// What the hub keeps from whom, by speaker and listener; nil: nothing.
  var drops: ((Node, Node) -> Bool)?
  private var dice: Dice
  private var messages: UInt64 = 0

  init(seed: UInt64 = 1) {
    dice = Dice(seed: seed)
    var drawn = Dice(seed: seed ^ 0xD00)
    doorSecret = Secret { drawn.bytes($0) }
    door = Door(session: Self.origin.session, secret: doorSecret)
  }

  /// SplitMix64.
  struct Dice: RandomNumberGenerator {
    private var state: UInt64
    init(seed: UInt64) { state = seed }
    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var z = state
      z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
      z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
      return z ^ (z >> 31)
    }
    mutating func bytes(_ count: Int) -> [UInt8] {
      (0..<count).map { _ in UInt8(truncatingIfNeeded: next() >> 32) }
    }
  }

  // MARK: People

  /// `door`: of the room that the others moved to; nil: the first one.
  func add(isCreator: Bool = false, door: Door? = nil) -> Node {
    final class Source { var dice: Dice; init(_ dice: Dice) { self.dice = dice } }
    let source = Source(Dice(seed: dice.next()))
    let random: (Int) -> [UInt8] = { source.dice.bytes($0) }
    let identity = Identity(random: random)
    if isCreator { root = identity.id }
    let node = Node(
      SecureChannel(door: door ?? self.door, identity: identity, root: root, isCreator: isCreator, random: random))
    nodes.append(node)
    return node
  }

  /// A creator and guests who all have the key.
  func room(of count: Int) -> [Node] {
    let everyone = (0..<count).map { add(isCreator: $0 == 0) }
    for node in everyone {
      enter(node)
      run(.seconds(1))
    }
    for node in everyone { node.forgetWhatCame() }
    return everyone
  }

  /// Enters the forwarder's room. `seenBy`: only these, as a hub may do that hides somebody; nil: all.
  func enter(_ node: Node, seenBy: [Node]? = nil) {
    connections += 1
    let others = nodes.filter { other in
      other !== node && other.isLinked && (seenBy.map { $0.contains { $0 === other } } ?? true)
    }
    node.connection = connections
    node.entered = now
    let own = Member(id: node.id, connection: connections, age: 0)
    let members = others.map { other in
      Member(
        id: other.id, connection: other.connection ?? 0, age: UInt32(clamping: (now - other.entered) / .seconds(1)))
    }
    for other in others { after(delay) { self.presence(joined: [own], gone: [], at: other) } }
    let mine = connections
    after(delay) {
      guard node.connection == mine, node.takes == nil else { return }
      self.carryOut(node.room.entered(members: members, now: self.now), of: node)
    }
  }

  /// The hub shows two to each other whom it hid.
  func meet(_ one: Node, _ other: Node) {
    for (node, shown) in [(one, other), (other, one)] {
      claim(joined: [Member(id: shown.id, connection: shown.connection ?? 0, age: 100_000)], at: node)
    }
  }

  /// Whether what `speaker` says can be opened with the keys that `listener` has or can derive.
  func opens(_ speaker: Node, with listener: Node) -> Bool {
    guard let header = try? EnvelopeHeader(envelope: sealed(by: speaker)) else { return false }
    var records = listener.room.records
    return records.record(of: header.epoch).flatMap { records.key(of: $0, now: now) } != nil
  }

  func cut(_ node: Node) {
    guard let connection = node.connection else { return }
    node.connection = nil
    node.room.linkDown(now: now)
    let gone = Departure(id: node.id, connection: connection, left: false)
    for other in nodes where other.isLinked { after(delay) { self.presence(joined: [], gone: [gone], at: other) } }
  }

  /// What the hub says to one participant alone, true or not.
  func claim(joined: [Member] = [], gone: [Departure] = [], at node: Node) {
    carryOut(node.room.presence(joined: joined, gone: gone, now: now), of: node)
  }

  private func presence(joined: [Member], gone: [Departure], at node: Node) {
    guard node.isLinked, node.takes == nil else { return }
    carryOut(node.room.presence(joined: joined, gone: gone, now: now), of: node)
  }

  // MARK: Words

  /// Sends an application message; its number.
  @discardableResult
  func say(_ node: Node, to: [Node]? = nil, unordered: Bool = false) -> UInt64 {
    messages += 1
    let message = InnerMessage.data(number: messages, bytes: [1, 2, 3])
    carryOut(node.room.send(message, to: to?.map(\.id), unordered: unordered, now: now), of: node)
    return messages
  }

  func send(_ message: CoordinationMessage, from node: Node, to receiver: Node? = nil) {
    carryOut(node.room.send(message, to: receiver?.id, now: now), of: node)
  }

  func send(_ message: CoordinationMessage, of coordinator: CoordinatorName, from node: Node) {
    carryOut(node.room.send(message, of: coordinator, to: nil, now: now), of: node)
  }

  func sendPrivately(_ message: InnerMessage, from node: Node, to receivers: [Node], unordered: Bool = false) {
    carryOut(
      node.room.sendPrivately(message, to: receivers.map(\.id), unordered: unordered, now: now), of: node)
  }

  func rekey(_ node: Node, _ secrets: RoomSecrets) {
    carryOut(node.room.sendRekey(secrets, now: now), of: node)
  }

  func beginAnew(_ node: Node, _ secrets: RoomSecrets) {
    carryOut(node.room.refresh(secrets, now: now), of: node)
  }

  func send(_ message: InnerMessage, from node: Node, to receiver: Node) {
    carryOut(node.room.send(message, to: [receiver.id], now: now), of: node)
  }

  /// Whether what `speaker` says now reaches `listener`.
  func hears(_ listener: Node, _ speaker: Node) -> Bool {
    let number = say(speaker)
    run(delay * 2 + 1)
    return listener.numbers(from: speaker).contains(number)
  }

  /// Gives an envelope to one participant, as a hub may that replays or bends.
  func inject(_ envelope: [UInt8], into node: Node) {
    carryOut(node.room.received(envelope, now: now), of: node)
  }

  /// What `node` would send, without sending it.
  func sealed(by node: Node, unordered: Bool = false, content: [UInt8]? = nil) -> [UInt8] {
    messages += 1
    let content = content ?? InnerMessage.data(number: messages, bytes: [1]).encoded
    let effects = node.room.send(to: nil, unordered: unordered, now: now) { _ in content }
    for case .transmit(let envelope, _) in effects.reversed() { return envelope }
    return []
  }

  private func carryOut(_ effects: [ChannelEffect], of node: Node) {
    for effect in effects {
      switch effect {
      case .transmit(let envelope, let to): forward(envelope, from: node, to: to)
      case .secured: node.secured += 1
      case .deliver(let message, let sender): node.delivered.append((message, sender))
      case .deliverNamed(let name, let message, let sender): node.named.append((name, message, sender))
      case .other(let message, let sender): node.others.append((message, sender))
      case .chat(let saying, let sender): node.chats.append((saying, sender))
      case .relocates(let secrets, let isLate): node.moves.append((secrets, isLate))
      case .nobodyAnswers: node.unanswered += 1
      case .relocationNotice(let levels): node.notices.append(levels)
      case .endNotice(let notice): node.ends.append(notice)
      case .declined(let reason): node.declines.append(reason)
      case .ignored(let sender, let reason, let until): node.ignored.append((sender, reason, until))
      case .refused(let sender, let reason): node.refusals.append((sender, reason))
      case .split(let change): node.splits.append((now, change))
      case .log(_, let text): node.logs.append(text)
      }
    }
  }

  /// Gives an envelope to the forwarder, as `node` may that says what it likes.
  func forward(_ envelope: [UInt8], from node: Node, to: [ParticipantID]? = nil) {
    recording.append((envelope, to))
    guard node.isLinked else { return }
    for other in nodes where other !== node && other.isLinked && (to?.contains(other.id) ?? true) {
      if let drops, drops(node, other) { continue }
      let connection = other.connection
      after(delay * 2) {
        guard other.connection == connection, !other.isDeaf else { return }
        if let takes = other.takes { return takes(envelope) }
        self.inject(envelope, into: other)
      }
    }
  }

  // MARK: Time

  private func after(_ wait: Nanoseconds, _ run: @escaping () -> Void) {
    orders += 1
    events.append(Event(at: now + wait, order: orders, run: run))
  }

  func run(_ length: Nanoseconds) {
    let end = now + length
    while step(until: end) {}
    now = end
  }

  /// Runs until `condition` holds; false when it did not within `limit`.
  func run(atMost limit: Nanoseconds, until condition: () -> Bool) -> Bool {
    let end = now + limit
    while !condition() {
      guard step(until: end) else {
        now = end
        return condition()
      }
    }
    return true
  }

  /// Lets go of everybody, and of what refers back to this world: thousands are made one after the other.
  func close() {
    for node in nodes { node.takes = nil }
    (nodes, events, recording, drops) = ([], [], [], nil)
  }

  private func step(until end: HostTime) -> Bool {
    let next = events.indices.min { (events[$0].at, events[$0].order) < (events[$1].at, events[$1].order) }
    let wake = nodes.lazy.compactMap { $0.isLinked ? $0.nextWake : nil }.min()
    if let wake, wake <= end, next.map({ wake < events[$0].at }) ?? true {
      now = max(now, wake)
      for node in nodes where node.isLinked && node.nextWake.map({ $0 <= now }) ?? false {
        carryOut(node.room.tick(now: now), of: node)
      }
      return true
    }
    guard let next, events[next].at <= end else { return false }
    let event = events.remove(at: next)
    now = max(now, event.at)
    event.run()
    return true
  }
}
