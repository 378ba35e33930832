/// Why a frame or a part of it was not taken; each is counted (wire-and-security 4.4).
public enum RoomRefusal: String, Hashable, Sendable {
  /// No envelope, or nothing readable inside.
  case malformed
  /// Sealed for another epoch.
  case unknownEpoch
  /// Older than what is kept, or too far ahead.
  case generation
  /// Of a connection that two newer ones replaced.
  case oldLane
  /// Seen before, or older than what was seen.
  case replay
  /// Does not open, or its padding is wrong.
  case seal
  /// Not signed by who it says.
  case signature
  /// Nobody introduced the sender, or the author.
  case unknownSender
  /// Not meant for us, or bent on the way.
  case notAddressed
  /// A re-key whose secrets are not those that an owner signed for.
  case rekey
  /// Another agreement key under a known id.
  case introduction
  /// A welcome that was not asked for, or that does not open.
  case welcome
  /// A welcome with a key that is not the group's, or that cannot be told from one.
  case epoch
  /// Too many refusals or verifications from this sender.
  case budget
}
