import UnisonoBase

/// The 50 bytes before a sealed message: sent in clear, covered by the seal and by the author's signature.
package struct EnvelopeHeader: Hashable, Sendable {
  package enum Kind: UInt8, Sendable {
    /// Hello, welcome and re-key, under keys that the invite gives.
    case door = 0
    case ordered = 1
    case unordered = 2
    /// Of an audience: a publisher to all.
    case stage = 3
    /// Of an audience: a listener to the publishers.
    case listener = 4

    /// Of an ordinary room; the others are an audience's.
    package var isOfRoom: Bool { rawValue <= Kind.unordered.rawValue }
  }

  package static let length = 50
  /// First byte.
  static let format: UInt8 = 2
  /// Smallest and greatest envelope: header, padded plain text, tag of 16.
  package static let envelopeLengths = 578...229_442

  package var kind: Kind
  /// The roster record, or the audience, whose key seals it; `.none` for kind door.
  package var epoch: EpochID
  package var sender: ParticipantID
  package var lane: Lane
  /// From 0, for each lane and kind.
  package var counter: UInt64

  package init(
    kind: Kind, epoch: EpochID, sender: ParticipantID, lane: Lane, counter: UInt64
  ) {
    self.kind = kind
    self.epoch = epoch
    self.sender = sender
    self.lane = lane
    self.counter = counter
  }

  package var bytes: [UInt8] {
    var writer = ByteWriter()
    writer.integer(Self.format)
    writer.integer(kind.rawValue)
    writer.append(epoch.bytes)
    writer.identifier(sender)
    writer.append(lane.bytes)
    writer.integer(counter)
    return writer.bytes
  }

  /// Reads the header at the start of an envelope. Throws `truncated`, or `range` for another format or kind, or a
  /// door envelope that names an epoch.
  package init(reading reader: inout ByteReader) throws(WireError) {
    guard try reader.integer(UInt8.self) == Self.format, let kind = Kind(rawValue: try reader.integer()) else { throw .range }
    self.kind = kind
    epoch = EpochID(high: try reader.integer(), low: try reader.integer())
    sender = try reader.identifier()
    lane = Lane(index: try reader.integer(), random: try reader.integer())
    counter = try reader.integer()
    if kind == .door, epoch != .none { throw .range }
  }

  /// The header of a whole envelope, whose length is checked, too.
  package init(envelope: [UInt8]) throws(WireError) {
    guard envelope.count >= Self.envelopeLengths.lowerBound else { throw .truncated }
    guard envelope.count <= Self.envelopeLengths.upperBound else { throw .count }
    var reader = ByteReader(envelope)
    try self.init(reading: &reader)
  }
}
