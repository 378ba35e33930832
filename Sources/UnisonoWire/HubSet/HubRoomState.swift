import UnisonoBase

/// What one run says of a room as a whole: OPENED and STATE (hubs 4.3).
package struct HubRoomState: Equatable, Sendable {
  /// Somebody in the room through a connection to that run.
  package struct Member: Equatable, Sendable {
    package var id: ParticipantID
    package var turn: UInt32
    /// ms since it entered.
    package var age: UInt32

    package init(id: ParticipantID, turn: UInt32, age: UInt32) {
      self.id = id
      self.turn = turn
      self.age = age
    }
  }

  private enum Kind: UInt8 { case room = 0, audience }

  /// 32 bytes.
  package var topic: [UInt8]
  /// Number of the run's newest word in the feed of the room.
  package var head: UInt64
  /// Ascending by id, one each; at most `HubSetLimits.members`.
  package var members: [Member]
  /// nil: the run has no audience of that topic.
  package var audience: HubAudienceState?

  package init(topic: [UInt8], head: UInt64, members: [Member], audience: HubAudienceState? = nil) {
    self.topic = topic
    self.head = head
    self.members = members
    self.audience = audience
  }

  func write(to writer: inout ItemWriter) {
    writer.item(1, topic)
    writer.integer(2, head)
    writer.item(3) {
      for member in members {
        $0.identifier(member.id)
        $0.integer(member.turn)
        $0.integer(member.age)
        $0.integer(UInt8(0))
      }
    }
    guard let audience else { return }
    writer.integer(4, Kind.audience.rawValue)
    audience.write(to: &writer)
  }

  init(_ reader: ByteReader) throws(WireError) {
    var topic: [UInt8]?
    var head: UInt64?
    var members: [Member]?
    var kind = Kind.room
    var listeners: UInt32?
    var leftOut: UInt32?
    var alone: UInt32?
    var kept: [HubAudienceState.Kept] = []
    var (ready, reactions): ([Tally], [Tally]) = ([], [])
    var items = Items(reader, lists: [8])
    while let item = try items.next() {
      switch item.tag {
      case 1: topic = try item.bytes(exactly: 32)
      case 2: head = try item.integer()
      case 3:
        members = try item.elements(of: 25, upTo: HubSetLimits.members) { (reader) throws(WireError) in
          let member = Member(id: try reader.identifier(), turn: try reader.integer(), age: try reader.integer())
          _ = try reader.integer(UInt8.self)
          return member
        } ascending: {
          $0.id < $1.id
        }
      case 4:
        guard let read = Kind(rawValue: try item.integer()) else { throw .range }
        kind = read
      case 5: listeners = try item.integer()
      case 6: leftOut = try item.integer()
      case 7: alone = try item.integer()
      case 8: kept.append(try HubAudienceState.kept(item, after: kept.last))
      case 9: ready = try Tally.read(item, upTo: HubSetLimits.tallies)
      case 10: reactions = try Tally.read(item, upTo: HubSetLimits.tallies)
      default: try item.unknown()
      }
    }
    self.topic = try topic.required()
    self.head = try head.required()
    guard self.head <= HubSetLimits.number else { throw .range }
    self.members = try members.required()
    guard kind == .audience else { return }
    let count = AudienceCount(
      listeners: try listeners.required(), leftOut: try leftOut.required(), ready: ready, reactions: reactions)
    audience = HubAudienceState(count: count, alone: alone, kept: kept)
  }
}
