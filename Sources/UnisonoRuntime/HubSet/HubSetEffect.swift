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
  /// Said at another hub; `to` nil: to all in the room. `slot`: of an audience, in which it is kept.
  case deliver(topic: [UInt8], envelope: [UInt8], to: [ParticipantID]?, mayDrop: Bool, slot: AudienceSlot? = nil)
  /// Another hub has an audience, which stands so there. `isOld`: what is known here is newer.
  case audience(topic: [UInt8], AudienceStanding, isOld: Bool)
  /// So many listen to an audience at other hubs, and so much of what they said was left out there.
  case counted(topic: [UInt8], AudienceCount)
  /// A listener at another hub says something to the publishers here.
  case hand(topic: [UInt8], envelope: [UInt8])
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
