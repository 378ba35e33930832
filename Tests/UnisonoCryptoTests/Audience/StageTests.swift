import Testing
import UnisonoBase
import UnisonoReplica
import UnisonoWire

@testable import UnisonoCrypto

@Suite("What is said to an audience is believed of who may say it, and of nobody else")
struct StageTests {
  private let owner = Identity(random: { [UInt8](repeating: 1, count: $0) })
  private let host = Identity(random: { [UInt8](repeating: 2, count: $0) })
  private let member = Identity(random: { [UInt8](repeating: 3, count: $0) })
  private let link: AudienceLink
  private let hub = HubAddress(address: "10.0.0.1:7400", hub: Fixture.hub.publicKey.hashedID)

  init() throws {
    link = try AudienceLink(
      origin: Origin(root: owner.id, controlPolicy: 1, joinerRole: 2), secret: Fixture.secret("audience"),
      topic: Fixture.hub.publicKey.bytes, hubs: [hub])
  }

  private func levels(_ changes: PolicyChange...) throws -> [PolicyLevel] {
    let (session, signing) = (link.origin.session, owner.signing)
    var writer = LevelWriter(author: owner.id) { PolicySignature.sign($0, session: session, author: signing) }
    for change in changes { try writer.add(change) }
    return writer.levels
  }

  private func sealer(_ identity: Identity, lane: UInt8 = 1) -> StageSealer {
    var sealer = StageSealer(link, by: identity)
    for _ in 0..<lane { sealer.beginLane { [UInt8](repeating: lane, count: $0) } }
    return sealer
  }

  private func programme(
    _ levels: [PolicyLevel] = [], keys: [Identity], statements: [SignedStatement] = []
  ) -> StageMessage {
    .programme(
      StageProgramme(
        levels: levels.map { $0.bytes }, keys: keys.map { $0.signing.publicKey.bytes }, statements: statements, item: "film", hubs: [hub]))
  }

  private func statement(of identity: Identity, signedBy signer: Identity? = nil) throws -> SignedStatement {
    let said = Statement(
      key: .stallPolicy, author: identity.id, policy: PolicyStack.origin, time: 5, value: .stallPolicy(.off))
    let body = try StatementBody.encode(said)
    return StatementSignature.sign(body, session: link.origin.session, author: (signer ?? identity).signing)
  }

  private func seal(_ message: StageMessage, _ sealer: inout StageSealer) throws -> [UInt8] {
    let envelope = sealer.seal(message)
    return try #require(envelope)
  }

  private let line = StageMessage.line(StageLine(sent: 1_000, error: 50, statements: []))

  @Test("the link is read as it was written, and is no invite; an invite is no link")
  func links() throws {
    #expect(try AudienceLink(parsing: "listen: \(link.text).") == link)
    #expect(throws: InviteError.listens) { try Invite(parsing: link.text) }
    let invite = try Invite(origin: link.origin, door: Fixture.secret("door"), hubs: [hub])
    #expect(throws: InviteError.invites) { try AudienceLink(parsing: invite.text) }
    #expect(invite.text.count < link.text.count)
    var mistyped = Array(link.text)
    mistyped[mistyped.count - 5] = mistyped[mistyped.count - 5] == "a" ? "b" : "a"
    #expect(throws: InviteError.keyChecksum) { try AudienceLink(parsing: String(mistyped)) }
  }

  @Test("the session's owner and hosts are believed, and what they hand on as its authors signed it")
  func publishers() throws {
    let levels = try levels(.role(host.id, .host))
    for (index, identity) in [owner, host].enumerated() {
      var (sealer, opener) = (sealer(identity), StageOpener(link))
      let statements = [try statement(of: owner), try statement(of: host)]
      let said = try opener.open(
        try seal(programme(levels, keys: [owner, host], statements: statements), &sealer))
      #expect(said.publisher == identity.id && said.levels == levels && said.statements.map(\.author) == [owner.id, host.id])
      guard case .programme(let item, let hubs, nil, 0, []) = said.content else {
        Issue.record("no programme: \(index)")
        return
      }
      #expect(item == "film" && hubs == [hub])
      let later = try opener.open(try seal(line, &sealer))
      guard case .line(let read) = later.content else {
        Issue.record("no line")
        return
      }
      #expect(read.sent == 1_000 && read.error == 50 && !read.isOver)
    }
  }

