import UnisonoBase

/// Texts that strangers on the network send and people read: names and descriptions.
package enum NearbyText {
  /// Whether `text` names a service: 1...63 bytes of a-z 0-9 - .
  package static func isIdentifier(_ text: String) -> Bool {
    (1...WireLimits.serviceIdentifier).contains(text.utf8.count)
      && text.utf8.allSatisfy { byte in
        (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || byte == 0x2D || byte == 0x2E
      }
  }
}
