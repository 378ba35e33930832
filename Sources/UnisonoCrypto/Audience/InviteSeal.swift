import UnisonoBase

/// An invite into the session, for the one listener that asked for it (wire 8.28): neither the hub nor others with the link can read it.
package struct InviteSeal {
  private let info: [UInt8]

  /// - Parameter session: 32 bytes, `Origin.session`.
  package init(session: [UInt8], publisher: ParticipantID, listener: ParticipantID) {
    info = Label.promotion.bytes + session + publisher.bytes + listener.bytes
  }

  /// `invite`: 1...4,095 bytes. nil: the library refused.
  package func seal(_ invite: String, to key: HybridPublicKey) -> [UInt8]? {
    let text = Array(invite.utf8)
    var plain = SecretBuffer(capacity: text.count)
    plain.append(text)
    return key.seal(plain, info: info)
  }

  /// nil: not for this listener by this publisher, changed, or no text.
  package func open(_ sealed: [UInt8], with key: HybridKey) -> String? {
    guard let plain = key.open(sealed, info: info) else { return nil }
    return plain.withUnsafeBytes { String(validating: $0, as: UTF8.self) }
  }
}
