import UnisonoBase
import UnisonoReplica

/// A hub's welcome: who is in the room, and the terms of the connection.
package struct EnteredFrame: Equatable, Sendable {
  /// This connection's number.
  package var connection: UInt64
  /// Everybody in the room, the entered one included.
  package var members: [Member]
  /// Names this connection in probes.
  package var token: UInt64
  /// 0: no probes by UDP.
  package var udpPort: UInt16
  /// Greatest length of a frame, bytes.
  package var frameLimit: UInt32
  package var bytesPerSecond: UInt32
  /// "host:port" under which others reach the hub, as whoever runs it says; at most `WireLimits.advertised`. Not judged.
  package var advertised: [String]

  package init(
    connection: UInt64, members: [Member], token: UInt64, udpPort: UInt16, frameLimit: UInt32, bytesPerSecond: UInt32,
    advertised: [String] = []
  ) {
    self.connection = connection
    self.members = members
    self.token = token
    self.udpPort = udpPort
    self.frameLimit = frameLimit
    self.bytesPerSecond = bytesPerSecond
    self.advertised = advertised
  }

  package var body: [UInt8] {
    var writer = ItemWriter()
    writer.integer(1, connection)
    writer.item(2) { Self.write(members, to: &$0) }
    writer.integer(3, token)
    writer.integer(4, udpPort)
    writer.integer(5, frameLimit)
    writer.integer(6, bytesPerSecond)
    for address in advertised.prefix(WireLimits.advertised) { writer.text(7, address) }
    return writer.bytes
  }

  package init(body: [UInt8]) throws(WireError) {
    var connection: UInt64?
    var members: [Member]?
    var token: UInt64?
    var port: UInt16?
    var limit: UInt32?
    var rate: UInt32?
    var advertised: [String] = []
    var items = Items(body, lists: [7])
    while let item = try items.next() {
      switch item.tag {
      case 1: connection = try item.integer()
      case 2: members = try Self.members(item)
      case 3: token = try item.integer()
      case 4: port = try item.integer()
      case 5: limit = try item.integer()
      case 6: rate = try item.integer()
      case 7:
        guard advertised.count < WireLimits.advertised else { throw .count }
        advertised.append(try item.text(1, upTo: WireLimits.hubAddress))
      default: try item.unknown()
      }
    }
    self.connection = try connection.required()
    self.members = try members.required()
    self.token = try token.required()
    udpPort = try port.required()
    frameLimit = try limit.required()
    bytesPerSecond = try rate.required()
    self.advertised = advertised
  }

  static func write(_ members: [Member], to writer: inout ByteWriter) {
    for member in members.sorted(by: { ($0.id, $0.connection) < ($1.id, $1.connection) }) {
      writer.identifier(member.id)
      writer.integer(member.connection)
      writer.integer(member.age)
    }
  }

  static func members(_ item: Item) throws(WireError) -> [Member] {
    try item.elements(of: 28, upTo: 4 * WireLimits.participants) { (reader) throws(WireError) in
      Member(id: try reader.identifier(), connection: try reader.integer(), age: try reader.integer())
    } ascending: {
      ($0.id, $0.connection) < ($1.id, $1.connection)
    }
  }
}
