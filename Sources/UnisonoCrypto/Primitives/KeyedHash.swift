import Crypto

/// HMAC-SHA256 (RFC 2104) that leaves nothing of its key, or of what it was given, behind.
///
/// swift-crypto's own, and the HKDF that stands on it, fill a block with the key in arrays, which stay in freed memory; and
/// in 4.5.2 its hash does not clear its state at the end, from which the same codes can be made.
enum KeyedHash {
  private static let block = 64

  static func code(of message: UnsafeRawBufferPointer, key: UnsafeRawBufferPointer) -> Secret {
    guard key.count <= block else {
      return SHA256.hash(data: key).withUnsafeBytes { code(of: message, key: $0) }
    }
    // Below this are only those frames which are over now.
    defer { SecretBuffer.overwriteStackBelow() }
    return withUnsafeTemporaryAllocation(byteCount: block, alignment: 16) { padded in
      defer { SecretBuffer.overwrite(padded) }
      for index in padded.indices { padded[index] = (index < key.count ? key[index] : 0) ^ 0x36 }
      let inner = hash(UnsafeRawBufferPointer(padded), message)
      for index in padded.indices { padded[index] ^= 0x36 ^ 0x5c }
      return inner.key.withUnsafeBytes { hash(UnsafeRawBufferPointer(padded), $0) }
    }
  }

  /// Hash of both, one after the other.
  private static func hash(_ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer) -> Secret {
    var hash = SHA256()
    hash.update(bufferPointer: first)
    hash.update(bufferPointer: second)
    let digest = Secret(SymmetricKey(data: hash.finalize()))
    // A block more, and the state that was there cannot be told any more; what waited for its block goes with it.
    withUnsafeTemporaryAllocation(byteCount: block, alignment: 16) { zeros in
      SecretBuffer.overwrite(zeros)
      hash.update(bufferPointer: UnsafeRawBufferPointer(zeros))
    }
    return digest
  }
}
