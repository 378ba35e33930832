import UnisonoReplica

/// What a listener has counted (wire 8.31). Its tag, by which hubs count it, is made of its kind and bytes.
package enum TallySubject: Hashable, Sendable {
  case ready(ParticipantValue.Readiness)
  /// One of the audience's reactions.
  case reaction(String)

  package var kind: TallyKind {
    switch self {
    case .ready: .ready
    case .reaction: .reaction
    }
  }

  package var bytes: [UInt8] {
    switch self {
    case .ready(let readiness): ParticipantCoding.bytes(of: readiness)
    case .reaction(let text): Array(text.utf8)
    }
  }
}
