import UnisonoBase
import UnisonoReplica

/// What clients and hubs say to each other (wire 11.3): OPEN and CHALLENGE in clear, everything else in records of the link.
package enum HubFrame: Equatable, Sendable {
  case open(OpenFrame)
  case challenge(ChallengeFrame)
  case enter(EnterFrame)
  case entered(EnteredFrame)
  case refused(RefusedFrame)
  case presence(joined: [Member], gone: [Departure])
  /// `to` nil: all others.
  case send(to: [ParticipantID]?, envelope: [UInt8])
  case deliver(envelope: [UInt8])
  case probe(ProbePacket)
  case ping(UInt64)
  case pong(UInt64)
  case leave
  /// For those who come later, too: DELIVERed to everybody who enters.
  case keep(envelope: [UInt8])
  /// To everybody in an audience, in place of what the slot had: DELIVERed to who enters, too.
  case show(slot: UInt8, envelope: [UInt8])
  /// Asks for what an audience's slots have.
  case recall
  case identity(IdentityFrame)
  /// Hub to client: clocks of the other hubs of its service (wire 3.12).
  case clocks(ClockReport)
  /// The hub is about to end.
  case next(NextFrame)
  case tryBack(TryBackFrame)
  case triedBack(TriedBackFrame)
  /// Hub to client: of what these said to it something may be missing (wire 3.11).
  case lost([ParticipantID])
  /// Hub to client, in an audience.
  case count(AudienceCount)
  /// A listener to its hub, which counts how many said the same last.
  case tally(TallyKind, tag: UInt64)

  package enum FrameType: UInt8, Sendable {
    case open = 1, challenge, enter, entered, refused, presence, send, deliver, probe, ping, pong, leave, keep, identity, clocks,
      next, tryBack, triedBack, lost, count, tally
  }

  /// Reads a frame; nil: a type that this version may skip. Throws what is wrong with it.
  package static func decode(_ frame: RawFrame) throws(WireError) -> HubFrame? {
    guard let type = FrameType(rawValue: frame.type) else {
      guard frame.type < 128 else { throw .unknownMustUnderstand }
      return nil
    }
    switch type {
    case .open: return .open(try OpenFrame(body: frame.body))
    case .challenge: return .challenge(try ChallengeFrame(body: frame.body))
    case .enter: return .enter(try EnterFrame(body: frame.body))
    case .entered: return .entered(try EnteredFrame(body: frame.body))
    case .refused: return .refused(try RefusedFrame(body: frame.body))
    case .presence: return try presence(frame.body)
    case .send:
      let (to, envelope) = try addressed(frame.body, mayAddress: true)
      return .send(to: to, envelope: envelope)
    case .deliver: return .deliver(envelope: try addressed(frame.body, mayAddress: false).envelope)
    case .probe: return .probe(try ProbePacket(bytes: frame.body))
    case .ping: return .ping(try counted(frame.body))
    case .pong: return .pong(try counted(frame.body))
    case .leave:
      var items = Items(frame.body)
      while let item = try items.next() { try item.unknown() }
      return .leave
    case .keep: return try kept(frame.body)
    case .identity: return .identity(try IdentityFrame(body: frame.body))
    case .clocks: return .clocks(try ClockReport(body: frame.body))
    case .next: return .next(try NextFrame(body: frame.body))
    case .tryBack: return .tryBack(try TryBackFrame(body: frame.body))
    case .triedBack: return .triedBack(try TriedBackFrame(body: frame.body))
    case .lost: return .lost(try named(frame.body))
    case .count: return .count(try AudienceCount(frame.body))
    case .tally: return try tally(frame.body)
    }
  }

  package var raw: RawFrame {
    var writer = ItemWriter()
    let type: FrameType
    switch self {
    case .open(let frame): return RawFrame(type: FrameType.open.rawValue, body: frame.body)
    case .challenge(let frame): return RawFrame(type: FrameType.challenge.rawValue, body: frame.body)
    case .enter(let frame): return RawFrame(type: FrameType.enter.rawValue, body: frame.body)
    case .entered(let frame): return RawFrame(type: FrameType.entered.rawValue, body: frame.body)
    case .refused(let frame): return RawFrame(type: FrameType.refused.rawValue, body: frame.body)
    case .identity(let frame): return RawFrame(type: FrameType.identity.rawValue, body: frame.body)
    case .clocks(let report): return RawFrame(type: FrameType.clocks.rawValue, body: report.body)
    case .next(let frame): return RawFrame(type: FrameType.next.rawValue, body: frame.body)
    case .tryBack(let frame): return RawFrame(type: FrameType.tryBack.rawValue, body: frame.body)
    case .triedBack(let frame): return RawFrame(type: FrameType.triedBack.rawValue, body: frame.body)
    case .probe(let packet): return RawFrame(type: FrameType.probe.rawValue, body: packet.bytes)
    case .presence(let joined, let gone):
      type = .presence
      if !joined.isEmpty { writer.item(1) { EnteredFrame.write(joined, to: &$0) } }
      for (tag, left) in [(UInt8(2), false), (3, true)] {
        let departures = gone.filter { $0.left == left }
          .sorted { ($0.id, $0.connection) < ($1.id, $1.connection) }
        if departures.isEmpty { continue }
        writer.item(tag) {
          for departure in departures {
            $0.identifier(departure.id)
            $0.integer(departure.connection)
          }
        }
      }
    case .send(let to, let envelope):
      type = .send
      if let to { writer.identifiers(1, to) }
      writer.item(255, envelope)
    case .deliver(let envelope):
      type = .deliver
      writer.item(255, envelope)
    case .keep(let envelope):
      type = .keep
      writer.item(255, envelope)
    case .show(let slot, let envelope):
      type = .keep
      writer.integer(1, slot)
      writer.item(255, envelope)
    case .recall: type = .keep
    case .count(let count):
      type = .count
      count.write(to: &writer)
    case .tally(let kind, let tag):
      type = .tally
      writer.integer(1, kind.rawValue)
      writer.integer(2, tag)
    case .ping(let number):
      type = .ping
      writer.integer(1, number)
    case .pong(let number):
      type = .pong
      writer.integer(1, number)
    case .leave: type = .leave
    case .lost(let ids):
      type = .lost
      writer.identifiers(1, ids)
    }
    return RawFrame(type: type.rawValue, body: writer.bytes)
  }

  /// The whole frame as it goes in clear, length included.
  package var encoded: [UInt8] { raw.encoded }

  private static func presence(_ body: [UInt8]) throws(WireError) -> HubFrame {
    var joined: [Member] = []
    var gone: [Departure] = []
    var items = Items(body)
    while let item = try items.next() {
      switch item.tag {
      case 1: joined = try EnteredFrame.members(item)
      case 2, 3:
        let left = item.tag == 3
        gone += try item.elements(of: 24, upTo: 4 * WireLimits.participants) { (reader) throws(WireError) in
          Departure(id: try reader.identifier(), connection: try reader.integer(), left: left)
        } ascending: {
          ($0.id, $0.connection) < ($1.id, $1.connection)
        }
      default: try item.unknown()
      }
    }
    return .presence(joined: joined, gone: gone)
  }

  private static func addressed(
    _ body: [UInt8], mayAddress: Bool
  ) throws(WireError) -> (to: [ParticipantID]?, envelope: [UInt8]) {
    var to: [ParticipantID]?
    var envelope: [UInt8]?
    var items = Items(body)
    while let item = try items.next() {
      switch item.tag {
      case 1 where mayAddress: to = try item.identifiers(upTo: WireLimits.participants)
      case 255:
        let lengths = EnvelopeHeader.envelopeLengths
        guard item.value.remaining >= lengths.lowerBound else { throw .truncated }
        envelope = try item.bytes(upTo: lengths.upperBound)
      default: try item.unknown()
      }
    }
    return (to, try envelope.required())
  }

  /// KEEP says three things: a notice at a door, what is shown in a slot of an audience, and, without items, the wish for the latter.
  private static func kept(_ body: [UInt8]) throws(WireError) -> HubFrame {
    var slot: UInt8?
    var envelope: [UInt8]?
    var items = Items(body)
    while let item = try items.next() {
      switch item.tag {
      case 1: slot = try item.integer()
      case 255:
        let lengths = EnvelopeHeader.envelopeLengths
        guard item.value.remaining >= lengths.lowerBound else { throw .truncated }
        envelope = try item.bytes(upTo: lengths.upperBound)
      default: try item.unknown()
      }
    }
    guard let slot else { return envelope.map { .keep(envelope: $0) } ?? .recall }
    guard let longest = AudienceSlot(rawValue: slot)?.longest else { throw .range }
    let shown = try envelope.required()
    guard shown.count <= longest else { throw .count }
    return .show(slot: slot, envelope: shown)
  }

  private static func tally(_ body: [UInt8]) throws(WireError) -> HubFrame {
    var kind: UInt8?
    var tag: UInt64?
    var items = Items(body)
    while let item = try items.next() {
      switch item.tag {
      case 1: kind = try item.integer()
      case 2: tag = try item.integer()
      default: try item.unknown()
      }
    }
    guard let read = TallyKind(rawValue: try kind.required()) else { throw .range }
    return .tally(read, tag: try tag.required())
  }

  private static func named(_ body: [UInt8]) throws(WireError) -> [ParticipantID] {
    var ids: [ParticipantID]?
    var items = Items(body)
    while let item = try items.next() {
      if item.tag == 1 { ids = try item.identifiers(upTo: WireLimits.participants) } else { try item.unknown() }
    }
    return try ids.required()
  }

  private static func counted<Number: FixedWidthInteger & UnsignedInteger>(_ body: [UInt8]) throws(WireError) -> Number {
    var number: Number?
    var items = Items(body)
    while let item = try items.next() {
      if item.tag == 1 { number = try item.integer() } else { try item.unknown() }
    }
    return try number.required()
  }
}
