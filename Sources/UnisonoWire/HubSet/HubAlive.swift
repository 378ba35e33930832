import UnisonoBase

/// A run's word that it is there (hubs 4.1).
package struct HubAlive: Equatable, Sendable {
  package enum State: UInt8, Sendable { case serving = 1, draining = 2 }

  /// How many rooms, that it opened with its pass, a group has open at the run; 0: none any more.
  package struct Opened: Equatable, Sendable {
    package var group: PassGroup
    package var rooms: UInt16

    package init(group: PassGroup, rooms: UInt16) {
      self.group = group
      self.rooms = rooms
    }
  }

  /// 16 bytes, hash of the hub's key.
  package var hub: [UInt8]
  package var clock: ClockID
  package var state: State
  /// "host:port" under which clients reach it, best first; at most `HubSetLimits.addresses`. Not judged.
  package var addresses: [String]
  package var connections: UInt32
  /// Greatest number of them.
  package var limit: UInt32
  /// Of those who listen to audiences, and the greatest number of them.
  package var listening: UInt32
  package var listeningLimit: UInt32
  /// That are open there, so that some may come to listen.
  package var audiences: UInt32
  /// What is to be said of groups now, ascending, one each; at most `HubSetLimits.opened`.
  package var opened: [Opened]

  package init(
    hub: [UInt8], clock: ClockID, state: State, addresses: [String], connections: UInt32, limit: UInt32, listening: UInt32 = 0,
    listeningLimit: UInt32 = 0, audiences: UInt32 = 0, opened: [Opened]
  ) {
    self.hub = hub
    self.clock = clock
    self.state = state
    self.addresses = addresses
    self.connections = connections
    self.limit = limit
    self.listening = listening
    self.listeningLimit = listeningLimit
    self.audiences = audiences
    self.opened = opened
  }

  func write(to writer: inout ItemWriter) {
    writer.item(1, hub)
    writer.identifier(2, clock)
    writer.integer(3, state.rawValue)
    for address in addresses.prefix(HubSetLimits.addresses) { writer.text(4, address) }
    writer.integer(5, connections)
    writer.integer(6, limit)
    if !opened.isEmpty {
      writer.item(7) {
        for word in opened {
          $0.integer(word.group.serial)
          $0.integer(word.group.group)
          $0.integer(word.rooms)
        }
      }
    }
    if listening > 0 { writer.integer(8, listening) }
    if listeningLimit > 0 { writer.integer(9, listeningLimit) }
    if audiences > 0 { writer.integer(10, audiences) }
  }

  init(_ reader: ByteReader) throws(WireError) {
    var hub: [UInt8]?
    var clock: ClockID?
    var state: State?
    var addresses: [String] = []
    var connections: UInt32?
    var limit: UInt32?
    var opened: [Opened] = []
    var (listening, listeningLimit, audiences): (UInt32, UInt32, UInt32) = (0, 0, 0)
    var items = Items(reader, lists: [4])
    while let item = try items.next() {
      switch item.tag {
      case 1: hub = try item.bytes(exactly: 16)
      case 2: clock = try item.identifier()
      case 3:
        state = State(rawValue: try item.integer())
        if state == nil { throw .range }
      case 4:
        guard addresses.count < HubSetLimits.addresses else { throw .count }
        addresses.append(try item.text(1, upTo: WireLimits.hubAddress))
      case 5: connections = try item.integer()
      case 6: limit = try item.integer()
      case 7:
        opened = try item.elements(of: 18, upTo: HubSetLimits.opened) { (reader) throws(WireError) in
          let group = PassGroup(serial: try reader.integer(), group: try reader.integer())
          return Opened(group: group, rooms: try reader.integer())
        } ascending: {
          $0.group < $1.group
        }
      case 8: listening = try item.integer()
      case 9: listeningLimit = try item.integer()
      case 10: audiences = try item.integer()
      default: try item.unknown()
      }
    }
    self.hub = try hub.required()
    self.clock = try clock.required()
    self.state = try state.required()
    self.addresses = addresses
    self.connections = try connections.required()
    self.limit = try limit.required()
    self.listening = listening
    self.listeningLimit = listeningLimit
    self.audiences = audiences
    self.opened = opened
  }
}
