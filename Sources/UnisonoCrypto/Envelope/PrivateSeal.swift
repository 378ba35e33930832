import Crypto
import UnisonoBase
import UnisonoWire

/// A message for some of the room (wire 5.4): a content key, handed to each recipient, seals the text.
///
/// Both are bound to the header of the envelope that carries them, so that nobody else can pass them off as its own.
enum PrivateSeal {
  /// - Parameters:
  ///   - text: type and items of the message inside.
  ///   - key: fresh, for this message alone.
  static func seal(
    _ text: [UInt8], header: EnvelopeHeader, scope: Scope, key: Secret,
    recipients: [(id: ParticipantID, key: AgreementPublicKey)]
  ) -> PrivateMessage? {
    guard let wraps = wraps(of: key, header: header, scope: scope, recipients: recipients[...]) else { return nil }
    return close(text, header: header, key: key, wraps: wraps)
  }

  /// The content key for each of some recipients, ascending by id. Costs a key agreement for each.
  static func wraps(
    of key: Secret, header: EnvelopeHeader, scope: Scope,
    recipients: ArraySlice<(id: ParticipantID, key: AgreementPublicKey)>
  ) -> [[UInt8]]? {
    let head = header.bytes
    var plain = SecretBuffer(capacity: Secret.length)
    plain.append(key)
    var wraps: [[UInt8]] = []
    for recipient in recipients.sorted(by: { $0.id < $1.id }) {
      guard let wrap = HPKESeal.seal(plain, to: recipient.key, info: info(head, scope, recipient.id)) else {
        return nil
      }
      wraps.append(recipient.id.bytes + wrap)
    }
    return wraps
  }

  /// The message, once all have the key.
  static func close(_ text: [UInt8], header: EnvelopeHeader, key: Secret, wraps: [[UInt8]]) -> PrivateMessage? {
    let head = header.bytes
    guard let nonce = try? AES.GCM.Nonce(data: [UInt8](repeating: 0, count: 12)),
      let box = try? AES.GCM.seal(text, using: key.key, nonce: nonce, authenticating: Label.private.bytes + head)
    else { return nil }
    return PrivateMessage(wraps: wraps, sealed: Array(box.ciphertext + box.tag))
  }

  /// The text; nil: not for this recipient, or not made for this envelope.
  static func open(
    _ message: PrivateMessage, header: EnvelopeHeader, scope: Scope, recipient: ParticipantID, key: AgreementKey
  ) -> [UInt8]? {
    let head = header.bytes
    guard let wrap = message.wraps.first(where: { $0.starts(with: recipient.bytes) }),
      let opened = HPKESeal.open(Array(wrap.dropFirst(16)), with: key, info: info(head, scope, recipient)),
      opened.count == Secret.length, let secret = opened.secret(at: 0), message.sealed.count >= Envelope.tagLength,
      let nonce = try? AES.GCM.Nonce(data: [UInt8](repeating: 0, count: 12)),
      let box = try? AES.GCM.SealedBox(
        nonce: nonce, ciphertext: message.sealed.dropLast(Envelope.tagLength),
        tag: message.sealed.suffix(Envelope.tagLength)),
      let text = try? AES.GCM.open(box, using: secret.key, authenticating: Label.private.bytes + head)
    else { return nil }
    return Array(text)
  }

  private static func info(_ head: [UInt8], _ scope: Scope, _ recipient: ParticipantID) -> [UInt8] {
    Label.private.bytes + scope.bytes + head + recipient.bytes
  }
}
