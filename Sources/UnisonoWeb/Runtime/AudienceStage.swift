import UnisonoBase
import UnisonoCoordination
import UnisonoCrypto
import UnisonoReplica

/// An audience that a page has opened, which there is none of: whoever speaks to many has a device that stays.
final class AudienceStage {
  private let nothing: Never

  init(
    origin: Origin, identity: Identity, hubs: [HubAddress], environment: any Environment, deliver: (SessionEvent) -> Void
  ) throws(InviteError) { throw .address }

  var link: AudienceLink { switch nothing {} }
  var news: AudienceNews { switch nothing {} }
  var nextWake: HostTime? { switch nothing {} }
  var asking: [ParticipantID] { switch nothing {} }

  func settle(_ seat: RoomEntry?, revision: UInt64, read: () -> StageInput) { switch nothing {} }
  func invite(_ listener: ParticipantID, by text: String) throws(AudienceRefusal) { switch nothing {} }
  func close(reason: String = "") { switch nothing {} }
}
