import UnisonoBase
import UnisonoReplica

/// What publishers say to an audience, inside envelopes of kind `stage`, and a listener to them, inside those of kind `listener`
/// (wire 8.27, 8.28).
package enum StageMessage: Equatable, Sendable {
  case line(StageLine)
  case programme(StageProgramme)
  /// A listener to the publishers; the others are said by these.
  case hand(HandMessage)
  /// To one listener: an invite, sealed to the key that it told.
  case invite(sealed: [UInt8])
  /// To one listener: when what it said came.
  case echo(EchoMessage)

  /// Lengths of a sealed invite.
  static let sealedInvite = 1_137...5_231

  private enum MessageType: UInt8 { case line = 37, programme, hand, invite, echo = 42 }

  /// Reads the content of an envelope.
  package static func decode(_ content: [UInt8]) throws(WireError) -> StageMessage {
    var reader = ByteReader(content)
    guard let type = MessageType(rawValue: try reader.integer()) else { throw .range }
    switch type {
    case .line: return .line(try StageLine(reader))
    case .programme: return .programme(try StageProgramme(reader))
    case .hand: return .hand(try HandMessage(reader))
    case .invite: return .invite(sealed: try invite(reader))
    case .echo: return .echo(try EchoMessage(reader))
    }
  }

  private static func invite(_ reader: ByteReader) throws(WireError) -> [UInt8] {
    var sealed: [UInt8]?
    var items = Items(reader)
    while let item = try items.next() {
      if item.tag == 1 { sealed = try item.bytes(upTo: sealedInvite.upperBound) } else { try item.unknown() }
    }
    let found = try sealed.required()
    guard found.count >= sealedInvite.lowerBound else { throw .count }
    return found
  }

  /// What the header of its envelope says.
  package var kind: EnvelopeHeader.Kind { if case .hand = self { .listener } else { .stage } }

  /// The content: type and items.
  package var encoded: [UInt8] {
    var writer = ItemWriter()
    switch self {
    case .line(let line):
      line.write(to: &writer)
      return [MessageType.line.rawValue] + writer.bytes
    case .programme(let programme):
      programme.write(to: &writer)
      return [MessageType.programme.rawValue] + writer.bytes
    case .hand(let hand):
      hand.write(to: &writer)
      return [MessageType.hand.rawValue] + writer.bytes
    case .invite(let sealed):
      writer.item(1, sealed)
      return [MessageType.invite.rawValue] + writer.bytes
    case .echo(let echo):
      echo.write(to: &writer)
      return [MessageType.echo.rawValue] + writer.bytes
    }
  }
}

/// The state of the item that the group is at, whole: the newest line is enough. Said at each change, and every few seconds.
package struct StageLine: Equatable, Sendable {
  /// Rate, position and continuation of the item; more are refused.
  package static let statementsMost = 3

  /// Group time when it was sent; nil: the publisher does not know it for sure.
  package var sent: GroupTime?
  /// What `sent` may be wrong by, us.
  package var error: UInt32
  /// As their authors signed them.
  package var statements: [SignedStatement]
  /// Nothing more is said to this audience.
  package var isOver: Bool

  package init(sent: GroupTime?, error: UInt32, statements: [SignedStatement], isOver: Bool = false) {
    self.sent = sent
    self.error = error
    self.statements = statements
    self.isOver = isOver
  }

  init(_ reader: ByteReader) throws(WireError) {
    var sent: GroupTime?
    var error: UInt32?
    var statements: [SignedStatement] = []
    var isOver = false
    var items = Items(reader, lists: [3])
    while let item = try items.next() {
      switch item.tag {
      case 1: sent = try item.time()
      case 2: error = try item.integer()
      case 3:
        guard statements.count < Self.statementsMost else { throw .count }
        statements.append(try StatementLists.statement(item))
      case 4: isOver = try item.boolean()
      default: try item.unknown()
      }
    }
    guard (sent == nil) == (error == nil) else { throw .truncated }
    self.init(sent: sent, error: error ?? 0, statements: statements, isOver: isOver)
  }

  func write(to writer: inout ItemWriter) {
    if let sent {
      writer.time(1, sent)
      writer.integer(2, error)
    }
    for statement in statements { StatementLists.write(statement, tag: 3, to: &writer) }
    if isOver { writer.boolean(4, true) }
  }
}

