import UnisonoCore
import UnisonoCrypto

/// The room that the session is moving to, until it is entered.
struct NextRoom {
  let number: Int
  let secrets: RoomSecrets
  /// The others moved before.
  let isLate: Bool
  var room: SecureChannel
  var client: HubClient?
}
