import UnisonoBase

/// All open connections of a hub, by number.
struct ConnectionTable {
  private var connections: [UInt64: HubConnection] = [:]
  private var lastNumber: UInt64 = 0

  var count: Int { connections.count }
  var isEmpty: Bool { connections.isEmpty }
  /// In no order.
  var all: Dictionary<UInt64, HubConnection>.Values { connections.values }
  /// Ascending.
  var numbers: [UInt64] { connections.keys.sorted() }

  subscript(number: UInt64) -> HubConnection? { connections[number] }

  /// Adds a connection with the next number.
  mutating func insert(
    _ stream: HubStream, through socket: HubSocket, address: AddressKey, limits: HubLimits, now: HostTime
  ) -> HubConnection {
    lastNumber += 1
    let connection = HubConnection(
      number: lastNumber, stream: stream, socket: socket, address: address, limits: limits, now: now)
    connections[lastNumber] = connection
    return connection
  }

  mutating func remove(_ connection: HubConnection) { connections[connection.number] = nil }

  /// Empties the table; returns who was in it.
  mutating func removeAll() -> [HubConnection] {
    defer { connections = [:] }
    return Array(connections.values)
  }
}
