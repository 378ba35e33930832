import UnisonoBase

/// One connection's worth of envelopes of a sender: drawn for every connection, so that no nonce is ever used twice.
package struct Lane: Hashable, Sendable {
  /// One more for each connection of a session object.
  package let index: UInt32
  /// Fresh for each connection: tells apart what a cloned process would repeat.
  package let random: UInt64

  package init(index: UInt32, random: UInt64) {
    self.index = index
    self.random = random
  }

  /// u32 index, 8 random bytes.
  package var bytes: [UInt8] {
    var writer = ByteWriter()
    writer.integer(index)
    writer.integer(random)
    return writer.bytes
  }
}
