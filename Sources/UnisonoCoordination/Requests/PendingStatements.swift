import UnisonoBase

/// What a person wanted written before group time was known, in its order: it is done once it can be stamped.
struct PendingStatements: Sendable {
  static let capacity = 1_000

  private var events: [CoordinationEvent] = []

  /// False: there are too many.
  mutating func keep(_ event: CoordinationEvent) -> Bool {
    guard events.count < Self.capacity else { return false }
    events.append(event)
    return true
  }

  /// All of them, which are done now.
  mutating func take() -> [CoordinationEvent] {
    defer { events = [] }
    return events
  }
}

extension CoordinationEvent {
  /// The host's call that a later one of anybody's replaces by its stamp; nil: it is none, or waits for group time by itself, as
  /// playback's do.
  var stampedOperation: Operation? {
    switch self {
    case .setActivity: .activate
    case .setStallPolicy: .setStallPolicy
    case .setActionAtEnd: .setActionAtEnd
    case .setStartPolicy: .setStartPolicy
    case .setSkipPolicy: .setSkipPolicy
    case .offerAttachment: .attach
    case .takeBackAttachment: .removeAttachment
    case .editPlaylist(let edit): edit.operation
    default: nil
    }
  }

  /// It changes what counts in the session, and is no proposal.
  var isSetting: Bool {
    switch self {
    case .setStallPolicy(_, let asProposal), .setActionAtEnd(_, let asProposal), .setStartPolicy(_, let asProposal),
      .setSkipPolicy(_, let asProposal):
      !asProposal
    default: false
    }
  }
}
