import Crypto
import UnisonoBase
import UnisonoWire

/// Seals the records that one side of a link sends, one after the other (wire 3.2). Has one owner: each counter is used once.
package struct RecordSealer: Sendable {
  private let key: SymmetricKey
  private var counter: UInt64 = 0

  init(key: Secret) { self.key = key.key }

  init(key: Secret, counter: UInt64) {
    self.init(key: key)
    self.counter = counter
  }

  /// The record as it goes over the wire: u32 length of the rest ‖ AES-256-GCM of the text; nil after 2^32 records: the connection
  /// is at its end.
  package mutating func seal(_ text: RecordText) -> [UInt8]? {
    guard counter < RecordText.mostRecords, let nonce = RecordSealer.nonce(counter) else { return nil }
    counter += 1
    let head = RecordSealer.head(text.bytes.count + RecordText.tagLength)
    guard let box = try? AES.GCM.seal(text.bytes, using: key, nonce: nonce, authenticating: head) else { return nil }
    let (ciphertext, tag) = (box.ciphertext, box.tag)
    return [UInt8](unsafeUninitializedCapacity: head.count + ciphertext.count + tag.count) { buffer, count in
      let room = UnsafeMutableRawBufferPointer(buffer)
      room.copyBytes(from: head)
      ciphertext.withUnsafeBytes { UnsafeMutableRawBufferPointer(rebasing: room[head.count...]).copyMemory(from: $0) }
      tag.withUnsafeBytes { UnsafeMutableRawBufferPointer(rebasing: room[(head.count + ciphertext.count)...]).copyMemory(from: $0) }
      count = room.count
    }
  }

  // Once for each frame and receiver: byte by byte, as a writer of integers of any width costs more than the cipher does.

  /// 00000000 ‖ counter.
  static func nonce(_ counter: UInt64) -> AES.GCM.Nonce? {
    let bytes: [UInt8] = [
      0, 0, 0, 0, byte(counter, 56), byte(counter, 48), byte(counter, 40), byte(counter, 32), byte(counter, 24),
      byte(counter, 16), byte(counter, 8), byte(counter, 0),
    ]
    return try? AES.GCM.Nonce(data: bytes)
  }

  /// The length field, which is authenticated.
  static func head(_ length: Int) -> [UInt8] {
    let length = UInt64(length)
    return [byte(length, 24), byte(length, 16), byte(length, 8), byte(length, 0)]
  }

  private static func byte(_ value: UInt64, _ shift: UInt64) -> UInt8 { UInt8(truncatingIfNeeded: value >> shift) }
}
