import UnisonoBase
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

  init(in world: RoomWorld, entering: Bool = true) {
    self.world = world
    node = world.add()
    intro = Introduction(node.room.identity, session: world.door.scope.session).bytes
    node.takes = { [unowned self] in take($0) }
    if entering { world.enter(node) }
  }

  private func take(_ envelope: [UInt8]) {
    guard let header = try? EnvelopeHeader(envelope: envelope), header.kind == .door else { return }
    let key = SendKey(chain: world.door.chain, scope: world.door.scope, header: header)
    guard let content = try? Envelope.open(envelope, key: key).content,
      case .hello(let hello)? = try? InnerMessage.decode(content)
    else { return }
    hellos.append((header.sender, hello, content))
    asked?(header.sender, hello, content)
  }

  func secret() -> Secret { Secret { dice.bytes($0) } }

  /// An envelope that names an epoch and a generation, and has noise inside.
  func garbage(_ epoch: EpochID, _ generation: UInt32, count: UInt64? = nil, as id: ParticipantID? = nil) -> [UInt8] {
    counter += 1
    let header = EnvelopeHeader(
      kind: .ordered, epoch: epoch, generation: generation, sender: id ?? node.id, lane: Lane(index: 100, random: 7),
      counter: count ?? counter)
    return header.bytes + dice.bytes(256)
  }

  /// A WELCOME with any key, for one HELLO, as it has to be signed and sealed.
  func welcome(_ epoch: Epoch, to newcomer: ParticipantID, content: [UInt8], key: [UInt8]) throws -> [UInt8] {
    let seal = WelcomeSeal(scope: world.door.scope, welcomer: node.id, newcomer: newcomer, hello: content)
    return try atDoor(
      .welcome(WelcomeMessage(intro: intro, sealed: try seal.seal(epoch, to: AgreementPublicKey(key)))))
  }

  /// A message of kind 0.
  func atDoor(_ message: InnerMessage) throws -> [UInt8] {
    counter += 1
    let header = EnvelopeHeader(
      kind: .door, epoch: .none, generation: 0, sender: node.id, lane: Lane(index: 1, random: 7), counter: counter)
    return try Envelope.seal(
      message.encoded, header: header, scope: world.door.scope,
      key: SendKey(chain: world.door.chain, scope: world.door.scope, header: header), author: node.room.identity.signing
    )
  }

  /// Answers every HELLO from now on with what `epochs` makes of it.
  func answers(_ epochs: @escaping (_ from: ParticipantID) -> [Epoch]) {
    asked = { [unowned self] from, hello, content in
      guard let key = hello.freshKey else { return }
      for epoch in epochs(from) {
        guard let welcome = try? welcome(epoch, to: from, content: content, key: key) else { continue }
        world.forward(welcome, from: node, to: [from])
      }
    }
  }
}
