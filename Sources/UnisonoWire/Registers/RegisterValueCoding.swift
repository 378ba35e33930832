import UnisonoBase
import UnisonoReplica

/// Values of registers in bytes: which coding belongs to which register, and their limits.
enum RegisterValueCoding {
  static func encode(_ value: RegisterValue, for key: RegisterKey) throws(WireError) -> [UInt8] {
    var writer = ItemWriter()
    switch (key, value) {
    case (.clock, .clock(let clock)): write(clock, to: &writer)
    case (.end, .end): writer.boolean(1, true)
    case (.activity, .activity(let activity)): ActivityCoding.write(activity, to: &writer)
    case (.rate, .rate(let rate)): CellCoding.write(rate, to: &writer)
    case (.position, .position(let position)): CellCoding.write(position, to: &writer)
    case (.continuation, .continuation(let continuation)): ContinuationCoding.write(continuation, to: &writer)
    case (.participant, .participant(let participant)): ParticipantCoding.write(participant, to: &writer)
    case (.stallPolicy, .stallPolicy(let policy)): StallPolicyCoding.write(policy, to: &writer)
    case (.actionAtEnd, .actionAtEnd(let action)): writer.integer(1, action.rawValue)
    case (.startPolicy, .startPolicy(let policy)): StartPolicyCoding.write(policy, to: &writer)
    case (.playlistEntry, .playlistEntry(let entry)): PlaylistCoding.write(entry, to: &writer)
    case (.playlistCurrent, .playlistCurrent(let current)): PlaylistCoding.write(current, to: &writer)
    case (.attachment, .attachment(let value)): AttachmentCoding.write(value, to: &writer)
    case (.scheduledStart, .scheduledStart(let value)): ScheduledStartCoding.write(value, to: &writer)
    case (.skipPolicy, .skipPolicy(let policy)): writer.integer(1, policy.kinds)
    case (.audience, .audience(let value)): AudienceCoding.write(value, to: &writer)
    default: throw .range
    }
    return writer.bytes
  }

  static func decode(_ item: Item, for key: RegisterKey) throws(WireError) -> RegisterValue {
    let limit: Int =
      switch key {
      case .activity: WireLimits.activityValue
      case .playlistEntry: WireLimits.playlistEntry
      default: WireLimits.otherValue
      }
    guard item.value.remaining <= limit else { throw .count }
    switch key {
    case .clock: return .clock(try clock(item.value))
    case .policy: throw .range
    case .end:
      try end(item.value)
      return .end
    case .activity: return .activity(try ActivityCoding.read(item.value))
    case .rate: return .rate(try CellCoding.rate(item.value))
    case .position: return .position(try CellCoding.position(item.value))
    case .continuation: return .continuation(try ContinuationCoding.read(item.value))
    case .participant: return .participant(try ParticipantCoding.read(item.value))
    case .stallPolicy: return .stallPolicy(try StallPolicyCoding.read(item.value))
    case .actionAtEnd: return .actionAtEnd(try actionAtEnd(item.value))
    case .startPolicy: return .startPolicy(try StartPolicyCoding.read(item.value))
    case .playlistEntry: return .playlistEntry(try PlaylistCoding.entry(item.value))
    case .playlistCurrent: return .playlistCurrent(try PlaylistCoding.current(item.value))
    case .attachment: return .attachment(try AttachmentCoding.read(item.value))
    case .scheduledStart: return .scheduledStart(try ScheduledStartCoding.read(item.value))
    case .skipPolicy: return .skipPolicy(try skipPolicy(item.value))
    case .audience: return .audience(try AudienceCoding.read(item.value))
    }
  }

  private static func write(_ clock: ClockValue, to writer: inout ItemWriter) {
    writer.time(1, clock.offset)
    writer.integer(2, clock.error)
    if clock.turn > 0 { writer.integer(3, clock.turn) }
  }

  private static func clock(_ reader: ByteReader) throws(WireError) -> ClockValue {
    var offset: Int64?
    var error: UInt32?
    var turn: UInt32 = 0
    var items = Items(reader)
    while let item = try items.next() {
      switch item.tag {
      case 1: offset = try item.time()
      case 2: error = try item.integer()
      case 3: turn = try item.integer()
      default: try item.unknown()
      }
    }
    return ClockValue(offset: try offset.required(), error: try error.required(), turn: turn)
  }

  private static func actionAtEnd(_ reader: ByteReader) throws(WireError) -> ActionAtEnd {
    var number: UInt8?
    var items = Items(reader)
    while let item = try items.next() {
      if item.tag == 1 { number = try item.integer() } else { try item.unknown() }
    }
    guard let action = ActionAtEnd(rawValue: try number.required()) else { throw .range }
    return action
  }

  private static func skipPolicy(_ reader: ByteReader) throws(WireError) -> SkipPolicy {
    var bits: UInt8?
    var items = Items(reader)
    while let item = try items.next() {
      if item.tag == 1 { bits = try item.integer() } else { try item.unknown() }
    }
    guard let policy = SkipPolicy(bits: try bits.required()) else { throw .range }
    return policy
  }

  private static func end(_ reader: ByteReader) throws(WireError) {
    var set: Bool?
    var items = Items(reader)
    while let item = try items.next() {
      if item.tag == 1 { set = try item.boolean() } else { try item.unknown() }
    }
    guard try set.required() else { throw .range }
  }
}