/// When a publisher got a listener's question for group time. It names the listener, as everybody with the link can read it, and the hub
/// could hand it to another.
package struct EchoMessage: Equatable, Sendable {
  package var listener: ParticipantID
  /// Of what that listener said.
  package var number: UInt32
  /// Group time then.
  package var received: GroupTime
  /// What `received` may be wrong by, us.
  package var error: UInt32

  package init(listener: ParticipantID, number: UInt32, received: GroupTime, error: UInt32) {
    self.listener = listener
    self.number = number
    self.received = received
    self.error = error
  }

  init(_ reader: ByteReader) throws(WireError) {
    var listener: ParticipantID?
    var number: UInt32?
    var received: GroupTime?
    var error: UInt32?
    var items = Items(reader)
    while let item = try items.next() {
      switch item.tag {
      case 1: listener = try item.identifier()
      case 2: number = try item.integer()
      case 3: received = try item.time()
      case 4: error = try item.integer()
      default: try item.unknown()
      }
    }
    self.init(
      listener: try listener.required(), number: try number.required(), received: try received.required(), error: try error.required())
  }

  func write(to writer: inout ItemWriter) {
    writer.item(1, listener.bytes)
    writer.integer(2, number)
    writer.time(3, received)
    writer.integer(4, error)
  }
}

/// Where an audience is from now on that has got another link (wire 8.30).
package enum StageRenewal: Equatable, Sendable {
  /// Who listens goes along: secret and topic of the new link, 32 bytes each.
  case next(secret: [UInt8], topic: [UInt8])
  /// Who comes now is not taken along.
  case over
}

/// What a listener needs besides the line: the policy, the authors' keys, what is said of the session, and where to listen.
package struct StageProgramme: Equatable, Sendable {
  package static let keysMost = 256
  package static let statementsMost = 256

  /// Of the policy in force, the lowest first.
  package var levels: [[UInt8]]
  /// Signing keys of the publishers and of all authors, 32 bytes each.
  package var keys: [[UInt8]]
  package var statements: [SignedStatement]
  /// That the publisher is at; nil: none.
  package var item: ItemID?
  /// Where the audience may be found, the present place first.
  package var hubs: [HubAddress]
  /// nil: the link is in force.
  package var renewal: StageRenewal?
  /// Percent of those who listen that starts wait for; 0: for nobody.
  package var share: UInt8
  /// By which listeners react.
  package var reactions: [String]

  package init(
    levels: [[UInt8]], keys: [[UInt8]], statements: [SignedStatement], item: ItemID?, hubs: [HubAddress], renewal: StageRenewal? = nil,
    share: UInt8 = 0, reactions: [String] = []
  ) {
    self.levels = levels
    self.keys = keys
    self.statements = statements
    self.item = item
    self.hubs = hubs
    self.renewal = renewal
    self.share = share
    self.reactions = reactions
  }

  init(_ reader: ByteReader) throws(WireError) {
    self.init(levels: [], keys: [], statements: [], item: nil, hubs: [])
    var items = Items(reader, lists: [1, 2, 3, 5, 9])
    while let item = try items.next() {
      switch item.tag {
      case 1:
        guard levels.count < WireLimits.policyLevels else { throw .count }
        levels.append(try item.bytes(upTo: WireLimits.policyLevel))
      case 2:
        guard keys.count < Self.keysMost else { throw .count }
        keys.append(try item.bytes(exactly: 32))
      case 3:
        guard statements.count < Self.statementsMost else { throw .count }
        statements.append(try StatementLists.statement(item))
      case 4: self.item = try RegisterKeyCoding.item(item.value)
      case 5:
        guard hubs.count < WireLimits.hubAddresses else { throw .count }
        hubs.append(try HubAddressCoding.read(item))
      case 6:
        let next = try item.bytes(exactly: 64)
        renewal = .next(secret: Array(next[..<32]), topic: Array(next[32...]))
      case 7:
        guard try item.boolean() else { continue }
        guard renewal == nil else { throw .range }
        renewal = .over
      case 8: share = try AudienceCoding.share(item)
      case 9: reactions.append(try AudienceCoding.reaction(item, after: reactions))
      default: try item.unknown()
      }
    }
  }

  func write(to writer: inout ItemWriter) {
    for level in levels { writer.item(1, level) }
    for key in keys { writer.item(2, key) }
    for statement in statements { StatementLists.write(statement, tag: 3, to: &writer) }
    if let item { writer.item(4, item.utf8) }
    for hub in hubs { HubAddressCoding.write(hub, tag: 5, to: &writer) }
    switch renewal {
    case .next(let secret, let topic): writer.item(6, secret + topic)
    case .over: writer.boolean(7, true)
    case nil: break
    }
    if share != 0 { writer.integer(8, share) }
    for reaction in reactions { writer.text(9, reaction) }
  }
}
