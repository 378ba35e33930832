import HeapModule
import UnisonoBase
import UnisonoCoordination
import UnisonoReplica
import UnisonoWire

/// Many coordinations on virtual time, a hub with one delay for all, and players that obey at their own speed.
///
/// Nothing is lost and nothing jitters: it is there to count and to be timed. A turn of a participant's loop reads all that came
/// within two milliseconds, as a loop does that is busy with a large group.
struct BenchRoom {
  /// A message on its way. All take equally long, so they arrive in the order in which they were sent.
  private struct Delivery {
    var at: HostTime
    var receiver: Int
    var message: CoordinationMessage
    var sender: ParticipantID
  }

  /// Something that a player says later.
  private struct Word: Comparable {
    var at: HostTime
    var order: Int
    var player: Int
    var event: CoordinationEvent

    static func < (left: Self, right: Self) -> Bool { (left.at, left.order) < (right.at, right.order) }
    static func == (left: Self, right: Self) -> Bool { left.order == right.order }
  }

  private var nodes: [Coordination] = []
  private var ids: [ParticipantID] = []
  private var wakes: [HostTime] = []
  private var deliveries: [Delivery] = []
  private var delivered = 0
  private var words = Heap<Word>()
  private var spoken = 0
  private var now: HostTime = .seconds(100)
  private let delay: Nanoseconds = .milliseconds(20)
  private static let turn: Nanoseconds = .milliseconds(2)
  private static let hub = ClockID(high: 9, low: 9)
  static let item: ItemID = "file:///films/a-film-with-a-name.mkv"

  /// Messages that participants handed to the hub for everybody, heartbeats not counted.
  private(set) var messages = 0
  /// Those for one: what comes of heartbeats that differed twice, as news was on its way.
  private(set) var exchanges = 0
  private(set) var commands = 0
  /// Events that coordinations took in.
  private(set) var events = 0

  /// `count` participants who have joined, on one item, paused at 0.
  init(_ count: Int) {
    nodes = (0..<count).map(Self.coordination)
    ids = (0..<count).map(Self.id)
    wakes = nodes.map { _ in .max }
    for index in 0..<count { enter(index) }
    run(.seconds(4))
    for index in 0..<count { give(.transition(to: Self.item, proposal: nil), to: index) }
    run(.seconds(6))
  }

  static func coordination(_ index: Int) -> Coordination {
    Coordination(
      Coordination.Configuration(
        local: id(index), incarnation: UInt64(index), displayName: "A person with the number \(index)",
        deviceName: "Some device number \(index)", seed: UInt64(index), isCreator: index == 0, policy: .none, hash: hash,
        digestInput: StatementBody.digestInput))
  }

  static func id(_ index: Int) -> ParticipantID { ParticipantID(high: UInt64(index + 1) << 40, low: 7) }

  /// Good enough to tell sets of registers apart, and cheap: the hash itself is not measured.
  private static func hash(_ bytes: [UInt8]) -> [UInt8] {
    var word: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in bytes { word = (word ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
    return (0..<32).map { UInt8(truncatingIfNeeded: word >> UInt64(8 * ($0 % 8))) }
  }

  /// All find all others there, as after a change of hubs.
  private mutating func enter(_ index: Int) {
    let members = ids.indices.map { Member(id: ids[$0], connection: UInt64($0) + 1, age: UInt32(ids.count - $0)) }
    give(.linkUp(members: members.filter { $0.id != ids[index] }, clock: Self.hub), to: index)
    give(.secured, to: index)
    let model = ClockModel(hostTime: now, remoteTime: now, errorBound: .microseconds(500))
    give(.clock(model, roundTrip: delay), to: index)
  }

  /// Feeds an event to one and ends its turn.
  mutating func give(_ event: CoordinationEvent, to index: Int) {
    take(event, index)
    endTurn(of: index)
  }

  private mutating func take(_ event: CoordinationEvent, _ index: Int) {
    events += 1
    carryOut(nodes[index].handle(event, now: now), of: index)
  }

  private mutating func endTurn(of index: Int) {
    carryOut(nodes[index].settle(now: now), of: index)
    wakes[index] = nodes[index].nextWake.map { max($0, now) } ?? .max
  }

  /// All messages that arrive now, each receiver's in one turn.
  private mutating func receive() {
    var receivers = Set<Int>()
    while delivered < deliveries.count, deliveries[delivered].at <= now {
      let delivery = deliveries[delivered]
      delivered += 1
      take(.message(delivery.message, from: delivery.sender), delivery.receiver)
      receivers.insert(delivery.receiver)
    }
    for receiver in receivers.sorted() { endTurn(of: receiver) }
  }

  /// Lets everything happen that is due within `length`.
  mutating func run(_ length: Nanoseconds) {
    let end = now + length
    while true {
      let message = delivered < deliveries.count ? deliveries[delivered].at : .max
      let word = words.min?.at ?? .max
      let wake = wakes.indices.min { wakes[$0] < wakes[$1] }
      let due = min(message, word, wake.map { wakes[$0] } ?? .max)
      guard due <= end else { break }
      now = max(now, due)
      if message == due {
        receive()
      } else if word == due, let word = words.popMin() {
        give(word.event, to: word.player)
      } else if let wake {
        give(.tick, to: wake)
      }
    }
    now = end
    deliveries.removeFirst(delivered)
    delivered = 0
  }

  private mutating func carryOut(_ effects: [CoordinationEffect], of index: Int) {
    for effect in effects {
      switch effect {
      case .send(let message, let receiver):
        count(message, isForOne: receiver != nil)
        let arrival = (now + 2 * delay + Self.turn - 1) / Self.turn * Self.turn
        for other in nodes.indices where other != index && (receiver == nil || receiver == ids[other]) {
          deliveries.append(Delivery(at: arrival, receiver: other, message: message, sender: ids[index]))
        }
      case .playback(.command(let command)): obey(command, index)
      default: break
      }
    }
  }

  private mutating func count(_ message: CoordinationMessage, isForOne: Bool) {
    if case .beat = message { return }
    if isForOne { exchanges += 1 } else { messages += 1 }
  }

  /// No two players are equally fast: being ready at once is another story.
  private mutating func obey(_ command: PlaybackCommand, _ index: Int) {
    commands += 1
    let done = max(command.hostTime ?? 0, now + .milliseconds(5) + .microseconds(Int64(137 * index)))
    say(.completed(command: command.id), of: index, at: done)
    let position = PlaybackReport.Position(itemTime: command.itemTime, hostTime: done)
    if command.kind != .buffer {
      say(.report(PlaybackReport(rate: command.rate, position: position)), of: index, at: done)
    }
  }

  private mutating func say(_ event: CoordinationEvent, of index: Int, at time: HostTime) {
    spoken += 1
    words.insert(Word(at: time, order: spoken, player: index, event: event))
  }

  var allPlay: Bool { nodes.allSatisfy { $0.view.timing.status == .playing } }
  var nonePlays: Bool { nodes.allSatisfy { $0.view.timing.status == .paused } }
}
