import UnisonoBase

/// A client's proof that it holds the room's topic key, but for who listens alone, and its own key.
package struct EnterFrame: Hashable, Sendable {
  /// Public key of the door or of the audience, 32 bytes.
  package var topic: [UInt8]
  /// The participant's Ed25519 public key, 32 bytes.
  package var signingKey: [UInt8]
  /// By the topic key, 64 bytes; nil: of a listener, and of nobody else.
  package var enterSignature: [UInt8]?
  /// By the signing key, 64 bytes.
  package var seatSignature: [UInt8]
  /// Only wants to see who is in the room: the hub answers ENTERED and closes, and the room does not notice.
  package var peekOnly: Bool
  /// Opens the room, if nobody is in it, at a hub that asks for one: 38 bytes; nil: none.
  package var pass: [UInt8]?
  /// Counts the participant's entries: of two connections the one with the greater turn is the newer. Of one who only looks: its last.
  package var turn: UInt32
  package var role: EntryRole

  /// `enterSignature` nil: of a listener.
  package init(
    topic: [UInt8], signingKey: [UInt8], turn: UInt32, enterSignature: [UInt8]?, seatSignature: [UInt8], peekOnly: Bool = false,
    pass: [UInt8]? = nil, role: EntryRole = .member
  ) {
    self.topic = topic
    self.signingKey = signingKey
    self.turn = turn
    self.enterSignature = enterSignature
    self.seatSignature = seatSignature
    self.peekOnly = peekOnly
    self.pass = pass
    self.role = role
  }

  package var body: [UInt8] {
    var writer = ItemWriter()
    writer.item(1, topic)
    writer.item(2, signingKey)
    if let enterSignature { writer.item(3, enterSignature) }
    writer.item(4, seatSignature)
    if peekOnly { writer.boolean(5, true) }
    if let pass { writer.item(6, pass) }
    writer.item(7) { $0.integer(turn) }
    if role != .member { writer.item(8) { $0.integer(role.rawValue) } }
    return writer.bytes
  }

  package init(body: [UInt8]) throws(WireError) {
    var topic: [UInt8]?
    var key: [UInt8]?
    var enter: [UInt8]?
    var seat: [UInt8]?
    var peekOnly = false
    var pass: [UInt8]?
    var turn: UInt32?
    var role = EntryRole.member
    var items = Items(body)
    while let item = try items.next() {
      switch item.tag {
      case 1: topic = try item.bytes(exactly: 32)
      case 2: key = try item.bytes(exactly: 32)
      case 3: enter = try item.bytes(exactly: 64)
      case 4: seat = try item.bytes(exactly: 64)
      case 5: peekOnly = try item.boolean()
      case 6: pass = try item.bytes(exactly: 38)
      case 7: turn = try item.integer()
      case 8: role = EntryRole(rawValue: try item.integer()) ?? .member
      default: try item.unknown()
      }
    }
    self.topic = try topic.required()
    signingKey = try key.required()
    if role == .listener, enter != nil { throw .range }
    enterSignature = role == .listener ? nil : try enter.required()
    seatSignature = try seat.required()
    // Who is in an audience is not shown to who only looks.
    if peekOnly, role != .member { throw .range }
    self.peekOnly = peekOnly
    self.pass = pass
    self.role = role
    self.turn = try turn.required()
  }
}
