import CPrimitives

/// SHA-256 of as many parts as there are.
public struct SHA256 {
  private var state = primitives_sha256()

  public init() { primitives_sha256_begin(&state) }

  public mutating func update(bufferPointer bytes: UnsafeRawBufferPointer) {
    guard let start = bytes.baseAddress else { return }
    primitives_sha256_add(&state, start.assumingMemoryBound(to: UInt8.self), bytes.count)
  }

  /// The hash of what was given so far; more may follow.
  public func finalize() -> SHA256Digest {
    var copy = state
    var digest = SHA256Digest()
    digest.write { primitives_sha256_end(&copy, $0) }
    withUnsafeMutableBytes(of: &copy) { primitives_overwrite($0.baseAddress, $0.count) }
    return digest
  }

  public static func hash(data: UnsafeRawBufferPointer) -> SHA256Digest {
    var hash = SHA256()
    hash.update(bufferPointer: data)
    return hash.finalize()
  }

  public static func hash(data: [UInt8]) -> SHA256Digest { data.withUnsafeBytes { hash(data: $0) } }
}

/// 32 bytes, in no array, which would leave them in freed memory.
public struct SHA256Digest: Sequence {
  private var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)

  mutating func write(_ body: (UnsafeMutablePointer<UInt8>) -> Void) {
    Swift.withUnsafeMutableBytes(of: &words) { bytes in
      guard let start = bytes.baseAddress else { return }
      body(start.assumingMemoryBound(to: UInt8.self))
    }
  }

  public func withUnsafeBytes<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try Swift.withUnsafeBytes(of: words, body)
  }

  public func makeIterator() -> IndexingIterator<[UInt8]> { withUnsafeBytes { Array($0) }.makeIterator() }
}
