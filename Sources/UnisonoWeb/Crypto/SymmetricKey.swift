import CPrimitives

// The part of swift-crypto's interface that the room's cryptography calls, over BoringSSL's C functions: where there is no operating
// system there is no Foundation either, on which swift-crypto stands. The names and what they mean are swift-crypto's.

/// Why something is not done. What it was is not said, and nobody asks.
public enum CryptoError: Error { case refused }

/// Secret bytes, overwritten when the last copy goes away; compared in constant time.
public struct SymmetricKey: Equatable, Sendable {
  private let storage: Storage

  public init(data: UnsafeRawBufferPointer) { storage = Storage(data) }

  public init(data: [UInt8]) { storage = data.withUnsafeBytes { Storage($0) } }

  public init(data: SHA256Digest) { storage = data.withUnsafeBytes { Storage($0) } }

  /// `count` bytes that `fill` writes.
  init?(count: Int, _ fill: (UnsafeMutablePointer<UInt8>) -> Int32) {
    storage = Storage(count)
    guard fill(storage.start) == 1 else { return nil }
  }

  /// Bytes of the key; not to be kept beyond `body`.
  public func withUnsafeBytes<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    // The last use of the storage is not the last of its bytes.
    defer { withExtendedLifetime(storage) {} }
    return try body(UnsafeRawBufferPointer(start: storage.start, count: storage.count))
  }

  public static func == (one: Self, other: Self) -> Bool {
    one.withUnsafeBytes { one in
      other.withUnsafeBytes { other in
        guard one.count == other.count else { return false }
        return zip(one, other).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
      }
    }
  }

  /// Written before anybody else has it, and by nobody afterwards.
  private final class Storage: @unchecked Sendable {
    let start: UnsafeMutablePointer<UInt8>
    let count: Int

    init(_ count: Int) {
      self.count = count
      start = .allocate(capacity: max(1, count))
    }

    convenience init(_ bytes: UnsafeRawBufferPointer) {
      self.init(bytes.count)
      for (index, byte) in bytes.enumerated() { start[index] = byte }
    }

    deinit {
      primitives_overwrite(start, count)
      start.deallocate()
    }
  }
}

extension SymmetricKey {
  var count: Int { storage.count }

  /// The bytes for a function in C; not to be kept beyond `body`.
  func withBytes<Result>(_ body: (UnsafePointer<UInt8>) -> Result) -> Result {
    defer { withExtendedLifetime(storage) {} }
    return body(storage.start)
  }
}
