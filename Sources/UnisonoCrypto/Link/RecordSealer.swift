import UnisonoBase
import UnisonoWire

/// Seals the records that one side of a link sends, one after the other (wire 3.2). Has one owner: each counter is used once.
package struct RecordSealer: Sendable {
  private let cipher: RecordCipher
  private var counter: UInt64 = 0

  init(key: Secret) { cipher = RecordCipher(key) }

  init(key: Secret, counter: UInt64) {
    self.init(key: key)
    self.counter = counter
  }

  /// The record as it goes over the wire: u32 length of the rest ‖ AES-256-GCM of the text; nil after 2^32 records: the connection
  /// is at its end.
  package mutating func seal(_ text: RecordText) -> [UInt8]? {
    guard counter < RecordText.mostRecords else { return nil }
    counter += 1
    return cipher.seal(text.bytes, number: counter - 1)
  }
}
