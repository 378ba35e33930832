import UnisonoBase
import UnisonoCoordination
import UnisonoCrypto
import UnisonoReplica

/// An audience that a page has opened, which there is none of: whoever speaks to many has a device that stays.
final class AudienceStage {
  private let nothing: Never

  /// Another host speaks to the session's audience.
  static let isPossible = false

  init(
    link: AudienceLink, key: SigningKey, terms: AudienceTerms, identity: Identity, environment: any Environment,
    deliver: (SessionEvent) -> Void
  ) {
    preconditionFailure("a page speaks to no audience")
  }

  var link: AudienceLink { switch nothing {} }
  var news: AudienceNews { switch nothing {} }
  var topics: Set<[UInt8]> { switch nothing {} }
  var nextWake: HostTime? { switch nothing {} }
  var asking: [ParticipantID] { switch nothing {} }

  func readiness(for start: ParticipantValue.Readiness?) -> AudienceReadiness? { switch nothing {} }
  func settle(_ seat: RoomEntry?, revision: UInt64, read: () -> StageInput) { switch nothing {} }
  func invite(_ listener: ParticipantID, by text: String) throws(AudienceRefusal) { switch nothing {} }
  func renew(_ link: AudienceLink, key: SigningKey) { switch nothing {} }
  func leave() { switch nothing {} }
  func close() { switch nothing {} }
}
