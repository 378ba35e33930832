/// Appends items. Tags are given in ascending order by the encoders; every encoder is tested against `Items`.
package struct ItemWriter: Sendable {
  package private(set) var bytes: [UInt8] = []

  package init() {}

  /// Values over 2^24 - 1 bytes cannot be said; every encoder's limits are far below.
  package mutating func item(_ tag: UInt8, _ value: some Collection<UInt8>) {
    assert(value.count <= 0xFF_FFFF)
    bytes.reserveCapacity(bytes.count + 4 + value.count)
    bytes.append(tag)
    bytes.append(UInt8(truncatingIfNeeded: value.count >> 16))
    bytes.append(UInt8(truncatingIfNeeded: value.count >> 8))
    bytes.append(UInt8(truncatingIfNeeded: value.count))
    bytes.append(contentsOf: value)
  }

  package mutating func item(_ tag: UInt8, _ write: (inout ByteWriter) -> Void) {
    var writer = ByteWriter()
    write(&writer)
    item(tag, writer.bytes)
  }

  /// A value that is made of items itself.
  package mutating func items(_ tag: UInt8, _ write: (inout ItemWriter) -> Void) {
    var writer = ItemWriter()
    write(&writer)
    item(tag, writer.bytes)
  }

  package mutating func integer(_ tag: UInt8, _ value: some FixedWidthInteger & UnsignedInteger) {
    item(tag) { $0.integer(value) }
  }

  package mutating func boolean(_ tag: UInt8, _ value: Bool) { integer(tag, value ? UInt8(1) : 0) }
  package mutating func time(_ tag: UInt8, _ value: Int64) { item(tag) { $0.time(value) } }
  package mutating func number(_ tag: UInt8, _ value: Double) { item(tag) { $0.number(value) } }
  package mutating func text(_ tag: UInt8, _ value: String) { item(tag, Array(value.utf8)) }
  package mutating func identifier<Kind>(_ tag: UInt8, _ value: Identifier<Kind>) {
    item(tag) { $0.identifier(value) }
  }

  /// Ids as a packed list, sorted and without doubles.
  package mutating func identifiers<Kind>(_ tag: UInt8, _ values: [Identifier<Kind>]) {
    item(tag) { writer in
      var last: Identifier<Kind>?
      for value in values.sorted() where value != last {
        writer.identifier(value)
        last = value
      }
    }
  }
}
