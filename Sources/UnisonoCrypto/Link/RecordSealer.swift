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
    var record = [UInt8]()
    record.reserveCapacity(head.count + text.bytes.count + RecordText.tagLength)
    record += head
    record += box.ciphertext
    record += box.tag
    return record
  }

  /// 00000000 ‖ counter.
  static func nonce(_ counter: UInt64) -> AES.GCM.Nonce? {
    var writer = ByteWriter()
    writer.integer(UInt32(0))
    writer.integer(counter)
    return try? AES.GCM.Nonce(data: writer.bytes)
  }

  /// The length field, which is authenticated.
  static func head(_ length: Int) -> [UInt8] {
    var writer = ByteWriter()
    writer.integer(UInt32(truncatingIfNeeded: length))
    return writer.bytes
  }
}
