import UnisonoBase

/// Why an entry failed. To the other side all look alike (EAUTH) but for `version`; the reason is for logs and counters.
package enum HandshakeError: Error, Hashable, Sendable {
  /// A body that cannot be read.
  case malformed(WireError)
  /// No common protocol version: EVERSION.
  case version
  /// A key that is not accepted.
  case key(KeyError)
  /// Another hub than the invite promised.
  case wrongHub
  /// A hub of the set that the invite promised, as its certificate says, which is over.
  case certificateOver
  /// The set that the invite promised did not sign the certificate for this hub.
  case certificate
  /// The hub did not sign this handshake.
  case hubSignature
  /// The client does not hold the signing key that it shows, or signed another handshake.
  case seatSignature
  /// The client does not hold the key of the room's door, or signed another handshake.
  case enterSignature
}

extension HandshakeError: ExchangeError {}
