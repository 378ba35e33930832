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

  package init(secret: [UInt8], topic: [UInt8], hubs: [HubAddress], former: [UInt8]? = nil) {
    self.secret = secret
    self.topic = topic
    self.hubs = hubs
    self.former = former
  }
}
