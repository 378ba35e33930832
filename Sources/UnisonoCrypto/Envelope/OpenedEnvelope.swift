import UnisonoWire

/// An envelope whose seal and padding were right. Who wrote it is known only after `verify`.
package struct OpenedEnvelope: Equatable, Sendable {
  package let header: EnvelopeHeader
  private let headerBytes: [UInt8]
  private let plain: EnvelopePlain

  init(header: EnvelopeHeader, headerBytes: [UInt8], plain: EnvelopePlain) {
    self.header = header
    self.headerBytes = headerBytes
    self.plain = plain
  }

  /// Type and items. Not to be acted upon before `verify`; of kind 0 the introduction inside may be read first.
  package var content: [UInt8] { plain.content }

  /// Refuses what the holder of `author` did not write for this room, or not under the id in its header.
  package func verify(author: VerifyingKey, scope: Scope) throws(EnvelopeError) {
    guard author.participantID == header.sender,
      author.verifies(plain.signature, .message, scope.bytes + headerBytes + plain.content)
    else { throw .signature }
  }
}