  @Test("N19: a member, a stranger with the link, and another session's owner are not believed, whatever keys they show")
  func others() throws {
    let levels = try levels(.role(host.id, .host))
    var opener = StageOpener(link)
    for identity in [member, Identity(random: { [UInt8](repeating: 4, count: $0) })] {
      var sealer = sealer(identity)
      let envelope = try seal(programme(levels, keys: [owner, host, identity]), &sealer)
      #expect(throws: StageOpener.Refusal.denied) { _ = try opener.open(envelope) }
      #expect(throws: StageOpener.Refusal.unknownAuthor) { _ = try opener.open(try seal(line, &sealer)) }
    }
    // A policy in which the member made itself a host.
    let (session, signing) = (link.origin.session, member.signing)
    var writer = LevelWriter(author: member.id) { PolicySignature.sign($0, session: session, author: signing) }
    try writer.add(.role(host.id, .host))
    var sealer = sealer(member)
    let own = try seal(programme(writer.levels, keys: [member]), &sealer)
    #expect(throws: StageOpener.Refusal.policy) { _ = try opener.open(own) }
  }

  @Test("of statements that somebody else signed none comes through; the rest of what is said does")
  func forgedStatements() throws {
    var (sealer, opener) = (sealer(owner), StageOpener(link))
    let statements = [try statement(of: owner, signedBy: member), try statement(of: member, signedBy: owner), try statement(of: owner)]
    let said = try opener.open(try seal(programme(keys: [owner, member], statements: statements), &sealer))
    #expect(said.statements.map(\.author) == [owner.id])
  }

  @Test("N21: who is no host any more is refused once the newer policy came, also where it shows the older one")
  func demoted() throws {
    let before = try levels(.role(host.id, .host))
    let after = try levels(.role(host.id, .host), .role(host.id, .member))
    var (owners, hosts, opener) = (sealer(owner), sealer(host), StageOpener(link))
    _ = try opener.open(try seal(programme(before, keys: [owner, host]), &hosts))
    _ = try opener.open(try seal(programme(after, keys: [owner, host]), &owners))
    for message in [line, programme(before, keys: [owner, host])] {
      let envelope = try seal(message, &hosts)
      #expect(throws: StageOpener.Refusal.denied) { _ = try opener.open(envelope) }
    }
  }

  @Test("N22: what came before, and what was said in an earlier link, is not taken again")
  func repeated() throws {
    var (first, second, opener) = (sealer(owner, lane: 1), sealer(owner, lane: 2), StageOpener(link))
    let old = try seal(programme(keys: [owner]), &first)
    let between = try seal(line, &first)
    let new = try seal(programme(keys: [owner]), &second)
    _ = try opener.open(old)
    #expect(throws: StageOpener.Refusal.old) { _ = try opener.open(old) }
    _ = try opener.open(new)
    #expect(throws: StageOpener.Refusal.old) { _ = try opener.open(between) }
    _ = try opener.open(try seal(line, &second))
  }

  @Test("what is changed on the way, or sealed for another audience, does not open")
  func changed() throws {
    var (sealer, opener) = (sealer(owner), StageOpener(link))
    let envelope = try seal(programme(keys: [owner]), &sealer)
    for index in [3, 20, 49, 60, envelope.count - 1] {
      var bytes = envelope
      bytes[index] ^= 1
      #expect(throws: StageOpener.Refusal.self) { _ = try opener.open(bytes) }
    }
    let other = try AudienceLink(origin: link.origin, secret: Fixture.secret("other"), topic: link.topic, hubs: [hub])
    var elsewhere = StageOpener(other)
    #expect(throws: StageOpener.Refusal.malformed) { _ = try elsewhere.open(envelope) }
    _ = try opener.open(envelope)
  }

