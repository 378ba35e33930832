import UnisonoCrypto

/// Judge of the passes that strangers show to open rooms: whether they are genuine and in time, and how much one has open with them.
package struct PassCheck: Sendable {
  /// Rooms that one group may have open at a time: doors change while a session moves.
  private static let roomsOfGroup = 4

  private struct Group: Hashable {
    let serial: UInt64
    let group: [UInt8]
  }

  private let secret: HubSecret?
  private let revoked: Set<UInt64>
  /// Hours since 1970, UTC.
  private let hour: @Sendable () -> UInt32
  /// Rooms that were opened with a pass, and are open as far as is known.
  private var opened: [[UInt8]: Group] = [:]

  /// No pass is good.
  package init() { self.init(secret: nil, hour: { 0 }) }

  /// `secret` nil: no pass is good. `revoked`: serials of tokens whose passes are not taken. `hour`: hours since 1970, UTC, now.
  package init(secret: HubSecret?, revoked: Set<UInt64> = [], hour: @escaping @Sendable () -> UInt32) {
    self.secret = secret
    self.revoked = revoked
    self.hour = hour
  }

  /// The same judge with another secret and list, as an operator changes them; what is open stays counted.
  func replaced(by new: PassCheck) -> PassCheck {
    var new = new
    new.opened = opened
    return new
  }

  /// Answer to one who wants to open `topic` with these bytes; nil: it is opened. `isOpen`: whether somebody is in a room.
  mutating func open(
    _ topic: [UInt8], with bytes: [UInt8]?, hub: [UInt8], isOpen: ([UInt8]) -> Bool
  ) -> HubRefusal? {
    guard let bytes, let pass = secret?.verified(pass: bytes, hub: hub), hour() < pass.terms.until,
      !revoked.contains(pass.terms.serial)
    else { return .auth }
    opened = opened.filter { isOpen($0.key) }
    let group = Group(serial: pass.terms.serial, group: pass.group)
    guard opened.values.count(where: { $0 == group }) < Self.roomsOfGroup else { return .full }
    let groups = Set(opened.values.filter { $0.serial == group.serial })
    guard groups.contains(group) || groups.count < Int(pass.terms.rooms) else { return .full }
    opened[topic] = group
    return nil
  }
}
