import UnisonoBase

/// Why an envelope was refused; each reason is counted.
package enum EnvelopeError: Error, Hashable, Sendable {
  /// A length, format or kind that no envelope has.
  case malformed(WireError)
  /// Does not open: another key, or a changed byte.
  case seal
  /// Sealed rightly, but the text inside has a wrong length, or padding that is too short, too long or not zero.
  case padding(WireError)
  /// Not signed by the sender, for this room, lane and counter.
  case signature
}
