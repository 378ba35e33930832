import UnisonoBase

/// Texts that strangers on the network send and people read: names and descriptions.
package enum NearbyText {
  /// Whether a text can be shown as it is: no control characters, no marks that turn the direction of writing, so that
  /// it can neither steer a terminal nor look like another.
  package static func isPlain(_ text: String) -> Bool {
    text.unicodeScalars.allSatisfy { scalar in
      switch scalar.value {
      case 0..<0x20, 0x7F..<0xA0, 0x2028, 0x2029, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: false
      default: true
      }
    }
  }

  /// Whether `text` names a service: 1...63 bytes of a-z 0-9 - .
  package static func isIdentifier(_ text: String) -> Bool {
    (1...WireLimits.serviceIdentifier).contains(text.utf8.count)
      && text.utf8.allSatisfy { byte in
        (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || byte == 0x2D || byte == 0x2E
      }
  }
}
