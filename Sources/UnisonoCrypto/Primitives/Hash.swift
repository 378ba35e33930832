import Crypto

/// SHA-256, the suite's only hash.
package enum Hash {
  /// The 32-byte hash of `bytes`; fits the core's `Coordination.Configuration.hash`.
  @Sendable package static func sha256(_ bytes: [UInt8]) -> [UInt8] { Array(SHA256.hash(data: bytes)) }

  /// The first 16 bytes of the hash: how ids are made of keys.
  package static func truncated(_ bytes: [UInt8]) -> [UInt8] { Array(sha256(bytes).prefix(16)) }
}

/// A hash of bytes that come piece by piece.
package struct RunningHash {
  private var hash = SHA256()

  package init() {}

  package mutating func update(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { hash.update(bufferPointer: $0) }
  }

  /// The 32-byte hash of all so far.
  package func value() -> [UInt8] { Array(hash.finalize()) }
}
