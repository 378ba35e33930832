import UnisonoBase
import UnisonoReplica
import UnisonoWire

/// What a `HubSet` wants done, in order.
enum HubSetEffect: Equatable {
  /// To the way to other hubs.
  case publish([UInt8], subject: String)
  case subscribe(String)
  case unsubscribe(String)
  case flush
  case reconnect
  /// Somebody is in a room with a turn that is new; told to all in it, but not to the one itself.
  case joined(topic: [UInt8], Member)
  /// A connection is over, and no other of the same participant is newer.
  case gone(topic: [UInt8], Departure)
  /// Said at another hub; `to` nil: to all in the room.
  case deliver(topic: [UInt8], envelope: [UInt8], to: [ParticipantID]?, mayDrop: Bool)
  /// What was told last of other hubs' clocks is not right any more; told to all.
  case clocks(ClockReport)
  /// Of these something may be missing in the room.
  case lost(topic: [UInt8], [ParticipantID])
  /// This hub's connection of a participant is not its newest any more.
  case replaced(topic: [UInt8], ParticipantID, turn: UInt32)
  /// All that answer who is in a room have answered.
  case looked(topic: [UInt8])
  /// The hub has to end; in words for who runs it.
  case fail(String)
  case log(HubLog.Level, String)
}
