import UnisonoCrypto

/// What a participant shows to be let into a room: which one and what as, who it is, and what opens the room while nobody is in it.
struct RoomCredentials {
  let access: RoomAccess
  let identity: Identity
  /// Passes of hubs that ask for one, by the hub's id.
  var passes: [[UInt8]: [UInt8]] = [:]
  let turns: Turns
}
