import UnisonoBase

/// One numbered word of what a run's own members do in a room (hubs 4.4).
package struct HubFeed: Equatable, Sendable {
  package enum Word: Equatable, Sendable {
    case entered(ParticipantID, turn: UInt32, age: UInt32)
    /// `left`: on purpose.
    case gone(ParticipantID, turn: UInt32, left: Bool)
    /// `to`: ascending; nil: everybody in the room. `slot`: of an audience, in which it is kept.
    case said(ParticipantID, to: [ParticipantID]?, mayDrop: Bool, slot: AudienceSlot? = nil, envelope: [UInt8])
  }

  private enum What: UInt8 { case entered = 1, gone, left, said }

  /// First bytes of the hash of the topic.
  package var tag: UInt64
  /// From 1 on, without holes.
  package var number: UInt64
  package var word: Word

  package init(tag: UInt64, number: UInt64, word: Word) {
    self.tag = tag
    self.number = number
    self.word = word
  }

  /// Bytes that it takes, about.
  package var length: Int {
    guard case .said(_, let to, _, _, let envelope) = word else { return 64 }
    return 64 + envelope.count + 16 * (to?.count ?? 0)
  }

  func write(to writer: inout ItemWriter) {
    writer.integer(1, tag)
    writer.integer(2, number)
    switch word {
    case .entered(let id, let turn, let age):
      writer.integer(3, What.entered.rawValue)
      writer.identifier(4, id)
      writer.integer(5, turn)
      writer.integer(6, age)
    case .gone(let id, let turn, let left):
      writer.integer(3, (left ? What.left : .gone).rawValue)
      writer.identifier(4, id)
      writer.integer(5, turn)
    case .said(let id, let to, let mayDrop, let slot, let envelope):
      writer.integer(3, What.said.rawValue)
      writer.identifier(4, id)
      if let to { writer.identifiers(7, to) }
      if mayDrop { writer.boolean(8, true) }
      if let slot { writer.integer(9, slot.rawValue) }
      writer.item(255, envelope)
    }
  }

  init(_ reader: ByteReader) throws(WireError) {
    var tag: UInt64?
    var number: UInt64?
    var what: What?
    var id: ParticipantID?
    var turn: UInt32?
    var age: UInt32?
    var to: [ParticipantID]?
    var mayDrop = false
    var slot: AudienceSlot?
    var envelope: [UInt8]?
    var items = Items(reader)
    while let item = try items.next() {
      switch item.tag {
      case 1: tag = try item.integer()
      case 2: number = try item.integer()
      case 3:
        what = What(rawValue: try item.integer())
        if what == nil { throw .range }
      case 4: id = try item.identifier()
      case 5: turn = try item.integer()
      case 6: age = try item.integer()
      case 7: to = try item.identifiers(upTo: HubSetLimits.receivers)
      case 8: mayDrop = try item.boolean()
      case 9:
        slot = AudienceSlot(rawValue: try item.integer())
        if slot == nil { throw .range }
      case 255:
        guard item.value.remaining >= EnvelopeHeader.envelopeLengths.lowerBound else { throw .truncated }
        envelope = try item.bytes(upTo: EnvelopeHeader.envelopeLengths.upperBound)
      default: try item.unknown()
      }
    }
    self.tag = try tag.required()
    self.number = try number.required()
    guard (1...HubSetLimits.number).contains(self.number) else { throw .range }
    switch try what.required() {
    case .entered: word = .entered(try id.required(), turn: try turn.required(), age: try age.required())
    case .gone: word = .gone(try id.required(), turn: try turn.required(), left: false)
    case .left: word = .gone(try id.required(), turn: try turn.required(), left: true)
    case .said:
      let envelope = try envelope.required()
      // Who says to be somebody else is not believed, whoever forwards it.
      guard try EnvelopeHeader(envelope: envelope).sender == id.required() else { throw .range }
      // What is kept is for everybody.
      if let slot { guard to == nil, try slot.envelope(envelope).count > 0 else { throw .range } }
      word = .said(try id.required(), to: to, mayDrop: mayDrop, slot: slot, envelope: envelope)
    }
  }
}
