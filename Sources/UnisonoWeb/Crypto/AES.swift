import CPrimitives

/// AES-256-GCM.
public enum AES {
  public enum GCM {
    static let nonceLength = 12
    static let tagLength = 16

    public struct Nonce: Sendable {
      fileprivate let bytes: [UInt8]

      public init(data: [UInt8]) throws(CryptoError) {
        guard data.count == nonceLength else { throw .refused }
        bytes = data
      }
    }

    public struct SealedBox {
      public let nonce: Nonce
      /// Ciphertext and tag, one behind the other.
      fileprivate let text: [UInt8]

      public var ciphertext: ArraySlice<UInt8> { text.dropLast(tagLength) }
      public var tag: ArraySlice<UInt8> { text.suffix(tagLength) }

      public init(nonce: Nonce, ciphertext: ArraySlice<UInt8>, tag: ArraySlice<UInt8>) throws(CryptoError) {
        guard tag.count == tagLength else { throw .refused }
        self.init(nonce: nonce, text: ciphertext + tag)
      }

      fileprivate init(nonce: Nonce, text: some Collection<UInt8>) {
        self.nonce = nonce
        self.text = Array(text)
      }
    }

    public static func seal(
      _ plain: [UInt8], using key: SymmetricKey, nonce: Nonce, authenticating head: [UInt8]
    ) throws(CryptoError) -> SealedBox {
      guard let text = plain.withUnsafeBytes({ sealed($0, key, nonce, head) }) else { throw .refused }
      return SealedBox(nonce: nonce, text: text)
    }

    /// The same where the plain text is a secret, which is in no array.
    public static func seal(
      _ plain: UnsafeRawBufferPointer, using key: SymmetricKey, nonce: Nonce, authenticating head: [UInt8]
    ) throws(CryptoError) -> SealedBox {
      guard let text = sealed(plain, key, nonce, head) else { throw .refused }
      return SealedBox(nonce: nonce, text: text)
    }

    private static func sealed(_ plain: UnsafeRawBufferPointer, _ key: SymmetricKey, _ nonce: Nonce, _ head: [UInt8]) -> [UInt8]? {
      guard key.count == 32 else { return nil }
      var result: Int32 = 0
      let text = [UInt8](unsafeUninitializedCapacity: plain.count + tagLength) { room, count in
        result = key.withBytes {
          primitives_seal(
            $0, nonce.bytes, head, head.count, plain.baseAddress?.assumingMemoryBound(to: UInt8.self), plain.count, room.baseAddress)
        }
        count = result == 1 ? plain.count + tagLength : 0
      }
      return result == 1 ? text : nil
    }

    public static func open(
      _ box: SealedBox, using key: SymmetricKey, authenticating head: some Collection<UInt8>
    ) throws(CryptoError) -> [UInt8] {
      guard key.count == 32 else { throw .refused }
      let head = Array(head)
      var result: Int32 = 0
      let length = box.text.count - tagLength
      // One byte more than is written: an array without room has no address.
      let plain = [UInt8](unsafeUninitializedCapacity: length + 1) { room, count in
        result = key.withBytes {
          primitives_open($0, box.nonce.bytes, head, head.count, box.text, box.text.count, room.baseAddress)
        }
        count = result == 1 ? length : 0
      }
      guard result == 1 else { throw .refused }
      return plain
    }
  }
}
