import UnisonoBase

/// A clock probe, 64 bytes on UDP and in PROBE frames, request and answer alike.
package struct ProbePacket: Hashable, Sendable {
  package enum Kind: UInt8, Sendable { case ask = 1, answer = 2 }

  package static let length = 64
  /// The MAC covers the bytes before it.
  package static let authenticatedLength = 48
  private static let magic: [UInt8] = [0x55, 0x4E, 0x49, 0x01]

  package var kind: Kind
  /// Says which connection asks.
  package var token: UInt64
  package var number: UInt64
  /// The client's own, sent back as it came.
  package var opaque: UInt64
  /// When the ask arrived and the answer left, hub clock, ns; 0 in an ask.
  package var received: HubTime
  package var sent: HubTime
  /// 16 bytes.
  package var mac: [UInt8]

  package init(
    kind: Kind, token: UInt64, number: UInt64, opaque: UInt64, received: HubTime = 0, sent: HubTime = 0,
    mac: [UInt8] = Array(repeating: 0, count: 16)
  ) {
    self.kind = kind
    self.token = token
    self.number = number
    self.opaque = opaque
    self.received = received
    self.sent = sent
    self.mac = mac
  }

  /// What the MAC is computed over.
  package var authenticated: [UInt8] {
    var writer = ByteWriter()
    writer.append(Self.magic)
    writer.integer(kind.rawValue)
    writer.append([0, 0, 0])
    writer.integer(token)
    writer.integer(number)
    writer.integer(opaque)
    writer.time(received)
    writer.time(sent)
    return writer.bytes
  }

  package var bytes: [UInt8] { authenticated + mac }

  /// Throws `truncated`, `trailing`, or `range` for another magic or kind, reserved bytes that are not 0, or an ask
  /// with times.
  package init(bytes: [UInt8]) throws(WireError) {
    var reader = ByteReader(bytes)
    guard try reader.array(4) == Self.magic, let kind = Kind(rawValue: try reader.integer()),
      try reader.array(3) == [0, 0, 0]
    else { throw .range }
    self.kind = kind
    token = try reader.integer()
    number = try reader.integer()
    opaque = try reader.integer()
    received = try reader.time()
    sent = try reader.time()
    mac = try reader.array(16)
    try reader.finish()
    if kind == .ask, received != 0 || sent != 0 { throw .range }
  }
}
