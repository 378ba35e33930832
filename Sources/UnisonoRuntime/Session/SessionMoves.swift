import UnisonoCore
import UnisonoCrypto

/// Where a session moves, and the doors that it left.
struct SessionMoves {
  /// Doors whose secrets are kept: of races between owners, and of removals in a row.
  static let capacity = 64

  /// Secrets by topic, of doors that were made here and not entered yet.
  var own: [[UInt8]: RoomSecrets] = [:]
  /// Secrets by topic, of doors that an owner signed for and that were not entered yet.
  var known: [[UInt8]: (RoomSecrets, isLate: Bool)] = [:]
  /// Doors that were heard of in a room that the session left.
  var carried: Set<[UInt8]> = []
  var left: Set<[UInt8]> = []
  var next: NextRoom?
  /// A notice at the present door says that the session left it.
  var isNoticed = false
  var former: [FormerRoom] = []
  /// Those who moved too and are about to come, and until when.
  var expected: (ids: Set<ParticipantID>, until: HostTime)?
  /// Whom to remove once the room of another owner, who won a race, is entered.
  var removal: [ParticipantID]?
}
