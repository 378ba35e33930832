import UnisonoCore

/// Why an entry failed. To the other side all look alike (EAUTH) but for `version`; the reason is for logs and counters.
public enum HandshakeError: Error, Hashable, Sendable {
  /// A body that cannot be read.
  case malformed(WireError)
  /// No common protocol version: EVERSION.
  case version
  /// A key that is not accepted.
  case key(KeyError)
  /// Another hub than the invite promised.
  case wrongHub
  /// The hub did not sign this handshake.
  case hubSignature
  /// The client does not hold the signing key that it shows, or signed another handshake.
  case seatSignature
  /// The client does not hold the key of the room's door, or signed another handshake.
  case enterSignature
}

/// Gives errors of keys and of reading their place among those of a handshake.
func handshake<Value>(_ body: () throws -> Value) throws(HandshakeError) -> Value {
  do {
    return try body()
  } catch let error as KeyError {
    throw .key(error)
  } catch let error as WireError {
    throw .malformed(error)
  } catch let error as HandshakeError {
    throw error
  } catch {
    throw .malformed(.range)
  }
}
