import UnisonoBase
import UnisonoReplica

/// What participants say to each other inside envelopes (wire 11.3).
package enum InnerMessage: Equatable, Sendable {
  case hello(HelloMessage)
  case welcome(WelcomeMessage)
  /// Statements, introductions of authors who are relayed, and policy levels.
  case update(statements: [SignedStatement], intros: [[UInt8]], levels: [[UInt8]] = [])
  case beat(Beat)
  /// Of a list in several messages one part.
  case have([HaveEntry], part: UInt8 = 0, of: UInt8 = 1)
  /// Empty: everything, as a snapshot.
  case want([RegisterKey])
  case snapshot(SnapshotPart)
  /// The application's bytes; equal numbers of one sender are one message. `previous`: the number of the one before, of
  /// reliable ones to all. `label`: what the bytes are; nil: they have no type. `cue`: where in an item it is delivered; nil: at once.
  case data(number: UInt64, bytes: [UInt8], previous: UInt64? = nil, label: MessageLabel? = nil, cue: MessageCue? = nil)
  case notice(NoticeMessage)
  case `private`(PrivateMessage)
  case rekey(RekeyMessage)
  /// Asks the others to bring their session to the front; true: this one was started without a window.
  case foreground(Bool)
  case speaking(Bool)
  /// Asks who may command to do so; the number is the sender's own.
  case request(number: UInt64, CommandRequest)
  /// The answer to a request of `asker`.
  case answer(asker: ParticipantID, number: UInt64, isGranted: Bool)
  /// To one participant: it is ignored for a while.
  case ignoring(IgnoringMessage)
  /// To who said hello: it cannot be welcomed.
  case decline(DeclineMessage)
  case bye
  /// Roster records that the receivers do not know yet.
  case epoch(EpochMessage)
  case ask(AskMessage)
  /// The sender says something to all.
  case chat(SignedStatement)
  case reaction(Reaction)
  /// Digest of what the sender has of the chat.
  case chatDigest([UInt8])
  /// Asks for all of the chat but for these, which the sender has.
  case chatWant([ChatName])
  /// The answer: each entry as its author signed it.
  case chatHistory([SignedStatement])
  /// Asks for pieces of an attachment, hands one over, or refuses to.
  case attachment(AttachmentSaying)
  /// About the registers of a coordinator beside the session's first one.
  case coordinator(CoordinatorMessage)
  /// What proves at a hub that one speaks to the session's audience, asked for or handed over.
  case stage(SeedMessage)

  package enum MessageType: UInt8, Sendable {
    case hello = 2, welcome, update, beat, have, want, snapshot, data, notice
    case `private`, rekey
    case foreground = 14, speaking, request, answer, ignoring, decline
    case bye = 20, epoch, ask
    case chat = 28, reaction, chatDigest, chatWant, chatHistory
    case attachmentFetch = 33, attachmentChunk, attachmentRefusal
    case coordinator = 36
    case stage = 41
  }

  package var type: MessageType {
    switch self {
    case .hello: .hello
    case .welcome: .welcome
    case .update: .update
    case .beat: .beat
    case .have: .have
    case .want: .want
    case .snapshot: .snapshot
    case .data: .data
    case .notice: .notice
    case .private: .private
    case .rekey: .rekey
    case .foreground: .foreground
    case .speaking: .speaking
    case .request: .request
    case .answer: .answer
    case .ignoring: .ignoring
    case .decline: .decline
    case .bye: .bye
    case .epoch: .epoch
    case .ask: .ask
    case .chat: .chat
    case .reaction: .reaction
    case .chatDigest: .chatDigest
    case .chatWant: .chatWant
    case .chatHistory: .chatHistory
    case .attachment(.fetch): .attachmentFetch
    case .attachment(.chunk): .attachmentChunk
    case .attachment(.refusal): .attachmentRefusal
    case .coordinator: .coordinator
    case .stage: .stage
    }
  }

  /// Whether a message of this type may come in an envelope of `kind`.
  package func fits(_ kind: EnvelopeHeader.Kind) -> Bool {
    switch type {
    case .hello, .welcome, .decline: kind == .door
    case .data, .private: kind == .ordered || kind == .unordered
    case .rekey: kind == .door || kind == .ordered
    default: kind == .ordered
    }
  }

  /// Reads the content of an envelope; nil: a type that this version may skip.
  package static func decode(_ content: [UInt8]) throws(WireError) -> InnerMessage? {
    guard content.count <= WireLimits.content else { throw .count }
    var reader = ByteReader(content)
    let number: UInt8 = try reader.integer()
    guard let type = MessageType(rawValue: number) else {
      guard number < 128 else { throw .unknownMustUnderstand }
      return nil
    }
    switch type {
    case .hello: return .hello(try HelloMessage(reader))
    case .welcome: return .welcome(try WelcomeMessage(reader))
    case .update:
      let lists = try StatementLists(reader, statements: 1, intros: 2, levels: 3)
      return .update(statements: lists.statements, intros: lists.intros, levels: lists.levels)
    case .beat: return .beat(try beat(reader))
    case .have: return try have(reader)
    case .want: return .want(try list(reader, smallest: 1, RegisterKeyCoding.want))
    case .snapshot: return .snapshot(try SnapshotPart(reader))
    case .data: return try data(reader)
    case .notice: return .notice(try NoticeMessage(reader))
    case .private: return .private(try PrivateMessage(reader))
    case .rekey: return .rekey(try RekeyMessage(reader))
    case .foreground: return .foreground(try only(reader) { (item) throws(WireError) in try item.boolean() })
    case .speaking: return .speaking(try only(reader) { (item) throws(WireError) in try item.boolean() })
    case .request: return try RequestMessage.decode(reader)
    case .answer: return try RequestMessage.decodeAnswer(reader)
    case .ignoring: return .ignoring(try IgnoringMessage(reader))
    case .decline: return .decline(try DeclineMessage(reader))
    case .bye:
      var items = Items(reader)
      while let item = try items.next() { try item.unknown() }
      return .bye
    case .epoch: return .epoch(try EpochMessage(reader))
    case .ask: return .ask(try AskMessage(reader))
    case .chat: return .chat(try ChatMessage.entry(reader))
    case .reaction: return .reaction(try ChatMessage.reaction(reader))
    case .chatDigest:
      return .chatDigest(try only(reader) { (item) throws(WireError) in try item.bytes(exactly: ChatMessage.digest) })
    case .chatWant: return .chatWant(try ChatMessage.names(reader))
    case .chatHistory: return .chatHistory(try ChatMessage.entries(reader))
    case .attachmentFetch: return .attachment(try AttachmentMessage.fetch(reader))
    case .attachmentChunk: return .attachment(try AttachmentMessage.chunk(reader))
    case .attachmentRefusal: return .attachment(try AttachmentMessage.refusal(reader))
    case .coordinator: return .coordinator(try CoordinatorMessage(reader))
    case .stage: return .stage(try SeedMessage(reader))
    }
  }

  /// The content: type and items.
  package var encoded: [UInt8] {
    var writer = ItemWriter()
    switch self {
    case .hello(let message): message.write(to: &writer)
    case .welcome(let message): message.write(to: &writer)
    case .update(let statements, let intros, let levels):
      for statement in statements { StatementLists.write(statement, tag: 1, to: &writer) }
      for intro in intros { writer.item(2, intro) }
      for level in levels { writer.item(3, level) }
    case .beat(let beat):
      writer.item(1, beat.digest)
      writer.time(2, beat.newestStamp)
      writer.integer(3, beat.hubDelay)
      writer.integer(4, beat.clockError)
      if let timing = beat.timing { write(timing, to: &writer) }
      if !beat.heard.isEmpty { writer.item(9, beat.heard) }
    case .have(let entries, let part, let count):
      for entry in entries { writer.item(1) { RegisterKeyCoding.write(entry, to: &$0) } }
      if part != 0 { writer.integer(2, part) }
      if count != 1 { writer.integer(3, count) }
    case .want(let keys):
      for key in keys { writer.item(1) { RegisterKeyCoding.write(key, to: &$0) } }
    case .snapshot(let part): part.write(to: &writer)
    case .data(let number, let bytes, let previous, let label, let cue):
      writer.integer(1, number)
      writer.item(2, bytes)
      if let previous { writer.integer(3, previous) }
      if let label {
        writer.text(4, label.type)
        writer.integer(5, label.version)
      }
      if let cue {
        writer.item(6, cue.item.utf8)
        writer.time(7, cue.itemTime)
      }
    case .notice(let notice): notice.write(to: &writer)
    case .private(let message): message.write(to: &writer)
    case .rekey(let message): message.write(to: &writer)
    case .foreground(let inBackground): writer.boolean(1, inBackground)
    case .speaking(let speaking): writer.boolean(1, speaking)
    case .request(let number, let request): RequestMessage.write(number, request, to: &writer)
    case .answer(let asker, let number, let isGranted):
      RequestMessage.write(asker, number, isGranted, to: &writer)
    case .ignoring(let message): message.write(to: &writer)
    case .decline(let message): message.write(to: &writer)
    case .bye: break
    case .epoch(let message): message.write(to: &writer)
    case .ask(let message): message.write(to: &writer)
    case .chat(let entry): ChatMessage.write(entry, to: &writer)
    case .reaction(let reaction): ChatMessage.write(reaction, to: &writer)
    case .chatDigest(let digest): writer.item(1, digest)
    case .chatWant(let names): ChatMessage.write(names, to: &writer)
    case .chatHistory(let entries): for entry in entries { StatementLists.write(entry, tag: 1, to: &writer) }
    case .attachment(let saying): AttachmentMessage.write(saying, to: &writer)
    case .coordinator(let message): message.write(to: &writer)
    case .stage(let message): message.write(to: &writer)
    }
    return [type.rawValue] + writer.bytes
  }

  private static func only<Value>(
    _ reader: ByteReader, _ read: (Item) throws(WireError) -> Value
  ) throws(WireError) -> Value {
    var value: Value?
    var items = Items(reader)
    while let item = try items.next() {
      if item.tag == 1 { value = try read(item) } else { try item.unknown() }
    }
    return try value.required()
  }

  /// The elements of item 1; the others are `readOther`'s.
  private static func list<Element>(
    _ reader: ByteReader, smallest: Int, _ read: (Item) throws(WireError) -> Element?,
    readOther: (Item) throws(WireError) -> Void = { (item) throws(WireError) in try item.unknown() }
  ) throws(WireError) -> [Element] {
    var items = Items(reader, lists: [1])
    var elements: [Element] = []
    elements.reserveCapacity(items.capacity(smallest: smallest, limit: WireLimits.registersPerMessage))
    var count = 0
    while let item = try items.next() {
      guard item.tag == 1 else {
        try readOther(item)
        continue
      }
      count += 1
      guard count <= WireLimits.registersPerMessage else { throw .count }
      if let element = try read(item) { elements.append(element) }
    }
    return elements
  }

  private static func have(_ reader: ByteReader) throws(WireError) -> InnerMessage {
    var (part, of): (UInt8, UInt8) = (0, 1)
    let entries = try list(reader, smallest: 41, RegisterKeyCoding.have) { (item) throws(WireError) in
      switch item.tag {
      case 2: part = try item.integer()
      case 3: of = try item.integer()
      default: try item.unknown()
      }
    }
    guard part < of, of <= WireLimits.haveParts else { throw .range }
    return .have(entries, part: part, of: of)
  }

  private static func beat(_ reader: ByteReader) throws(WireError) -> Beat {
    var digest: [UInt8]?
    var newest: Int64?
    var delay: UInt32?
    var error: UInt32?
    var sent: GroupTime?
    var number: UInt32?
    var echoes: [Beat.Echo]?
    var timingError: UInt32?
    var heard: [UInt8] = []
    var items = Items(reader)
    while let item = try items.next() {
      switch item.tag {
      case 1: digest = try item.bytes(exactly: 32)
      case 2: newest = try item.time()
      case 3: delay = try item.integer()
      case 4: error = try item.integer()
      case 5: sent = try item.time()
      case 6: number = try item.integer()
      case 7: echoes = try self.echoes(item)
      case 8: timingError = try item.integer()
      case 9: heard = try item.bytes(upTo: WireLimits.roster / 8)
      default: try item.unknown()
      }
    }
    var timing: Beat.Timing?
    if sent != nil || number != nil || echoes != nil || timingError != nil {
      timing = Beat.Timing(
        sent: try sent.required(), number: try number.required(), echoes: echoes ?? [], error: timingError)
    }
    return Beat(
      digest: try digest.required(), newestStamp: try newest.required(), hubDelay: try delay.required(),
      clockError: try error.required(), timing: timing, heard: heard)
  }

  /// Of a heartbeat: id, number and time of receipt, one after the other.
  private static let echoSize = 28

  private static func echoes(_ item: Item) throws(WireError) -> [Beat.Echo] {
    let bytes = try item.bytes(upTo: WireLimits.echoes * echoSize)
    guard bytes.count.isMultiple(of: echoSize) else { throw .count }
    var reader = ByteReader(bytes)
    var echoes: [Beat.Echo] = []
    for _ in 0..<bytes.count / echoSize {
      echoes.append(
        Beat.Echo(of: try reader.identifier(), number: try reader.integer(), received: try reader.time()))
    }
    return echoes
  }

  private func write(_ timing: Beat.Timing, to writer: inout ItemWriter) {
    writer.time(5, timing.sent)
    writer.integer(6, timing.number)
    if !timing.echoes.isEmpty {
      writer.item(7) { bytes in
        for echo in timing.echoes {
          bytes.identifier(echo.of)
          bytes.integer(echo.number)
          bytes.time(echo.received)
        }
      }
    }
    if let error = timing.error { writer.integer(8, error) }
  }

  private static func data(_ reader: ByteReader) throws(WireError) -> InnerMessage {
    var number: UInt64?
    var bytes: [UInt8]?
    var previous: UInt64?
    var type: String?
    var version: UInt32?
    var place: ItemID?
    var time: ItemTime?
    var items = Items(reader)
    while let item = try items.next() {
      switch item.tag {
      case 1: number = try item.integer()
      case 2: bytes = try item.bytes(upTo: WireLimits.applicationMessage)
      case 3: previous = try item.integer()
      case 4: type = try item.text(1, upTo: WireLimits.messageType)
      case 5: version = try item.integer()
      case 6: place = try RegisterKeyCoding.item(item.value)
      case 7: time = try item.time()
      default: try item.unknown()
      }
    }
    guard (type == nil) == (version == nil), (place == nil) == (time == nil) else { throw .truncated }
    var label: MessageLabel?
    if let type, let version { label = MessageLabel(type: type, version: version) }
    var cue: MessageCue?
    if let place, let time { cue = MessageCue(item: place, itemTime: time) }
    return .data(number: try number.required(), bytes: try bytes.required(), previous: previous, label: label, cue: cue)
  }
}