  @Test("F135: an invite is read by the listener that it is for, of the publisher who says it, and by nobody else with the link")
  func invites() throws {
    let hand = HandMessage(
      key: member.signing.publicKey.bytes, word: .asks, text: "", number: 1, inviteKey: member.hybrid.publicKey.bytes)
    var asking = sealer(member)
    let asked = try HandOpener(link).open(try seal(.hand(hand), &asking))
    let text = try Invite(origin: link.origin, door: Fixture.secret("door"), hubs: [hub]).text
    func sealFor(_ listener: ParticipantID, by publisher: Identity) -> InviteSeal {
      InviteSeal(session: link.origin.session, publisher: publisher.id, listener: listener)
    }
    let key = try #require(asked.key)
    let sealed = try #require(sealFor(member.id, by: owner).seal(text, to: key))
    var (speaking, opener) = (sealer(owner), StageOpener(link))
    // It overtakes the line that was said before it, which counts all the same.
    let (programme, early) = (try seal(programme(keys: [owner]), &speaking), try seal(line, &speaking))
    let envelope = try seal(.invite(sealed: sealed), &speaking)
    _ = try opener.open(programme)
    guard case .invite(let bytes) = try opener.open(envelope).content else {
      Issue.record("no invite")
      return
    }
    _ = try opener.open(early)
    #expect(throws: StageOpener.Refusal.old) { _ = try opener.open(envelope) }
    #expect(sealFor(member.id, by: owner).open(bytes, with: member.hybrid) == text)
    #expect(sealFor(member.id, by: owner).open(bytes, with: host.hybrid) == nil)
    #expect(sealFor(member.id, by: host).open(bytes, with: member.hybrid) == nil)
    #expect(sealFor(host.id, by: owner).open(bytes, with: member.hybrid) == nil)
    // Who may not publish invites nobody, and what a listener says is nothing that a publisher said.
    var stranger = sealer(member)
    let forged = [try seal(.invite(sealed: sealed), &stranger), try seal(.hand(hand), &stranger)]
    #expect(throws: StageOpener.Refusal.unknownAuthor) { _ = try opener.open(forged[0]) }
    #expect(throws: StageOpener.Refusal.malformed) { _ = try opener.open(forged[1]) }
    #expect(throws: HandOpener.Refusal.malformed) { _ = try HandOpener(link).open(forged[0]) }
  }

  @Test("N24: a new link is believed of an owner or host, as all else; what is known of the policy goes along, and lanes begin anew")
  func renewal() throws {
    let next = try AudienceLink(
      origin: link.origin, secret: Fixture.secret("next"), topic: owner.signing.publicKey.bytes, hubs: [hub])
    let renewal = StageRenewal.next(secret: next.secret.bytes, topic: next.topic)
    func renewed(_ levels: [PolicyLevel], by identity: Identity) -> StageMessage {
      .programme(
        StageProgramme(
          levels: levels.map { $0.bytes }, keys: [owner, identity].map { $0.signing.publicKey.bytes }, statements: [], item: nil,
          hubs: [hub], renewal: renewal))
    }
    let (before, demoted) = (try levels(.role(host.id, .host)), try levels(.role(host.id, .host), .role(host.id, .member)))
    var (owners, hosts, opener) = (sealer(owner), sealer(host), StageOpener(link))
    guard case .programme(_, _, renewal, 0, []) = try opener.open(try seal(renewed(before, by: host), &hosts)).content else {
      Issue.record("the host's renewal is not read")
      return
    }
    _ = try opener.open(try seal(programme(demoted, keys: [owner, host]), &owners))
    let late = try seal(renewed(before, by: host), &hosts)
    #expect(throws: StageOpener.Refusal.denied) { _ = try opener.open(late) }
    var strangers = sealer(member)
    let forged = try seal(renewed(demoted, by: member), &strangers)
    #expect(throws: StageOpener.Refusal.denied) { _ = try opener.open(forged) }

    opener.follow(next)
    let old = try seal(programme(demoted, keys: [owner, host]), &owners)
    #expect(throws: StageOpener.Refusal.malformed) { _ = try opener.open(old) }
    var there = [owner, host].map { StageSealer(next, by: $0) }
    for index in there.indices { there[index].beginLane { [UInt8](repeating: 0, count: $0) } }
    let again = try seal(renewed(before, by: host), &there[1])
    #expect(throws: StageOpener.Refusal.denied) { _ = try opener.open(again) }
    #expect(try opener.open(try seal(line, &there[0])).publisher == owner.id)
  }

