import UnisonoBase

/// What one run of a hub of a set says to others, inside the seal: a type and items (hubs 4).
package enum HubSetMessage: Sendable {
  case alive(HubAlive)
  /// The run ends.
  case bye
  case probe(HubProbe)
  /// The run has, or looks into, a room.
  case opened(HubRoomState)
  /// Answer to OPENED and QUERY.
  case state(HubRoomState)
  case feed(HubFeed)
  /// `head`: number of the run's newest word in the feed of the room. `count`: of an audience's listeners there, and of what they said.
  case tick(tag: UInt64, head: UInt64, count: AudienceCount? = nil)
  /// Asks for words of a feed again, `first` to `last`.
  case again(tag: UInt64, first: UInt64, last: UInt64)
  /// Asks for STATE.
  case query(topic: [UInt8])
  case notice(HubNotice)
  /// Asks for all notices.
  case notices
  /// What a listener says to the publishers of an audience who are at that run.
  case hand(tag: UInt64, envelope: [UInt8])

  private enum MessageType: UInt8 {
    case alive = 1, bye, probe, opened, state, feed, tick, again, query, notice, notices, hand
  }

  package var bytes: [UInt8] {
    var writer = ItemWriter()
    let type: MessageType
    switch self {
    case .alive(let alive):
      type = .alive
      alive.write(to: &writer)
    case .bye: type = .bye
    case .probe(let probe):
      type = .probe
      probe.write(to: &writer)
    case .opened(let state):
      type = .opened
      state.write(to: &writer)
    case .state(let state):
      type = .state
      state.write(to: &writer)
    case .feed(let feed):
      type = .feed
      feed.write(to: &writer)
    case .tick(let tag, let head, let count):
      type = .tick
      writer.integer(1, tag)
      writer.integer(2, head)
      if let count {
        writer.integer(3, count.listeners)
        if count.leftOut > 0 { writer.integer(4, count.leftOut) }
        Tally.write(count.ready, tag: 5, to: &writer)
        Tally.write(count.reactions, tag: 6, to: &writer)
      }
    case .again(let tag, let first, let last):
      type = .again
      writer.integer(1, tag)
      writer.integer(2, first)
      writer.integer(3, last)
    case .query(let topic):
      type = .query
      writer.item(1, topic)
    case .notice(let notice):
      type = .notice
      notice.write(to: &writer)
    case .notices: type = .notices
    case .hand(let tag, let envelope):
      type = .hand
      writer.integer(1, tag)
      writer.item(255, envelope)
    }
    return [type.rawValue] + writer.bytes
  }

  /// nil: a type that this version may skip. Throws what is wrong with it.
  package static func decode(_ bytes: [UInt8]) throws(WireError) -> HubSetMessage? {
    guard bytes.count <= HubSetLimits.message else { throw .count }
    var reader = ByteReader(bytes)
    let number = try reader.integer(UInt8.self)
    guard let type = MessageType(rawValue: number) else {
      guard number < 128 else { throw .unknownMustUnderstand }
      return nil
    }
    switch type {
    case .alive: return .alive(try HubAlive(reader))
    case .bye:
      try skip(reader)
      return .bye
    case .probe: return .probe(try HubProbe(reader))
    case .opened: return .opened(try HubRoomState(reader))
    case .state: return .state(try HubRoomState(reader))
    case .feed: return .feed(try HubFeed(reader))
    case .tick: return try tick(reader)
    case .again:
      let (tag, first, last) = try numbers(reader)
      guard first > 0, first <= last, last <= HubSetLimits.number else { throw .range }
      return .again(tag: tag, first: first, last: last)
    case .query:
      var topic: [UInt8]?
      var items = Items(reader)
      while let item = try items.next() {
        if item.tag == 1 { topic = try item.bytes(exactly: 32) } else { try item.unknown() }
      }
      return .query(topic: try topic.required())
    case .notice: return .notice(try HubNotice(reader))
    case .notices:
      try skip(reader)
      return .notices
    case .hand: return try hand(reader)
    }
  }

  private static func tick(_ reader: ByteReader) throws(WireError) -> HubSetMessage {
    var tag: UInt64?
    var head: UInt64?
    var listeners: UInt32?
    var count = AudienceCount(listeners: 0)
    var items = Items(reader)
    while let item = try items.next() {
      switch item.tag {
      case 1: tag = try item.integer()
      case 2: head = try item.integer()
      case 3: listeners = try item.integer()
      case 4: count.leftOut = try item.integer()
      case 5: count.ready = try Tally.read(item, upTo: HubSetLimits.tallies)
      case 6: count.reactions = try Tally.read(item, upTo: HubSetLimits.tallies)
      default: try item.unknown()
      }
    }
    guard try head.required() <= HubSetLimits.number else { throw .range }
    count.listeners = listeners ?? 0
    return .tick(tag: try tag.required(), head: try head.required(), count: listeners == nil ? nil : count)
  }

  private static func hand(_ reader: ByteReader) throws(WireError) -> HubSetMessage {
    var tag: UInt64?
    var envelope: [UInt8]?
    var items = Items(reader)
    while let item = try items.next() {
      switch item.tag {
      case 1: tag = try item.integer()
      case 255: envelope = try item.bytes(upTo: HubSetLimits.hand)
      default: try item.unknown()
      }
    }
    guard try EnvelopeHeader(envelope: envelope.required()).kind == .listener else { throw .range }
    return .hand(tag: try tag.required(), envelope: try envelope.required())
  }

  private static func skip(_ reader: ByteReader) throws(WireError) {
    var items = Items(reader)
    while let item = try items.next() { try item.unknown() }
  }

  /// Items 1 to 3.
  private static func numbers(_ reader: ByteReader) throws(WireError) -> (UInt64, UInt64, UInt64) {
    var first: UInt64?
    var second: UInt64?
    var third: UInt64?
    var items = Items(reader)
    while let item = try items.next() {
      switch item.tag {
      case 1: first = try item.integer()
      case 2: second = try item.integer()
      case 3: third = try item.integer()
      default: try item.unknown()
      }
    }
    return (try first.required(), try second.required(), try third.required())
  }
}
