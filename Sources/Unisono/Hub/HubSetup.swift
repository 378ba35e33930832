import CUnisono
import UnisonoRuntime

/// The options of a hub, copied and checked.
struct HubSetup {
  var options: HubOptions
  /// Who may open rooms; without effect on a hub inside a session's process, which serves that session alone.
  var opening: RoomOpening

  init(_ pointer: UnsafePointer<unisono_hub_options>?, embedded: Bool) throws(Failure) {
    let given = try copied(pointer, into: unisono_hub_options(), atLeast: 72, "hub options")
    var limits = embedded ? HubLimits.embedded : HubLimits()
    guard given.participants_per_room <= 100_000 else {
      throw Failure(.UNISONO_EINVAL, "participants_per_room is \(given.participants_per_room); give at most 100000")
    }
    Self.set(&limits.participantsPerRoom, given.participants_per_room)
    Self.set(&limits.rooms, given.rooms)
    Self.set(&limits.connections, given.connections)
    Self.set(&limits.connectionsPerAddress, given.connections_per_address)
    Self.set(&limits.bytesPerSecond, given.bytes_per_second)
    if given.memory > 0 { limits.setMemory(Int(clamping: given.memory)) }
    if given.room_bytes_per_second > 0 { limits.roomBytesPerSecond = Int(clamping: given.room_bytes_per_second) }
    opening = given.open != 0 ? .anybody : .neighbours(PassCheck())
    options = HubOptions(
      listen: try InputText.list(given.listen, count: given.listen_count, atMostCount: 16, atMost: 300, "listen"),
      advertise: try InputText.list(
        given.advertise, count: given.advertise_count, atMostCount: 16, atMost: 300, "advertise"),
      limits: limits)
  }

  /// 0 keeps the default.
  private static func set(_ limit: inout Int, _ given: UInt32) {
    if given > 0 { limit = Int(given) }
  }
}
