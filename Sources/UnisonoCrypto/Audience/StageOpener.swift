import UnisonoBase
import UnisonoReplica
import UnisonoWire

/// Opens what publishers say to an audience, and believes it where the session's policy allows its author to publish, and where each
/// statement was signed by whom it names (wire 8.27). The hub, and whoever else has the link, can make nothing that is believed.
package struct StageOpener: Sendable {
  /// What was said, proven.
  package struct Said: Sendable {
    package var publisher: ParticipantID
    /// Of a programme: what is said of the session; of a line: of the item that the group is at.
    package var statements: [Statement]
    /// The greatest policy that is known by now, the lowest level first.
    package var levels: [PolicyLevel]
    package var content: Content

    package enum Content: Sendable {
      case programme(item: ItemID?, hubs: [HubAddress], renewal: StageRenewal?, share: UInt8, reactions: [String])
      case line(StageLine)
      /// An invite, sealed for one listener.
      case invite([UInt8])
      case echo(EchoMessage)
    }
  }

  /// What came of one publisher in its lane: the newest of each sort counts by itself, as a hub hands them on beside each other.
  private struct Order {
    let lane: Lane
    /// By sort; nil: none came.
    var counters = [UInt64?](repeating: nil, count: 4)
  }

  private enum Sort: Int { case line, programme, invite, echo }

  /// Why something is not believed.
  package enum Refusal: String, Error, Sendable {
    /// It does not open, or is no message.
    case malformed
    /// Its author's key was not shown yet.
    case unknownAuthor = "unknown author"
    case signature
    /// Its author may not publish.
    case denied
    /// It came before, or was said before what came.
    case old
    /// A policy that does not stand, or stands on no other.
    case policy
  }

  /// Of authors; far more than a session's registers name.
  private static let keysKept = 512

  private var keys: AudienceKeys
  private let origin: Origin
  private var authors: [ParticipantID: VerifyingKey] = [:]
  private var policy = PolicyStack(originID: PolicyStack.origin)
  /// What was believed last, of each publisher.
  private var last: [ParticipantID: Order] = [:]

  package init(_ link: AudienceLink) {
    keys = AudienceKeys(link)
    origin = link.origin
  }

  /// The audience has got another link of the same session. What is known of the session's policy stays known: who was demoted speaks there
  /// no more than here.
  package mutating func follow(_ link: AudienceLink) {
    keys = AudienceKeys(link)
    last = [:]
  }

  package mutating func open(_ envelope: [UInt8]) throws(Refusal) -> Said {
    guard let header = try? EnvelopeHeader(envelope: envelope), header.kind == .stage, header.epoch == keys.epoch else {
      throw .malformed
    }
    guard let opened = try? Envelope.open(envelope, key: keys.sendKey(header)),
      let message = try? StageMessage.decode(opened.content)
    else { throw .malformed }
    switch message {
    case .programme(let programme):
      try require(.programme, newIn: header)
      return try read(programme, opened)
    case .line(let line):
      try require(.line, newIn: header)
      try verify(opened)
      return said(by: header, .line, line.statements, .line(line))
    case .invite(let sealed):
      try require(.invite, newIn: header)
      try verify(opened)
      return said(by: header, .invite, [], .invite(sealed))
    case .echo(let echo):
      try require(.echo, newIn: header)
      try verify(opened)
      return said(by: header, .echo, [], .echo(echo))
    case .hand: throw .malformed
    }
  }

  private func require(_ sort: Sort, newIn header: EnvelopeHeader) throws(Refusal) {
    guard let last = last[header.sender] else { return }
    let isNew =
      header.lane == last.lane
      ? last.counters[sort.rawValue].map { header.counter > $0 } ?? true : header.lane.index >= last.lane.index
    guard isNew else { throw .old }
  }

  private mutating func read(_ programme: StageProgramme, _ opened: OpenedEnvelope) throws(Refusal) -> Said {
    // Keys name themselves: an id is the hash of its key. Nothing of it is kept before its author is known to be a publisher.
    var shown = authors
    for bytes in programme.keys {
      guard let key = try? VerifyingKey(bytes) else { throw .malformed }
      shown[key.participantID] = key
    }
    guard let author = shown[opened.header.sender] else { throw .unknownAuthor }
    guard (try? opened.verify(author: author, scope: keys.scope)) != nil else { throw .signature }
    let told = try stack(programme.levels, authors: shown)
    let greatest = told.compare(policy, origin: origin.policy) == .greater ? told : policy
    guard mayPublish(opened.header.sender, under: greatest) else { throw .denied }
    policy = greatest
    let kept = Set(policy.levels.map { $0.author })
    if shown.count > Self.keysKept {
      let named = Set(programme.keys.compactMap { (try? VerifyingKey($0))?.participantID })
      shown = shown.filter { kept.contains($0.key) || named.contains($0.key) }
    }
    authors = shown
    return said(
      by: opened.header, .programme, programme.statements,
      .programme(
        item: programme.item, hubs: programme.hubs, renewal: programme.renewal, share: programme.share, reactions: programme.reactions))
  }

  private func verify(_ opened: OpenedEnvelope) throws(Refusal) {
    guard let author = authors[opened.header.sender] else { throw .unknownAuthor }
    guard mayPublish(opened.header.sender, under: policy) else { throw .denied }
    guard (try? opened.verify(author: author, scope: keys.scope)) != nil else { throw .signature }
  }

  private mutating func said(
    by header: EnvelopeHeader, _ sort: Sort, _ statements: [SignedStatement], _ content: Said.Content
  ) -> Said {
    var order = last[header.sender] ?? Order(lane: header.lane)
    if order.lane != header.lane { order = Order(lane: header.lane) }
    order.counters[sort.rawValue] = header.counter
    last[header.sender] = order
    return Said(
      publisher: header.sender, statements: statements.compactMap { proven($0) }, levels: policy.levels, content: content)
  }

  /// nil: its author is not known, or did not sign it. Others' are no reason to doubt the rest.
  private func proven(_ signed: SignedStatement) -> Statement? {
    guard var statement = try? StatementBody.decode(signed.body), let author = authors[statement.author],
      StatementSignature.verifies(signed, session: keys.scope.session, author: author)
    else { return nil }
    statement.signed = signed
    return statement
  }

  /// The policy that these levels are, each signed, and without deputies that no owner accepted.
  private func stack(_ levels: [[UInt8]], authors: [ParticipantID: VerifyingKey]) throws(Refusal) -> PolicyStack {
    var stack = PolicyStack(originID: PolicyStack.origin)
    for bytes in levels {
      guard let level = try? PolicyLevel(reading: bytes, hash: Hash.sha256), let author = authors[level.author],
        PolicySignature.verifies(level, session: keys.scope.session, author: author),
        let next = stack.adding(level, origin: origin.policy, hash: Hash.sha256)
      else { throw .policy }
      stack = next
    }
    guard stack.takeovers(origin: origin.policy).allSatisfy({ $0.isAccepted }) else { throw .policy }
    return stack
  }

  private func mayPublish(_ id: ParticipantID, under policy: PolicyStack) -> Bool {
    let terms = policy.terms(origin: origin.policy)
    return !terms.removed.contains(id) && (terms.owners.contains(id) || terms.roles[id] == .host)
  }
}
