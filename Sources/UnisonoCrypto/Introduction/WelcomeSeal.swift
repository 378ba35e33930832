import UnisonoBase
import UnisonoWire

/// The content key, and what proves that it is the group's, handed by a member to a newcomer: item 2 of WELCOME (wire 5.2).
package struct WelcomeSeal: Equatable, Sendable {
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

  /// What both sides give to HPKE beside the key.
  var info: [UInt8] {
    Label.welcome.bytes + scope.bytes + welcomer.bytes + newcomer.bytes + helloHash
  }

  /// Seals a text with its content key to the key that the newcomer made for its HELLO.
  package func seal(_ text: WelcomeText, chain: Secret, to key: HybridPublicKey) throws(WelcomeError) -> [UInt8] {
    let (head, tail) = (text.head, text.tail)
    var plain = SecretBuffer(capacity: head.count + Secret.length + tail.count)
    plain.append(head)
    plain.append(chain)
    plain.append(tail)
    guard plain.count + HybridPublicKey.sealOverhead <= WireLimits.content / 2 else { throw .length }
    guard let sealed = key.seal(plain, info: info) else { throw .seal }
    return sealed
  }

  /// Opens what the welcomer sealed; what is in it proves nothing by that.
  package func open(_ sealed: [UInt8], with key: HybridKey) throws(WelcomeError) -> (text: WelcomeText, chain: Secret) {
    guard let plain = key.open(sealed, info: info) else { throw .seal }
    guard let offset = plain.withUnsafeBytes({ WelcomeText.keyOffset($0) }), let chain = plain.secret(at: offset) else {
      throw .length
    }
    // The key's bytes stay where they are overwritten.
    let bytes = plain.withUnsafeBytes { bytes in
      Array(bytes[..<offset]) + [UInt8](repeating: 0, count: Secret.length) + Array(bytes[(offset + Secret.length)...])
    }
    do { return (try WelcomeText(reading: bytes), chain) } catch { throw .length }
  }
}

/// Why a welcome could not be sealed or opened.
package enum WelcomeError: String, Error, Hashable, Sendable {
  /// Too long, or not what a welcome holds inside.
  case length
  /// Not sealed for this newcomer, by this welcomer, for this hello; or changed.
  case seal
}
