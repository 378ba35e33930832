import UnisonoBase
import UnisonoWire

/// The AES-256-GCM key of one sender, kind and lane under one roster record (wire 2.3).
///
/// A lane belongs to one connection of one process, so no second holder ever counts from 0 under the same key.
package struct SendKey: Equatable, Sendable {
  let secret: Secret

  init(secret: Secret) { self.secret = secret }

  /// - Parameter chain: the door's chain for kind 0, else the record's content key.
  package init(chain: Secret, scope: Scope, kind: EnvelopeHeader.Kind, sender: ParticipantID, lane: Lane) {
    secret = chain.expand(.send, scope.topic + [kind.rawValue] + sender.bytes + lane.bytes)
  }

  /// The key that an envelope with this header is sealed with.
  package init(chain: Secret, scope: Scope, header: EnvelopeHeader) {
    self.init(chain: chain, scope: scope, kind: header.kind, sender: header.sender, lane: header.lane)
  }
}
