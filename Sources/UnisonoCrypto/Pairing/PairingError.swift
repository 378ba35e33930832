import UnisonoBase

/// Why a pairing was given up.
package enum PairingError: Error, Hashable, Sendable {
  /// A body that cannot be read.
  case malformed(WireError)
  /// A key that is not accepted.
  case key(KeyError)
  /// Another protocol version.
  case version
  /// What was revealed is not what was promised.
  case commit
  /// GRANT or PASS does not open: changed, or from somebody else.
  case seal
  /// GRANT or PASS opens, and what is inside is not an invite, or is one where none may be.
  case content
}

extension PairingError: ExchangeError {}
