/// One connection's worth of envelopes of a sender: drawn for every connection, so that no nonce is ever used twice.
public struct Lane: Hashable, Sendable {
  /// One more for each connection of a session object.
  public let index: UInt32
  /// Fresh for each connection: tells apart what a cloned process would repeat.
  public let random: UInt64

  public init(index: UInt32, random: UInt64) {
    self.index = index
    self.random = random
  }

  /// u32 index, 8 random bytes.
  public var bytes: [UInt8] {
    var writer = ByteWriter()
    writer.integer(index)
    writer.integer(random)
    return writer.bytes
  }
}
