import UnisonoBase
import UnisonoCoordination
import UnisonoReplica
import UnisonoWire

/// Sending: statements are signed, messages signed and sealed (wire 4.2, 8.5).
extension SecureChannel {
  /// Content of one part: well under what fits, with room for introductions.
  private static let partSize = 160_000

  /// Sends a message of the coordination; `to` nil: to all others.
  package mutating func send(_ message: CoordinationMessage, to receiver: ParticipantID?, now: HostTime) -> [ChannelEffect]
  {
    let to = receiver.map { [$0] }
    switch message {
    case .update(let statements):
      return parts(of: statements).reduce(into: []) { effects, part in
        effects += send(.update(statements: part.statements, intros: part.intros), to: to, now: now)
      }
    case .levels(let levels): return send(levels, to: to, now: now)
    case .beat(let beat): return send(.beat(beat), to: to, now: now)
    case .have(let entries):
      // No session has as many as fit into all parts.
      let parts = Self.parts(of: entries, length: { 29 + RegisterKeyCoding.keyBytes($0.key).count })
        .prefix(Int(WireLimits.haveParts))
      return parts.enumerated().reduce(into: []) { effects, part in
        let message = InnerMessage.have(part.element, part: UInt8(part.offset), of: UInt8(parts.count))
        effects += send(message, to: to, now: now)
      }
    case .want(let keys):
      return Self.parts(of: keys, length: { 5 + RegisterKeyCoding.keyBytes($0).count }).reduce(into: []) { effects, part in
        effects += send(.want(part), to: to, now: now)
      }
    case .snapshot(nil): return send(.snapshot(.joining), to: to, now: now)
    case .snapshot(let statements?):
      // Who welcomed the asker introduced these.
      let parts = parts(of: statements, introduced: Set(readersIntroduced))
      guard !parts.isEmpty else { return send(.snapshot(SnapshotPart(number: 0, of: 1)), to: to, now: now) }
      let count = UInt16(clamping: min(parts.count, Int(WireLimits.snapshotParts)))
      return parts.prefix(Int(count)).enumerated().reduce(into: []) { effects, part in
        let message = SnapshotPart(
          number: UInt16(part.offset), of: count, statements: part.element.statements, intros: part.element.intros)
        effects += send(.snapshot(message), to: to, now: now)
      }
    }
  }

  /// Sends any other message inside the group's envelope; nothing where there is no link or no key yet.
  package mutating func send(_ message: InnerMessage, to: [ParticipantID]?, unordered: Bool = false, now: HostTime)
    -> [ChannelEffect]
  {
    let content = message.encoded
    return send(to: to, unordered: unordered, now: now) { _ in content }
  }

  /// The same under another record than the one that is spoken in, for those who do not know that.
  mutating func send(_ message: InnerMessage, to: [ParticipantID]?, under record: RecordID, now: HostTime) -> [ChannelEffect] {
    let content = message.encoded
    return send(to: to, under: record, now: now) { _ in content }
  }

  /// `content` may need to know the header that it travels under; nil: it cannot be said.
  mutating func send(
    to: [ParticipantID]?, unordered: Bool = false, under record: RecordID? = nil, now: HostTime,
    content: @escaping (EnvelopeHeader) -> [UInt8]?
  ) -> [ChannelEffect] {
    guard isLinked, speaking.current != nil else { return [] }
    guard sealing == nil else {
      sealingQueue.append(.all(to, unordered: unordered, under: record, content: content))
      return []
    }
    guard let record = record ?? speaking.current, let chain = key(of: record, now: now) else { return [] }
    let counter = unordered ? unorderedCounter : orderedCounter
    let header = EnvelopeHeader(
      kind: unordered ? .unordered : .ordered, epoch: record.epoch, sender: local, lane: lane, counter: counter)
    guard let content = content(header) else { return [] }
    do {
      let envelope = try Envelope.seal(
        content, header: header, scope: door.scope,
        key: SendKey(chain: chain, scope: door.scope, header: header), author: identity.signing)
      if unordered { unorderedCounter += 1 } else { orderedCounter += 1 }
      return [.transmit(envelope: envelope, to: to)]
    } catch {
      return [.log(.error, "a message could not be sealed: \(error)")]
    }
  }

  /// Seals HELLO and WELCOME with what the invite gives.
  mutating func sealDoor(_ content: [UInt8], to member: ParticipantID) -> [ChannelEffect] {
    do {
      return [.transmit(envelope: try sealedAtDoor(content), to: [member])]
    } catch {
      return [.log(.error, "a message at the door could not be sealed: \(error)")]
    }
  }

  mutating func sealedAtDoor(_ content: [UInt8]) throws(EnvelopeError) -> [UInt8] {
    let header = EnvelopeHeader(
      kind: .door, epoch: .none, sender: local, lane: lane, counter: doorCounter)
    let envelope = try Envelope.seal(
      content, header: header, scope: door.scope, key: SendKey(chain: door.chain, scope: door.scope, header: header),
      author: identity.signing)
    doorCounter += 1
    return envelope
  }

  /// A list in pieces that each fit into a message; none at all is one, too.
  private static func parts<Element>(of list: [Element], length: (Element) -> Int) -> [[Element]] {
    var parts: [[Element]] = [[]]
    var size = 0
    for element in list {
      let length = length(element)
      if size + length > partSize || parts[parts.count - 1].count >= WireLimits.registersPerMessage {
        parts.append([])
        size = 0
      }
      parts[parts.count - 1].append(element)
      size += length
    }
    return parts
  }

  private typealias Part = (statements: [SignedStatement], intros: [[UInt8]])

  /// Signs what is not signed, adds the introductions of authors who are relayed but for some, and splits what is too long for one
  /// message.
  private func parts(of statements: [Statement], introduced known: Set<ParticipantID> = []) -> [Part] {
    var parts: [Part] = []
    var part: Part = ([], [])
    var size = 0
    var introduced = known.union([local])
    for statement in statements {
      guard let signed = sign(statement) else { continue }
      var intro: [UInt8]?
      if !introduced.contains(statement.author) { intro = introductions[statement.author]?.bytes }
      let length = signed.body.count + signed.signature.count + 16 + (intro?.count ?? 0)
      if size + length > Self.partSize, !part.statements.isEmpty {
        parts.append(part)
        part = ([], [])
        size = 0
      }
      part.statements.append(signed)
      if let intro {
        part.intros.append(intro)
        introduced.insert(statement.author)
      }
      size += length
    }
    if !part.statements.isEmpty { parts.append(part) }
    return parts
  }

  /// The statement as it was received, or signed now; nil where the wire cannot express it.
  func sign(_ statement: Statement) -> SignedStatement? {
    if let signed = statement.signed { return signed }
    guard statement.author == local, let body = try? StatementBody.encode(statement) else { return nil }
    return StatementSignature.sign(body, session: door.scope.session, author: identity.signing)
  }
}
