import UnisonoBase

/// A message that only some of those who get its envelope can read (wire 5.4).
package struct PrivateMessage: Equatable, Sendable {
  /// id(16) ‖ HPKE of the content key(80).
  package static let wrapLength = 96

  /// One for each recipient, ascending by id.
  package var wraps: [[UInt8]]
  /// Type and items of the message inside, sealed with the content key.
  package var sealed: [UInt8]

  package init(wraps: [[UInt8]], sealed: [UInt8]) {
    self.wraps = wraps
    self.sealed = sealed
  }

  init(_ reader: ByteReader) throws(WireError) {
    wraps = []
    var sealed: [UInt8]?
    var items = Items(reader, lists: [1])
    wraps.reserveCapacity(items.capacity(smallest: Self.wrapLength, limit: WireLimits.participants))
    while let item = try items.next() {
      switch item.tag {
      case 1:
        guard wraps.count < WireLimits.participants else { throw .count }
        wraps.append(try item.bytes(exactly: Self.wrapLength))
      case 2: sealed = try item.bytes(upTo: WireLimits.content)
      default: try item.unknown()
      }
    }
    self.sealed = try sealed.required()
  }

  func write(to writer: inout ItemWriter) {
    for wrap in wraps { writer.item(1, wrap) }
    writer.item(2, sealed)
  }
}
