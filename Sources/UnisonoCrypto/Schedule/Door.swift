/// The keys that an invite's secret leads to: entry to the room, and the seal of hello, welcome and re-key.
///
/// They are no content keys: what participants say is sealed with an `Epoch`.
package struct Door: Sendable {
  package let scope: Scope
  /// Proves to a hub that its holder may enter the room.
  package let topicKey: SigningKey
  /// Seals messages of kind 0.
  package let chain: Secret

  /// - Parameters:
  ///   - session: 32 bytes, `Origin.session`.
  ///   - secret: the door's secret, from an invite or a re-key.
  package init(session: [UInt8], secret: Secret) {
    let root = Secret.extract(salt: session, material: secret)
    topicKey = SigningKey(seed: root.expand(.topic))
    scope = Scope(session: session, topic: topicKey.publicKey.bytes)
    chain = root.expand(.door, scope.topic)
  }

  package init(_ invite: Invite) { self.init(session: invite.origin.session, secret: invite.door) }

  /// The room's name at a hub, 32 bytes.
  package var topic: [UInt8] { scope.topic }
}
