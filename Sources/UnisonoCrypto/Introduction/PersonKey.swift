import Crypto
import UnisonoBase

/// The key by which the devices of one person vouch for each other, different in each session (wire 5.6).
package struct PersonKey: Sendable {
  private let key: SigningKey
  private let session: [UInt8]

  /// - Parameter person: a secret of that person, 16 random bytes; it never leaves the device.
  package init(person: [UInt8], session: [UInt8]) {
    self.session = session
    key = SigningKey(seed: Secret.extract(salt: session, material: SymmetricKey(data: person)).expand(.personKey))
  }

  package var publicKey: VerifyingKey { key.publicKey }

  /// Says that `participant` is a device of this person.
  func vouch(for participant: ParticipantID) -> [UInt8] { key.sign(.person, session + participant.bytes) }

  static func vouches(_ key: VerifyingKey, _ signature: [UInt8], for participant: ParticipantID, session: [UInt8])
    -> Bool
  {
    key.verifies(signature, .person, session + participant.bytes)
  }

  /// Public id of a person: the same for all its devices, another one in each session.
  static func id(_ key: VerifyingKey) -> [UInt8] { Hash.truncated(Label.personID.bytes + key.bytes) }
}
