import CAEAD
import Crypto
import UnisonoBase
import UnisonoWire

/// AES-256-GCM under the key of one direction of a link (wire 3.2), which is expanded once for all its records.
///
/// Each record has a number, from which its nonce follows: whoever seals uses each once. The expanded key is overwritten at the end.
final class RecordCipher: @unchecked Sendable {
  /// Bytes of the length field.
  private static let headLength = 4

  /// No call changes it: threads may share it.
  private let context: OpaquePointer

  init(_ key: Secret) {
    let context = key.key.withUnsafeBytes { bytes in
      CCryptoBoringSSL_EVP_AEAD_CTX_new(
        CCryptoBoringSSL_EVP_aead_aes_256_gcm(), bytes.baseAddress, bytes.count, RecordText.tagLength)
    }
    guard let context else { preconditionFailure("AES-256-GCM takes every key of 32 bytes") }
    self.context = context
  }

  deinit { CCryptoBoringSSL_EVP_AEAD_CTX_free(context) }

  /// Writes the whole record to the begin of `room`, which has as many bytes at least: u32 length of the rest ‖ sealed text ‖ tag.
  /// False: the cipher does not take this text.
  func seal(_ text: [UInt8], number: UInt64, into room: UnsafeMutableRawBufferPointer) -> Bool {
    let length = text.count + RecordText.tagLength
    guard room.count >= Self.headLength + length, let head = room.baseAddress else { return false }
    room.storeBytes(of: Self.head(length), as: UInt32.self)
    let sealed = head.advanced(by: Self.headLength).assumingMemoryBound(to: UInt8.self)
    var count = 0
    return withUnsafeBytes(of: Self.nonce(number)) { nonce in
      CCryptoBoringSSL_EVP_AEAD_CTX_seal(
        context, sealed, &count, length, nonce.baseAddress, nonce.count, text, text.count, head, Self.headLength) == 1
    }
  }

  /// The text in what follows a record's length field; nil: it was not sealed with this key and number.
  func open(_ sealed: [UInt8], number: UInt64) -> [UInt8]? {
    var isOpen = false
    let text = [UInt8](unsafeUninitializedCapacity: sealed.count) { room, count in
      withUnsafeBytes(of: Self.head(sealed.count)) { head in
        withUnsafeBytes(of: Self.nonce(number)) { nonce in
          isOpen =
            CCryptoBoringSSL_EVP_AEAD_CTX_open(
              context, room.baseAddress, &count, room.count, nonce.baseAddress, nonce.count, sealed, sealed.count,
              head.baseAddress,
              head.count) == 1
        }
      }
      if !isOpen { count = 0 }
    }
    return isOpen ? text : nil
  }

  /// The length field, which is authenticated.
  private static func head(_ length: Int) -> UInt32 { UInt32(length).bigEndian }

  /// 00000000 ‖ number.
  private static func nonce(_ number: UInt64) -> (UInt32, UInt32, UInt32) {
    (0, UInt32(truncatingIfNeeded: number >> 32).bigEndian, UInt32(truncatingIfNeeded: number).bigEndian)
  }
}
