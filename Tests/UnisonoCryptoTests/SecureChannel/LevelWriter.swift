import Testing
import UnisonoBase
import UnisonoCoordination
import UnisonoReplica
import UnisonoWire

@testable import UnisonoCrypto

/// Makes levels as an owner's coordination does.
struct LevelWriter {
  private var coordination: Coordination
  private var now: HostTime = 0

  init(_ node: RoomWorld.Node, session: [UInt8]) {
    let identity = node.room.identity
    self.init(author: node.id) { PolicySignature.sign($0, session: session, author: identity.signing) }
  }

  /// Of another owner, who knows what `senior` wrote.
  init(_ node: RoomWorld.Node, session: [UInt8], on senior: LevelWriter) {
    let identity = node.room.identity
    self.init(author: node.id, root: senior.coordination.policy.levels[0].author) {
      PolicySignature.sign($0, session: session, author: identity.signing)
    }
    _ = coordination.handle(.message(.levels(senior.levels), from: senior.levels[0].author), now: 0)
    now = senior.now
  }

  init(author: ParticipantID, root: ParticipantID? = nil, sign: @escaping @Sendable ([UInt8]) -> [UInt8]) {
    coordination = Coordination(
      .init(
        local: author, incarnation: 1, displayName: "", deviceName: "", seed: 1, isCreator: true,
        policy: PolicyStack.origin, origin: PolicyOrigin(root: root ?? author), hash: Hash.sha256,
        digestInput: StatementBody.digestInput, sign: sign))
    let clock = ClockModel(hostTime: 0, remoteTime: 0, errorBound: 0)
    _ = coordination.handle(.linkUp(members: [], clock: ClockID(high: 1, low: 1)), now: 0)
    _ = coordination.handle(.secured, now: 0)
    _ = coordination.handle(.clock(clock, roundTrip: 0), now: 0)
    _ = coordination.settle(now: 0)
  }

  var levels: [PolicyLevel] { coordination.policy.levels }

  /// Makes one more change.
  mutating func add(_ change: PolicyChange) throws {
    now += 1
    let before = levels
    _ = coordination.handle(.changePolicy(change), now: now)
    _ = coordination.settle(now: now)
    try #require(levels != before)
  }

  func level(_ change: PolicyChange) -> PolicyLevel? {
    var coordination = coordination
    _ = coordination.handle(.changePolicy(change), now: now + 1)
    return coordination.policy.levels.last
  }
}

extension RoomWorld {
  /// A level of an owner's that puts somebody out and moves the room to where `secrets` lead.
  func removal(of out: Node, by owner: Node, to secrets: RoomSecrets) throws -> PolicyLevel {
    let place = secrets.place(in: door.scope.session)
    return try #require(
      LevelWriter(owner, session: door.scope.session).level(
        .removal([out.id], topic: place.topic, founding: secrets.founding.id, leaving: [door.topic])))
  }
}
