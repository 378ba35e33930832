import UnisonoBase

/// What one run says of an audience, in OPENED and STATE, beside who publishes there through it (hubs 4.3).
package struct HubAudienceState: Equatable, Sendable {
  /// What a slot has.
  package struct Kept: Equatable, Sendable {
    package var slot: AudienceSlot
    /// ms since it was shown.
    package var age: UInt32
    package var envelope: [UInt8]

    package init(slot: AudienceSlot, age: UInt32, envelope: [UInt8]) {
      self.slot = slot
      self.age = age
      self.envelope = envelope
    }
  }

  /// Of those who listen at that run, and of what they said.
  package var count: AudienceCount
  /// ms since the last publisher, at any hub, went, as far as the run knows; nil: one is there.
  package var alone: UInt32?
  /// Ascending by slot, one each.
  package var kept: [Kept]

  package init(count: AudienceCount, alone: UInt32?, kept: [Kept]) {
    self.count = count
    self.alone = alone
    self.kept = kept
  }

  /// Items 5 to 10.
  func write(to writer: inout ItemWriter) {
    writer.integer(5, count.listeners)
    writer.integer(6, count.leftOut)
    if let alone { writer.integer(7, alone) }
    for kept in kept {
      writer.item(8) {
        $0.integer(kept.slot.rawValue)
        $0.integer(kept.age)
        $0.append(kept.envelope)
      }
    }
    Tally.write(count.ready, tag: 9, to: &writer)
    Tally.write(count.reactions, tag: 10, to: &writer)
  }

  /// Item 8. Throws where it may not be in its slot, or comes after another of it.
  static func kept(_ item: Item, after last: Kept?) throws(WireError) -> Kept {
    var reader = item.value
    guard let slot = AudienceSlot(rawValue: try reader.integer()), last.map({ $0.slot.rawValue < slot.rawValue }) ?? true
    else { throw .range }
    let age: UInt32 = try reader.integer()
    return Kept(slot: slot, age: age, envelope: try slot.envelope(reader.rest))
  }
}

extension AudienceSlot {
  /// An envelope that may be in this slot. Throws where it is too long, or is no publisher's.
  func envelope(_ bytes: [UInt8]) throws(WireError) -> [UInt8] {
    guard bytes.count <= longest else { throw .count }
    guard try EnvelopeHeader(envelope: bytes).kind == .stage else { throw .range }
    return bytes
  }
}
