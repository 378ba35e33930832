import UnisonoBase

/// What owners and hosts know of the session's audience (wire 8.29): whoever of them has the key speaks to it, and who wrote it last does.
package struct AudienceValue: Hashable, Sendable {
  /// What listeners' keys are made of, 32 bytes.
  package var secret: [UInt8]
  /// The audience's name at a hub, 32 bytes.
  package var topic: [UInt8]
  /// Named in its link, 1...16.
  package var hubs: [HubAddress]
  /// The name of the audience whose listeners are led here, 32 bytes; nil: of none.
  package var former: [UInt8]?
  package var terms: AudienceTerms

  package init(secret: [UInt8], topic: [UInt8], hubs: [HubAddress], former: [UInt8]? = nil, terms: AudienceTerms = AudienceTerms()) {
    self.secret = secret
    self.topic = topic
    self.hubs = hubs
    self.former = former
    self.terms = terms
  }
}

/// What hosts agreed on for those who listen (wire 8.31).
package struct AudienceTerms: Hashable, Sendable {
  /// Percent.
  package static let shares: ClosedRange<UInt8> = 0...100
  /// ms.
  package static let waits: ClosedRange<UInt32> = 1...10_000
  package static let reactionsMost = 8

  /// So many percent of those who listen are waited for at a start; 0: nobody is.
  package var share: UInt8
  /// For so long at most, ms from the command.
  package var wait: UInt32
  /// By which listeners react, one of each, at most 32 bytes; none: they do not.
  package var reactions: [String]

  package init(share: UInt8 = 0, wait: UInt32 = waits.upperBound, reactions: [String] = []) {
    self.share = share
    self.wait = wait
    self.reactions = reactions
  }

  package var limit: Nanoseconds { .milliseconds(Int64(wait)) }
}
