import UnisonoCrypto

/// Which parts of a file say which copy it is, and their hash (wire 8.15).
///
/// A film of gigabytes is not read as a whole: what differs between two files of one size differs at the beginning, in the middle or
/// at the end, as containers keep their tables there.
package struct CopySamples: Sendable {
  /// Bytes of one sample; a file of at most three of them is read as a whole.
  private static let length: UInt64 = 65_536

  /// Of the file, bytes; above 0.
  private let size: UInt64

  package init(ofFile size: UInt64) { self.size = size }

  /// To be read one behind the other.
  package var ranges: [Range<UInt64>] {
    if size <= 3 * Self.length { return [0..<size] }
    return [0, size / 2 - Self.length / 2, size - Self.length].map { $0..<($0 + Self.length) }
  }

  /// SHA-256, 32 bytes. `samples`: what stands in `ranges`.
  package func hash(_ samples: [UInt8]) -> [UInt8] {
    Hash.sha256((0..<8).map { UInt8(truncatingIfNeeded: size >> UInt64(56 - 8 * $0)) } + samples)
  }
}
