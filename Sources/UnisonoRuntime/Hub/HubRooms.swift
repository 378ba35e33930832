import UnisonoBase

/// All rooms of a hub. A room exists while somebody is in it.
struct HubRooms: Sendable {
  enum Entry: Equatable, Sendable {
    /// In; `replaced` is the older connection of the same participant.
    case entered(room: UInt64, replaced: UInt64?)
    /// Too many rooms, or too many for this address.
    case full
  }

  private var limits: HubLimits
  private var numbers: [[UInt8]: UInt64] = [:]
  private var rooms: [UInt64: (topic: [UInt8], room: HubRoom)] = [:]
  /// Through how many connections an address, or a prefix, is in each room.
  private var presence: [AddressKey: [UInt64: Int]] = [:]
  private var lastNumber: UInt64 = 0

  init(limits: HubLimits) { self.limits = limits }

  var count: Int { rooms.count }
  /// Ascending.
  var roomNumbers: [UInt64] { rooms.keys.sorted() }
  /// In rooms, in all.
  var participants: Int { rooms.values.reduce(0) { $0 + $1.room.members.count } }
  /// Participants of the largest room.
  var largest: Int { rooms.values.reduce(0) { max($0, $1.room.members.count) } }

  /// Other limits from now on, for who comes and for rooms that are opened; nobody who is in has to go.
  mutating func setLimits(_ new: HubLimits) { limits = new }

  subscript(number: UInt64) -> HubRoom? { rooms[number]?.room }

  subscript(topic topic: [UInt8]) -> HubRoom? { numbers[topic].flatMap { self[$0] } }

  func number(of topic: [UInt8]) -> UInt64? { numbers[topic] }

  func topic(of number: UInt64) -> [UInt8]? { rooms[number]?.topic }

  /// Whoever judged that `id` may be in the room has seen to its turn, and that there is a place.
  mutating func enter(
    topic: [UInt8], id: ParticipantID, connection: UInt64, from address: AddressKey, now: HostTime
  ) -> Entry {
    let known = numbers[topic]
    for key in address.all {
      let here = presence[key] ?? [:]
      if known.map({ here[$0] == nil }) ?? true, here.count >= limits.roomsPerAddress * key.shares { return .full }
    }
    if known == nil, rooms.count >= limits.rooms { return .full }
    let number = known ?? make(topic, now: now)
    let replaced = rooms[number]?.room.enter(id, connection: connection)
    for key in address.all { presence[key, default: [:]][number, default: 0] += 1 }
    return .entered(room: number, replaced: replaced)
  }

  /// A connection that had entered is over; true when it was the one through which `id` was in the room.
  mutating func leave(room number: UInt64, id: ParticipantID, connection: UInt64, from address: AddressKey) -> Bool {
    for key in address.all {
      guard let count = presence[key]?[number] else { continue }
      presence[key]?[number] = count > 1 ? count - 1 : nil
      if presence[key]?.isEmpty == true { presence[key] = nil }
    }
    let wasHere = rooms[number]?.room.leave(id, connection: connection) ?? false
    if let entry = rooms[number], entry.room.members.isEmpty {
      rooms[number] = nil
      numbers[entry.topic] = nil
    }
    return wasHere
  }

  mutating func sent(_ bytes: Int, in number: UInt64, for id: ParticipantID, now: HostTime) {
    rooms[number]?.room.sent(bytes, for: id, now: now)
  }

  mutating func mustRest(_ id: ParticipantID, in number: UInt64, now: HostTime) -> HostTime? {
    rooms[number]?.room.mustRest(id, now: now)
  }

  /// Whether others were sent most for `id`, or half of that at least.
  func sendsMost(_ id: ParticipantID, in number: UInt64) -> Bool { rooms[number]?.room.sendsMost(id) ?? false }

  private mutating func make(_ topic: [UInt8], now: HostTime) -> UInt64 {
    lastNumber += 1
    numbers[topic] = lastNumber
    rooms[lastNumber] = (topic, HubRoom(bytesPerSecond: limits.roomBytesPerSecond, now: now))
    return lastNumber
  }
}
