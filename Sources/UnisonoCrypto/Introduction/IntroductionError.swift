import UnisonoBase

/// Why an introduction was refused.
package enum IntroductionError: Error, Hashable, Sendable {
  case malformed(WireError)
  /// One of its keys is not accepted.
  case key(KeyError)
  /// Not signed by the key it shows, or for another session.
  case signature
  /// The person's key did not vouch for this participant.
  case vouch
}

extension IntroductionError: ExchangeError {}
