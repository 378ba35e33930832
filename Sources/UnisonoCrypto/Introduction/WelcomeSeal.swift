import UnisonoBase

/// The content key, handed by a member to a newcomer: item 2 of WELCOME, 92 bytes (wire 5.2).
package struct WelcomeSeal: Equatable, Sendable {
  package static let length = 92
  /// Epoch id and generation, which are no secrets; then the key.
  private static let namedLength = 12
  private static let plainLength = namedLength + Secret.length

  package let scope: Scope
  package let welcomer: ParticipantID
  package let newcomer: ParticipantID
  /// H(content of HELLO): the answer fits one question only.
  package let helloHash: [UInt8]

  /// - Parameter hello: the content of the newcomer's HELLO, type included.
  package init(scope: Scope, welcomer: ParticipantID, newcomer: ParticipantID, hello: [UInt8]) {
    self.scope = scope
    self.welcomer = welcomer
    self.newcomer = newcomer
    helloHash = Hash.sha256(hello)
  }

  private var info: [UInt8] {
    Label.welcome.bytes + scope.bytes + welcomer.bytes + newcomer.bytes + helloHash
  }

  /// Seals a generation to the key that the newcomer made for its HELLO, or to its agreement key.
  package func seal(_ epoch: Epoch, to key: AgreementPublicKey) throws(WelcomeError) -> [UInt8] {
    var named = ByteWriter()
    named.append(epoch.id.bytes)
    named.integer(epoch.generation)
    var plain = SecretBuffer(capacity: Self.plainLength)
    plain.append(named.bytes)
    plain.append(epoch.chain)
    guard let sealed = HPKESeal.seal(plain, to: key, info: info) else { throw .seal }
    return sealed
  }

  /// Opens what the welcomer sealed.
  package func open(_ sealed: [UInt8], with key: AgreementKey) throws(WelcomeError) -> Epoch {
    guard sealed.count == Self.length else { throw .length }
    guard let plain = HPKESeal.open(sealed, with: key, info: info) else { throw .seal }
    guard plain.count == Self.plainLength, let chain = plain.secret(at: Self.namedLength) else { throw .length }
    do {
      var reader = ByteReader(plain.withUnsafeBytes { Array($0.prefix(Self.namedLength)) })
      let id = EpochID(value: try reader.integer())
      return Epoch(id: id, generation: try reader.integer(UInt32.self), chain: chain)
    } catch {
      throw .length
    }
  }
}

/// Why a welcome's key could not be sealed or opened.
package enum WelcomeError: String, Error, Hashable, Sendable {
  /// Not 92 bytes, or not a generation inside.
  case length
  /// Not sealed for this newcomer, by this welcomer, for this hello; or changed.
  case seal
}
