import UnisonoBase
import UnisonoReplica
import UnisonoWire

@testable import UnisonoCrypto

/// The people and places of the tests, made of the reference's seeds.
enum Fixture {
  static let alice = identity("A")
  static let bob = identity("B")
  static let mallory = identity("M")
  static let hub = SigningKey(seed: secret("test hub sign"))
  static let clock = Identifier<ClockKind>(high: 1, low: 2)
  static let origin = Origin(root: alice.id, controlPolicy: 0, joinerRole: 2)
  static let door = Door(session: origin.session, secret: secret("test door secret"))
  /// Content key of `founding`.
  static let chain = secret("test epoch chain")
  static let founding = RosterRecord.founding(
    roster: [alice.id], policy: PolicyStack.origin, chain: chain, scope: door.scope, author: alice.signing)
  static let lane = Lane(index: 1, random: 0x0001_0203_0405_0607)

  static func secret(_ text: String) -> Secret {
    Secret(Hash.sha256(Array(text.utf8))) ?? Secret(random: { [UInt8](repeating: 0, count: $0) })
  }

  static func identity(_ name: String) -> Identity {
    Identity(
      signingSeed: secret("test \(name) sign"), agreementSeed: secret("test \(name) kex"),
      hybridSeed: secret("test \(name) xwing"))
  }

  /// Bytes that look random and are the same in each run; different for each name.
  static func random(_ name: String) -> (Int) -> [UInt8] {
    var round = 0
    return { count in
      var bytes: [UInt8] = []
      while bytes.count < count {
        bytes += Hash.sha256(Array("\(name) \(round)".utf8))
        round += 1
      }
      return Array(bytes.prefix(count))
    }
  }

  static func header(
    _ kind: EnvelopeHeader.Kind = .ordered, from sender: Identity = alice, lane: Lane = lane, counter: UInt64 = 0
  ) -> EnvelopeHeader {
    EnvelopeHeader(
      kind: kind, epoch: kind == .door ? .none : founding.epoch, sender: sender.id, lane: lane,
      counter: counter)
  }

  static func key(_ header: EnvelopeHeader) -> SendKey {
    SendKey(chain: header.kind == .door ? door.chain : chain, scope: door.scope, header: header)
  }

  static func seal(_ content: [UInt8], _ header: EnvelopeHeader, author: Identity = alice) throws -> [UInt8] {
    try Envelope.seal(content, header: header, scope: door.scope, key: key(header), author: author.signing)
  }
}

/// The name that vectors give to an error.
func vectorName(_ error: any Error) -> String {
  switch error {
  case let error as HandshakeError:
    switch error {
    case .malformed(let error): "\(error)"
    case .key(let error): "\(error)"
    default: "\(error)"
    }
  case let error as IntroductionError:
    switch error {
    case .malformed(let error): "\(error)"
    case .key(let error): "\(error)"
    default: "\(error)"
    }
  case let error as EnvelopeError:
    switch error {
    case .malformed(let error), .padding(let error): "\(error)"
    default: "\(error)"
    }
  case let error as RecordError:
    switch error {
    case .malformed(let error): "\(error)"
    default: "\(error)"
    }
  case let error as PairingError:
    switch error {
    case .malformed(let error): "\(error)"
    case .key(let error): "\(error)"
    default: "\(error)"
    }
  case InviteError.version: "version"
  default: "\(error)"
  }
}

/// The name of the error that `body` throws; "ok" if none.
func outcome(_ body: () throws -> Void) -> String {
  do {
    try body()
    return "ok"
  } catch {
    return vectorName(error)
  }
}
