import Crypto

// Only hubs answer such handshakes, and a page is none.
#if !hasFeature(Embedded)
  /// SHA-1, which RFC 6455 asks of whoever answers a WebSocket handshake. It shows that the answer belongs to the question and
  /// protects nothing; nothing else may use it.
  package enum UpgradeHash {
    /// The 20-byte hash of `bytes`.
    package static func sha1(_ bytes: [UInt8]) -> [UInt8] { Array(Insecure.SHA1.hash(data: bytes)) }
  }
#endif
