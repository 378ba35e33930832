import Crypto
import UnisonoBase
import UnisonoReplica
import UnisonoWire

@testable import UnisonoCrypto

/// Somebody at the forwarder with the invite and no content key, who says whatever that lets it say. Asks nobody.
final class Stranger {
  let node: RoomWorld.Node
  /// The HELLOs that came, with their content.
  private(set) var hellos: [(from: ParticipantID, hello: HelloMessage, content: [UInt8])] = []
  /// Called with each of them.
  var asked: ((_ from: ParticipantID, _ hello: HelloMessage, _ content: [UInt8]) -> Void)?
  private let world: RoomWorld
  private let intro: [UInt8]
  private var counter: UInt64 = 0
  private var dice = RoomWorld.Dice(seed: 0xBAD)

  /// `door`: of the room that the others moved to; nil: the first one.
  init(in world: RoomWorld, entering: Bool = true, door: Door? = nil) {
    self.world = world
    node = world.add(door: door)
    intro = Introduction(node.room.identity, session: node.room.door.scope.session).bytes
    node.takes = { [unowned self] in take($0) }
    if entering { world.enter(node) }
  }

  private func take(_ envelope: [UInt8]) {
    guard let header = try? EnvelopeHeader(envelope: envelope), header.kind == .door else { return }
    let key = SendKey(chain: node.room.door.chain, scope: node.room.door.scope, header: header)
    guard let content = try? Envelope.open(envelope, key: key).content,
      case .hello(let hello)? = try? InnerMessage.decode(content)
    else { return }
    hellos.append((header.sender, hello, content))
    asked?(header.sender, hello, content)
  }

  func secret() -> Secret { Secret { dice.bytes($0) } }

  /// An envelope that names an epoch, and has noise inside.
  func garbage(_ epoch: EpochID, count: UInt64? = nil, as id: ParticipantID? = nil) -> [UInt8] {
    counter += 1
    let header = EnvelopeHeader(
      kind: .ordered, epoch: epoch, sender: id ?? node.id, lane: Lane(index: 100, random: 7), counter: count ?? counter)
    return header.bytes + dice.bytes(528)
  }

  /// What it may show of a key of its own: a room that it says it founded, or a step on the others' founding record.
  ///
  /// - Parameters:
  ///   - founding: the others', where it got hold of it; nil: it makes one.
  ///   - introductions: of those who signed what it shows.
  func claim(
    on founding: RosterRecord?, introductions: [[UInt8]], number: UInt32, to newcomer: ParticipantID
  ) -> (text: WelcomeText, chain: Secret) {
    let (scope, author) = (node.room.door.scope, node.room.identity.signing)
    let chain = secret()
    let roster = (founding?.body.admitted ?? []) + [node.id, newcomer].filter { founding?.body.admitted.contains($0) != true }
    let base =
      founding
      ?? RosterRecord.founding(roster: [node.id, newcomer], policy: PolicyStack.origin, chain: chain, scope: scope, author: author)
    guard number > 0 else {
      return (WelcomeText(record: base.bytes, proof: [base.bytes], intros: introductions, roster: base.body.admitted), chain)
    }
    var body = RosterRecordBody(
      kind: .step, parent: base.id, number: number, author: node.id, admitted: [node.id, newcomer].filter { !base.body.admitted.contains($0) },
      rosterHash: RosterRecord.rosterHash(roster))
    body.commit = ContentKey.commitment(to: chain, of: body, scope: scope)
    let record = RosterRecord.signing(body, scope: scope, author: author)
    return (
      WelcomeText(record: record.bytes, proof: [base.bytes, record.bytes], intros: introductions, roster: roster), chain
    )
  }

  /// A WELCOME for one HELLO, as it has to be signed and sealed.
  func welcome(_ claim: (text: WelcomeText, chain: Secret), to newcomer: ParticipantID, content: [UInt8], key: [UInt8]) throws
    -> [UInt8]
  {
    let seal = WelcomeSeal(scope: node.room.door.scope, welcomer: node.id, newcomer: newcomer, hello: content)
    return try atDoor(
      .welcome(WelcomeMessage(intro: intro, sealed: try seal.seal(claim.text, chain: claim.chain, to: HybridPublicKey(key)))))
  }

  /// A message of kind 0.
  func atDoor(_ message: InnerMessage) throws -> [UInt8] {
    counter += 1
    let header = EnvelopeHeader(
      kind: .door, epoch: .none, sender: node.id, lane: Lane(index: 1, random: 7), counter: counter)
    return try Envelope.seal(
      message.encoded, header: header, scope: node.room.door.scope,
      key: SendKey(chain: node.room.door.chain, scope: node.room.door.scope, header: header), author: node.room.identity.signing
    )
  }

  /// Answers every HELLO from now on with what `claims` makes of it.
  func answers(_ claims: @escaping (_ from: ParticipantID) -> [(text: WelcomeText, chain: Secret)]) {
    asked = { [unowned self] from, hello, content in
      let seal = WelcomeSeal(scope: node.room.door.scope, welcomer: node.id, newcomer: from, hello: content)
      guard let sealing = try? CarelessSealing(seal, to: HybridPublicKey(hello.freshKey)) else { return }
      for claim in claims(from) {
        guard let sealed = try? sealing.seal(claim.text, chain: claim.chain),
          let welcome = try? atDoor(.welcome(WelcomeMessage(intro: intro, sealed: sealed)))
        else { continue }
        world.forward(welcome, from: node, to: [from])
      }
    }
  }

  /// Everything that it may try: rooms of its own, steps on the real founding record, of any number.
  func claims(_ room: [RoomWorld.Node], to victim: ParticipantID) -> [(text: WelcomeText, chain: Secret)] {
    let intros = room.map(\.room.introduction.bytes) + [intro]
    let founding = room[0].room.records.founding.flatMap { room[0].room.records[$0]?.record }
    return [nil, founding].flatMap { base in
      [UInt32(0), 1, 2, 1_000, .max].compactMap { number in
        base != nil && number == 0 ? nil : claim(on: base, introductions: intros, number: number, to: victim)
      }
    }
  }
}

/// Seals many welcomes for one HELLO with a key that is encapsulated once, all with the same nonce: whoever opens one of them cannot tell,
/// and who lies has nothing to lose.
private struct CarelessSealing {
  private let sender: HPKE.Sender

  init(_ seal: WelcomeSeal, to key: HybridPublicKey) throws {
    sender = try HPKE.Sender(
      recipientKey: XWingMLKEM768X25519.PublicKey(rawRepresentation: key.bytes),
      ciphersuite: .XWingMLKEM768X25519_SHA256_AES_GCM_256, info: .init(seal.info))
  }

  func seal(_ text: WelcomeText, chain: Secret) throws -> [UInt8] {
    // A copy begins with the first nonce again.
    var sender = self.sender
    return try Array(sender.encapsulatedKey) + sender.seal(text.head + chain.bytes + text.tail)
  }
}

extension RosterRecord {
  /// As a liar signs it: any body.
  static func signing(_ body: RosterRecordBody, scope: Scope, author: SigningKey) -> RosterRecord {
    var writer = ItemWriter()
    writer.item(1, body.bytes)
    writer.item(2, author.sign(.record, scope.bytes + body.bytes))
    guard let record = try? RosterRecord(reading: writer.bytes, scope: scope) else { preconditionFailure("a body is readable") }
    return record
  }
}
