/// Why a key that came from outside is not accepted (wire 1.4).
package enum KeyError: Error, Hashable, Sendable {
  /// Not as long as such a key is.
  case length
  /// An Ed25519 key whose y is not reduced, or an ML-KEM key with such a number: a second spelling of another key.
  case nonCanonical
  /// An Ed25519 key of small order: one fixed signature would fit every message.
  case smallOrder
  /// An X25519 key, or an agreed secret, that leads to zero whatever the own key is.
  case lowOrder
}
