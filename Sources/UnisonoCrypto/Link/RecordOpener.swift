import UnisonoBase
import UnisonoWire

/// Opens the records that one side of a link receives, one after the other (wire 3.2). Has one owner.
///
/// What was bent, dropped, doubled or swapped on the way does not open, and nothing after it does: the connection is over.
package struct RecordOpener: Sendable {
  private let cipher: RecordCipher
  private var counter: UInt64 = 0

  init(key: Secret) { cipher = RecordCipher(key) }

  init(key: Secret, counter: UInt64) {
    self.init(key: key)
    self.counter = counter
  }

  /// The frame in the record whose bytes after the length field are these.
  package mutating func open(_ sealed: [UInt8]) throws(RecordError) -> RawFrame {
    guard sealed.count >= RecordText.leastRecord else { throw .malformed(.truncated) }
    guard sealed.count <= RecordText.greatestRecord else { throw .malformed(.count) }
    guard counter < RecordText.mostRecords else { throw .exhausted }
    guard let text = cipher.open(sealed, number: counter) else { throw .seal }
    counter += 1
    do { return try RecordText.frame(in: text) } catch { throw .malformed(error) }
  }
}

/// Why a record of a link does not open.
package enum RecordError: Error, Hashable, Sendable {
  /// Not sealed by the other side of this link, or not in its turn.
  case seal
  /// Text that holds no frame.
  case malformed(WireError)
  /// One connection carried 2^32 records.
  case exhausted
}
