import Testing
import UnisonoBase
import UnisonoReplica
import UnisonoWire

@testable import UnisonoRuntime

@Suite("Messages between hubs")
struct HubSetMessageTests {
  private static let id = ParticipantID(high: 3, low: 4)
  private static let topic = [UInt8](repeating: 7, count: 32)
  private static let envelope =
    EnvelopeHeader(kind: .ordered, epoch: EpochID(high: 1, low: 1), sender: id, lane: Lane(index: 1, random: 2), counter: 3).bytes
    + [UInt8](repeating: 1, count: 528)

  private static let all: [HubSetMessage] = [
    .alive(
      HubAlive(
        hub: [UInt8](repeating: 1, count: 16), clock: ClockID(high: 1, low: 2), state: .draining, addresses: ["a:1", "b:2"], connections: 3,
        limit: 4, opened: [])),
    alive(opened: [
      HubAlive.Opened(group: PassGroup(serial: 1, group: 9), rooms: 4), HubAlive.Opened(group: PassGroup(serial: 2, group: 1), rooms: 0),
    ]),
    .bye, .probe(HubProbe(number: 9)), .probe(HubProbe(number: 9, answer: HubProbe.Answer(received: -5, sent: 6))),
    .opened(HubRoomState(topic: topic, head: 7, members: [HubRoomState.Member(id: id, turn: 8, age: 9)])),
    .state(HubRoomState(topic: topic, head: 0, members: [])),
    .feed(HubFeed(tag: 1, number: 2, word: .entered(id, turn: 3, age: 4))),
    .feed(HubFeed(tag: 1, number: 2, word: .gone(id, turn: 3, left: false))),
    .feed(HubFeed(tag: 1, number: 2, word: .gone(id, turn: 3, left: true))),
    .feed(HubFeed(tag: 1, number: 2, word: .said(id, to: nil, mayDrop: false, envelope: envelope))),
    .feed(HubFeed(tag: 1, number: 2, word: .said(id, to: [id], mayDrop: true, envelope: envelope))),
    .feed(HubFeed(tag: 1, number: 2, word: .said(id, to: nil, mayDrop: false, slot: .line, envelope: shown))),
    .state(HubRoomState(topic: topic, head: 7, members: [], audience: audience([.programme, .line]))),
    .opened(HubRoomState(topic: topic, head: 7, members: [], audience: HubAudienceState(count: count, alone: nil, kept: []))),
    .hand(tag: 1, envelope: envelope(.listener, length: 2_114)),
    .tick(tag: 1, head: 2), .tick(tag: 1, head: 2, count: count), .again(tag: 1, first: 2, last: 3), .query(topic: topic),
    .notice(HubNotice(topic: topic, age: 1, keeper: 2, envelope: envelope)), .notices,
  ]

  private static let count = AudienceCount(
    listeners: 70_000, leftOut: 5, ready: tallies(HubSetLimits.tallies), reactions: [Tally(tag: .max, count: 7)])
  private static func tallies(_ count: Int) -> [Tally] { (0..<count).map { Tally(tag: UInt64($0), count: 3) } }

  private static let shown = envelope(.stage, length: 578)

  private static func envelope(_ kind: EnvelopeHeader.Kind, length: Int) -> [UInt8] {
    EnvelopeHeader(kind: kind, epoch: EpochID(high: 1, low: 1), sender: id, lane: Lane(index: 1, random: 2), counter: 3).bytes
      + [UInt8](repeating: 1, count: length - EnvelopeHeader.length)
  }

  private static func audience(_ slots: [AudienceSlot], length: Int = 578, kind: EnvelopeHeader.Kind = .stage) -> HubAudienceState {
    HubAudienceState(
      count: count, alone: 9,
      kept: slots.map { HubAudienceState.Kept(slot: $0, age: 8, envelope: envelope(kind, length: length)) })
  }

  private static func alive(opened: [HubAlive.Opened]) -> HubSetMessage {
    .alive(
      HubAlive(
        hub: [UInt8](repeating: 1, count: 16), clock: ClockID(high: 1, low: 2), state: .serving, addresses: [], connections: 3, limit: 4,
        opened: opened))
  }

  /// So many groups, each with a room.
  private static func opened(_ count: Int) -> [HubAlive.Opened] {
    (0..<UInt64(count)).map { HubAlive.Opened(group: PassGroup(serial: $0 / 100, group: $0), rooms: 1) }
  }

  @Test("each message is read as it was written, and nothing that is cut or longer is read")
  func roundTrip() throws {
    for message in Self.all {
      let bytes = message.bytes
      #expect(try HubSetMessage.decode(bytes)?.bytes == bytes)
      for count in 0..<bytes.count where bytes.count < 2_000 {
        let part = try? HubSetMessage.decode(Array(bytes[..<count]))
        #expect(part.flatMap { $0 }.map { $0.bytes.count <= count } ?? true)
      }
      #expect(throws: WireError.self) { try HubSetMessage.decode(bytes + [1]) }
    }
  }

