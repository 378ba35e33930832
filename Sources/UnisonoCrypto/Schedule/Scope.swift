/// Binding of every sealed and signed message of a room: the session, and the door it lies behind.
package struct Scope: Hashable, Sendable {
  /// 32 bytes, `Origin.session`.
  package let session: [UInt8]
  /// 32 bytes, the door's public key.
  package let topic: [UInt8]

  package init(session: [UInt8], topic: [UInt8]) {
    self.session = session
    self.topic = topic
  }

  var bytes: [UInt8] { session + topic }
}
