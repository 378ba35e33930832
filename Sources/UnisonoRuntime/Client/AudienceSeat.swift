import UnisonoCrypto

/// Place in an audience: that of one who speaks there, or of one who listens.
package struct AudienceSeat: Sendable {
  /// The audience's name, 32 bytes.
  package let topic: [UInt8]
  /// The topic's private key: of who speaks. nil: who listens.
  package let key: SigningKey?

  package init(topic: [UInt8], key: SigningKey?) {
    self.topic = topic
    self.key = key
  }

  var access: RoomAccess { key.map { .publisher($0) } ?? .listener(topic) }
}
