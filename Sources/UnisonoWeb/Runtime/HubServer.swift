import UnisonoBase
import UnisonoCrypto
import UnisonoReplica

/// A hub in this process, which a browser cannot have: nothing listens there, so there is no value of this type. It has the part of the
/// runtime's `HubServer` that a session calls.
package final class HubServer {
  private let nothing: Never

  init(
    environment: any Environment, options: HubOptions, identity: SigningKey, log: @escaping (HubLog) -> Void
  ) throws(NetworkError) {
    throw NetworkError("nothing can listen in a browser; name a hub")
  }

  var clockID: ClockID { switch nothing {} }
  var clock: ClockModel { switch nothing {} }
  var hubID: [UInt8] { switch nothing {} }
  var addresses: [String] { switch nothing {} }
  var ownAddress: String { switch nothing {} }
  func participants(of topic: [UInt8]) -> [ParticipantID] { switch nothing {} }
  func serve(only topic: [UInt8]) { switch nothing {} }
  func serve(also topic: [UInt8]) { switch nothing {} }
  func retire(_ topic: [UInt8], members: Set<ParticipantID>) { switch nothing {} }
  func stopServing(_ topic: [UInt8]) { switch nothing {} }
  func observe(onEntry: @escaping () -> Void, onPeek: @escaping (ParticipantID) -> Void) { switch nothing {} }
  func close(after participant: ParticipantID) { switch nothing {} }
  func noticeSleep() { switch nothing {} }
}

/// What a hub in this process would be made by.
package struct HubOptions: Equatable, Sendable {
  let limits: HubLimits

  package init(limits: HubLimits = .embedded) { self.limits = limits }
}