  @Test("numbers, lengths and counts outside what is allowed are refused")
  func limits() {
    let wrong: [HubSetMessage] = [
      .feed(HubFeed(tag: 1, number: 0, word: .entered(Self.id, turn: 3, age: 4))),
      .feed(HubFeed(tag: 1, number: .max, word: .entered(Self.id, turn: 3, age: 4))),
      .feed(HubFeed(tag: 1, number: 1, word: .said(ParticipantID(high: 9, low: 9), to: nil, mayDrop: false, envelope: Self.envelope))),
      .feed(HubFeed(tag: 1, number: 1, word: .said(Self.id, to: nil, mayDrop: false, envelope: [2, 1]))),
      .tick(tag: 1, head: .max), .again(tag: 1, first: 3, last: 2), .again(tag: 1, first: 0, last: 2), .again(tag: 1, first: 1, last: .max),
      .query(topic: [1]), .opened(HubRoomState(topic: Self.topic, head: .max, members: [])),
      .state(
        HubRoomState(
          topic: Self.topic, head: 1,
          members: [HubRoomState.Member(id: Self.id, turn: 1, age: 1), HubRoomState.Member(id: Self.id, turn: 2, age: 1)])),
      .state(
        HubRoomState(
          topic: Self.topic, head: 1,
          members: (0...UInt64(HubSetLimits.members)).map { HubRoomState.Member(id: ParticipantID(high: 0, low: $0), turn: 1, age: 1) })),
      .notice(HubNotice(topic: Self.topic, age: 1, keeper: 2, envelope: [UInt8](repeating: 0, count: 40_000))),
      // Of an audience: an envelope of another kind, too long, for some, a slot twice, slots in another order.
      .feed(HubFeed(tag: 1, number: 1, word: .said(Self.id, to: nil, mayDrop: false, slot: .line, envelope: Self.envelope))),
      .feed(
        HubFeed(
          tag: 1, number: 1, word: .said(Self.id, to: nil, mayDrop: false, slot: .line, envelope: Self.envelope(.stage, length: 8_259)))),
      .feed(HubFeed(tag: 1, number: 1, word: .said(Self.id, to: [Self.id], mayDrop: false, slot: .line, envelope: Self.shown))),
      .state(HubRoomState(topic: Self.topic, head: 1, members: [], audience: Self.audience([.line, .line]))),
      .state(HubRoomState(topic: Self.topic, head: 1, members: [], audience: Self.audience([.line, .programme]))),
      .state(HubRoomState(topic: Self.topic, head: 1, members: [], audience: Self.audience([.line], kind: .ordered))),
      .state(HubRoomState(topic: Self.topic, head: 1, members: [], audience: Self.audience([.line], length: 8_259))),
      .hand(tag: 1, envelope: Self.shown), .hand(tag: 1, envelope: Self.envelope(.listener, length: 8_200)),
      // Tallies: too many, one twice.
      .tick(tag: 1, head: 2, count: AudienceCount(listeners: 9, ready: Self.tallies(HubSetLimits.tallies + 1))),
      .tick(tag: 1, head: 2, count: AudienceCount(listeners: 9, reactions: [Tally(tag: 7, count: 1), Tally(tag: 7, count: 1)])),
    ]
    for message in wrong { #expect(throws: WireError.self) { try HubSetMessage.decode(message.bytes) } }
    #expect(throws: WireError.self) { try HubSetMessage.decode([]) }
    #expect(throws: WireError.self) { try HubSetMessage.decode([200]) }
    #expect(throws: Never.self) { try HubSetMessage.decode([100, 1, 2]) }
  }

  @Test("N15: an ALIVE tells of the rooms of 1,024 groups, each once, in 19 KB; of more, or twice of one, it is refused")
  func opened() throws {
    let most = Self.alive(opened: Self.opened(HubSetLimits.opened))
    #expect(most.bytes.count < 19_000)
    guard case .alive(let alive) = try HubSetMessage.decode(most.bytes) else { throw WireError.range }
    #expect(alive.opened == Self.opened(HubSetLimits.opened))
    for wrong in [Self.opened(HubSetLimits.opened + 1), Self.opened(1) + Self.opened(1), Self.opened(2).reversed()] {
      #expect(throws: WireError.self) { try HubSetMessage.decode(Self.alive(opened: wrong).bytes) }
    }
  }

  @Test("a window takes each number once, those out of order too, and none that is far behind")
  func window() {
    var window = ReplayWindow(above: 10)
    #expect(!window.accept(10) && window.accept(13) && window.accept(11) && !window.accept(13) && !window.accept(11) && window.accept(12))
    #expect(window.accept(4_000) && window.accept(3_999) && window.accept(14) && !window.accept(14))
    #expect(window.accept(100_000) && !window.accept(100_000 - ReplayWindow.width) && window.accept(100_001 - ReplayWindow.width))
    window.raise(to: 99_990)
    #expect(!window.accept(99_990) && window.accept(99_991))
  }
}
