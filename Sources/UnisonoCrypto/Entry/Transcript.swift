import UnisonoBase
import UnisonoWire

/// T: the bodies of OPEN and CHALLENGE exactly as they were on the wire. All keys of the link are made from it, and both sides sign it.
struct Transcript: Equatable, Sendable {
  let hash: [UInt8]

  init(open: [UInt8], challenge: [UInt8]) {
    var writer = ByteWriter()
    writer.append(Label.handshake.bytes)
    for body in [open, challenge] {
      writer.integer(UInt32(truncatingIfNeeded: body.count))
      writer.append(body)
    }
    hash = Hash.sha256(writer.bytes)
  }

  /// Text that the client signs twice, with the topic's key, unless it only listens, and with its own.
  func claim(hub: VerifyingKey, topic: [UInt8], signingKey: VerifyingKey, turn: UInt32, role: EntryRole) -> [UInt8] {
    var writer = ByteWriter()
    for part in [hash, hub.bytes, topic, signingKey.bytes] { writer.append(part) }
    writer.integer(turn)
    writer.integer(role.rawValue)
    return writer.bytes
  }
}
