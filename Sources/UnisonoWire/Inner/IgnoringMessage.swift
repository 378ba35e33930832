import UnisonoBase

/// Tells a participant that the sender of this takes nothing from it for a while.
package struct IgnoringMessage: Equatable, Sendable {
  /// What was wrong with what it sent, the last time (numbers of wire 10.1); 0: not said.
  package var reason: UInt8
  /// For how long, ms.
  package var length: UInt32

  package init(reason: UInt8, length: UInt32) {
    self.reason = reason
    self.length = length
  }

  init(_ reader: ByteReader) throws(WireError) {
    reason = 0
    var length: UInt32?
    var items = Items(reader)
    while let item = try items.next() {
      switch item.tag {
      case 1: reason = try item.integer()
      case 2: length = try item.integer()
      default: try item.unknown()
      }
    }
    self.length = try length.required()
  }

  func write(to writer: inout ItemWriter) {
    if reason != 0 { writer.integer(1, reason) }
    writer.integer(2, length)
  }
}
