import Crypto

#if canImport(Glibc)
  import Glibc
#else
  import CPrimitives
#endif

/// Room for key material on its way between two secrets; overwritten when it is let go.
///
/// An array would leave what it held in freed memory. This has one owner and is never copied or moved to make room.
struct SecretBuffer: ~Copyable {
  private let storage: UnsafeMutableRawBufferPointer
  private(set) var count = 0

  init(capacity: Int) { storage = .allocate(byteCount: capacity, alignment: 16) }

  deinit {
    Self.overwrite(storage)
    storage.deallocate()
  }

  /// At most `capacity` in all.
  mutating func append(_ part: UnsafeRawBufferPointer) {
    precondition(part.count <= storage.count - count, "a secret buffer has room for \(storage.count) bytes")
    UnsafeMutableRawBufferPointer(rebasing: storage[count...]).copyMemory(from: part)
    count += part.count
  }

  /// Takes bytes over: where they were there are zeros then.
  mutating func take(_ part: UnsafeMutableRawBufferPointer) {
    append(UnsafeRawBufferPointer(part))
    Self.overwrite(part)
  }

  mutating func append(_ part: [UInt8]) { part.withUnsafeBytes { append($0) } }

  mutating func append(_ secret: Secret) { secret.key.withUnsafeBytes { append($0) } }

  /// Bytes put in so far; not to be kept beyond `body`.
  borrowing func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    body(UnsafeRawBufferPointer(rebasing: storage[..<count]))
  }

  /// The secret that begins at `offset`; nil unless 32 bytes are there.
  borrowing func secret(at offset: Int) -> Secret? {
    guard offset >= 0, offset <= count, count - offset >= Secret.length else { return nil }
    return withUnsafeBytes { Secret(UnsafeRawBufferPointer(rebasing: $0[offset..<(offset + Secret.length)])) }
  }

  /// With zeros; the compiler must not leave it out, as it may with stores that nobody reads.
  static func overwrite(_ bytes: UnsafeMutableRawBufferPointer) {
    guard let start = bytes.baseAddress else { return }
    #if canImport(Glibc)
      explicit_bzero(start, bytes.count)
    #else
      primitives_overwrite(start, bytes.count)
    #endif
  }

  /// The part of the stack that calls which are over have used: swift-crypto's hash leaves its state there.
  @inline(never)
  static func overwriteStackBelow() {
    var used = (StackPart(), StackPart(), StackPart(), StackPart())
    Swift.withUnsafeMutableBytes(of: &used) { overwrite($0) }
  }

  /// 2 KiB.
  private struct StackPart {
    private var parts = (SIMD64<UInt64>(), SIMD64<UInt64>(), SIMD64<UInt64>(), SIMD64<UInt64>())
  }
}
