import UnisonoBase

/// T: what both sides of an entry sign, the bodies of OPEN and CHALLENGE exactly as they were on the wire.
struct Transcript: Equatable, Sendable {
  let hash: [UInt8]

  /// - Parameter challenge: CHALLENGE's body without the signature item.
  init(open: [UInt8], challenge: [UInt8]) {
    var writer = ByteWriter()
    writer.append(Label.handshake.bytes)
    for body in [open, challenge] {
      writer.integer(UInt32(truncatingIfNeeded: body.count))
      writer.append(body)
    }
    hash = Hash.sha256(writer.bytes)
  }

  /// Text that the client signs twice, with the door's key and with its own.
  func claim(topic: [UInt8], signingKey: VerifyingKey) -> [UInt8] { hash + topic + signingKey.bytes }

  func probeKey(_ agreed: Secret) -> ProbeMAC {
    ProbeMAC(key: Secret.extract(salt: hash, material: agreed).expand(.probe))
  }
}
