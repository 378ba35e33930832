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

  /// 32 bytes.
  package var topic: [UInt8]
  /// Number of the run's newest word in the feed of the room.
  package var head: UInt64
  /// Ascending by id, one each; at most `HubSetLimits.members`.
  package var members: [Member]

  package init(topic: [UInt8], head: UInt64, members: [Member]) {
    self.topic = topic
    self.head = head
    self.members = members
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
  }

  init(_ reader: ByteReader) throws(WireError) {
    var topic: [UInt8]?
    var head: UInt64?
    var members: [Member]?
    var items = Items(reader)
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
      default: try item.unknown()
      }
    }
    self.topic = try topic.required()
    self.head = try head.required()
    guard self.head <= HubSetLimits.number else { throw .range }
    self.members = try members.required()
  }
}
