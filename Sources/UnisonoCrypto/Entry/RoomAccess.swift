import UnisonoWire

/// What opens a room at a hub: its name, its key, and as what one enters.
package struct RoomAccess: Sendable {
  /// The room's name, 32 bytes: the public half of its key.
  package let topic: [UInt8]
  package let role: EntryRole
  /// nil: of a listener, and of nobody else.
  let key: SigningKey?

  private init(topic: [UInt8], role: EntryRole, key: SigningKey?) {
    self.topic = topic
    self.role = role
    self.key = key
  }

  package static func member(of door: Door) -> RoomAccess { RoomAccess(topic: door.topic, role: .member, key: door.topicKey) }

  /// `key`: of an audience's topic.
  package static func publisher(_ key: SigningKey) -> RoomAccess {
    RoomAccess(topic: key.publicKey.bytes, role: .publisher, key: key)
  }

  /// `topic`: an audience's, 32 bytes.
  package static func listener(_ topic: [UInt8]) -> RoomAccess { RoomAccess(topic: topic, role: .listener, key: nil) }
}
