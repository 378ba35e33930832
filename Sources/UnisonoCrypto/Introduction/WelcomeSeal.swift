import UnisonoCore

/// The content key, handed by a member to a newcomer: item 2 of WELCOME, 92 bytes (wire-and-security 5.2).
public struct WelcomeSeal: Equatable, Sendable {
  public static let length = 92

  public let scope: Scope
  public let welcomer: ParticipantID
  public let newcomer: ParticipantID
  /// H(content of HELLO): the answer fits one question only.
  public let helloHash: [UInt8]

  /// - Parameter hello: the content of the newcomer's HELLO, type included.
  public init(scope: Scope, welcomer: ParticipantID, newcomer: ParticipantID, hello: [UInt8]) {
    self.scope = scope
    self.welcomer = welcomer
    self.newcomer = newcomer
    helloHash = Hash.sha256(hello)
  }

  private var info: [UInt8] {
    Label.welcome.bytes + scope.bytes + welcomer.bytes + newcomer.bytes + helloHash
  }

  /// Seals a generation to the newcomer's agreement key.
  public func seal(_ epoch: Epoch, to key: AgreementPublicKey) throws(WelcomeError) -> [UInt8] {
    var plain = ByteWriter()
    plain.append(epoch.id.bytes)
    plain.integer(epoch.generation)
    plain.append(epoch.chain.bytes)
    guard let sealed = HPKESeal.seal(plain.bytes, to: key, info: info) else { throw .seal }
    return sealed
  }

  /// Opens what the welcomer sealed.
  public func open(_ sealed: [UInt8], with key: AgreementKey) throws(WelcomeError) -> Epoch {
    guard sealed.count == Self.length else { throw .length }
    guard let plain = HPKESeal.open(sealed, with: key, info: info) else { throw .seal }
    do {
      var reader = ByteReader(plain)
      let id = EpochID(value: try reader.integer())
      let generation = try reader.integer(UInt32.self)
      guard let chain = Secret(reader.rest) else { throw WelcomeError.length }
      return Epoch(id: id, generation: generation, chain: chain)
    } catch {
      throw .length
    }
  }
}

/// Why a welcome's key could not be sealed or opened.
public enum WelcomeError: String, Error, Hashable, Sendable {
  /// Not 92 bytes, or not a generation inside.
  case length
  /// Not sealed for this newcomer, by this welcomer, for this hello; or changed.
  case seal
}
