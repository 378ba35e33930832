import UnisonoCore
import UnisonoCrypto

/// A room that the session moved out of: read for a moment more, and its door kept by who moved it, or by the next one
/// when that one is gone (wire 6.3, 6.4).
struct FormerRoom {
  /// What is on its way in it is still read for so long.
  static let reading = Nanoseconds.seconds(5)
  /// The door is kept for so long.
  static let doorkeeping = Nanoseconds.seconds(600)
  /// So long after the doorkeeper is gone its successor goes to the door: a link may be back at once.
  static let takeover = Nanoseconds.seconds(2)

  /// Of the link's words.
  let number: Int
  var room: SecureChannel
  /// nil: somebody else keeps the door.
  var client: HubClient?
  /// Of the room that the session moved to.
  let secrets: RoomSecrets
  /// Who moved it.
  let author: ParticipantID
  private(set) var isKept: Bool
  let readUntil: HostTime
  let closesAt: HostTime
  /// Since when this participant is the one to keep the door.
  var called: HostTime?

  init(
    number: Int, room: SecureChannel, client: HubClient, secrets: RoomSecrets, author: ParticipantID, isKept: Bool,
    now: HostTime
  ) {
    self.number = number
    self.room = room
    self.client = client
    self.secrets = secrets
    self.author = author
    self.isKept = isKept
    self.room.retire(keeping: isKept ? secrets : nil)
    readUntil = now.adding(Self.reading)
    closesAt = now.adding(Self.doorkeeping)
  }

  /// Goes back to the door, over this link.
  mutating func keep(over client: HubClient) {
    self.client?.close()
    self.client = client
    called = nil
    isKept = true
    room.retire(keeping: secrets)
  }

  /// When something is to be done about it by itself.
  var wake: HostTime {
    var wake = isKept || client == nil ? closesAt : readUntil
    if let called { wake = min(wake, called.adding(Self.takeover)) }
    return min(wake, room.nextErasure ?? wake)
  }
}