  @Test("N29: an answer on group time is believed of a publisher, once")
  func echoes() throws {
    let echo = StageMessage.echo(EchoMessage(listener: member.id, number: 3, received: 77, error: 5))
    var (owners, strangers, opener) = (sealer(owner), sealer(member), StageOpener(link))
    let envelope = try seal(echo, &owners)
    #expect(throws: StageOpener.Refusal.unknownAuthor) { _ = try opener.open(envelope) }
    _ = try opener.open(try seal(programme(keys: [owner]), &owners))
    #expect(throws: StageOpener.Refusal.unknownAuthor) { _ = try opener.open(try seal(echo, &strangers)) }
    guard case .echo(let read) = try opener.open(envelope).content else {
      Issue.record("no echo")
      return
    }
    #expect(read == EchoMessage(listener: member.id, number: 3, received: 77, error: 5))
    #expect(throws: StageOpener.Refusal.old) { _ = try opener.open(envelope) }
  }

  @Test("a message is read as it was written; one that is longer than it may be, or not whole, is none")
  func messages() throws {
    let statement = try statement(of: owner)
    let full = StageMessage.line(StageLine(sent: -7, error: 3, statements: [statement, statement, statement], isOver: true))
    for message in [full, line, programme(try levels(.role(host.id, .host)), keys: [owner, host], statements: [statement])] {
      #expect(try StageMessage.decode(message.encoded) == message)
    }
    let four = StageMessage.line(StageLine(sent: 1, error: 1, statements: [SignedStatement](repeating: statement, count: 4)))
    #expect(throws: WireError.count) { try StageMessage.decode(four.encoded) }
    var writer = ItemWriter()
    writer.time(1, 5)
    #expect(throws: WireError.truncated) { try StageMessage.decode([37] + writer.bytes) }
    #expect(throws: WireError.range) { try StageMessage.decode([36]) }
    let key = [UInt8](repeating: 5, count: 32)
    let asks = HandMessage(key: key, word: .asks, text: "", number: 7, inviteKey: member.hybrid.publicKey.bytes)
    let says = HandMessage(key: key, word: .says, text: String(repeating: "é", count: 127), number: .max, inviteKey: nil)
    let time = HandMessage(key: key, word: .time, text: "", number: 9, inviteKey: nil)
    let echo = EchoMessage(listener: member.id, number: 9, received: -8, error: 7)
    for message in [StageMessage.hand(asks), .hand(says), .hand(time), .echo(echo), .invite(sealed: [UInt8](repeating: 1, count: 5_231))] {
      #expect(try StageMessage.decode(message.encoded) == message)
    }
    for (word, key) in [(HandMessage.Word.asks, nil), (.says, asks.inviteKey), (.time, nil), (.time, asks.inviteKey)] {
      let wrong = StageMessage.hand(HandMessage(key: asks.key, word: word, text: "x", number: 1, inviteKey: key))
      #expect(throws: WireError.range) { try StageMessage.decode(wrong.encoded) }
    }
  }
}
