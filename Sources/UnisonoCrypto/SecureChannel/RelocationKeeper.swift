import UnisonoBase
import UnisonoReplica

/// Means to hand the way to the new room to members who come to the door of a retired one (wire 6.8).
struct RelocationKeeper: Sendable {
  /// Longest absence, ns: after it a member counts as a stranger, and gets no answer.
  static let memory = Nanoseconds.seconds(600)

  /// Secrets of the new room.
  let secrets: RoomSecrets
  /// Policy that names the new room.
  let levels: [PolicyLevel]
}
