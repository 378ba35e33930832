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
    var isSealed = false
    let record = [UInt8](unsafeUninitializedCapacity: text.recordLength) { room, count in
      isSealed = seal(text, into: UnsafeMutableRawBufferPointer(room))
      count = isSealed ? text.recordLength : 0
    }
    return isSealed ? record : nil
  }

  /// The same, written to the begin of `room`, which has the record's length at least; false where the other is nil.
  package mutating func seal(_ text: RecordText, into room: UnsafeMutableRawBufferPointer) -> Bool {
    guard counter < RecordText.mostRecords else { return false }
    counter += 1
    return cipher.seal(text.bytes, number: counter - 1, into: room)
  }
}
