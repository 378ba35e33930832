import UnisonoCore
import UnisonoCrypto

/// A room that the session moved out of: read for a moment more, and its door kept by who moved it (wire-and-security 6.3,
/// 6.4).
struct FormerRoom {
  /// What is on its way in it is still read for so long.
  static let reading = Nanoseconds.seconds(5)
  /// The door is kept for so long.
  static let doorkeeping = Nanoseconds.seconds(600)

  /// Of the link's words.
  let number: Int
  var room: SecureRoom
  let client: HubClient
  let readUntil: HostTime
  let closesAt: HostTime

  init(number: Int, room: SecureRoom, client: HubClient, keeps secrets: RoomSecrets?, now: HostTime) {
    self.number = number
    self.room = room
    self.client = client
    self.room.shut(keeping: secrets)
    readUntil = now.adding(Self.reading)
    closesAt = secrets == nil ? readUntil : now.adding(Self.doorkeeping)
  }
}
