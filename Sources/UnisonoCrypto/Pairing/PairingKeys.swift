import Crypto
import UnisonoBase
import UnisonoNearby

/// Common keys of a pairing, once each side knows the other's: digits to compare, and a seal each way.
///
/// All of it hangs on the whole transcript, so names, intent and service cannot be swapped on the way.
package struct PairingKeys: Equatable, Sendable {
  package let digits: PairingDigits
  private let transcript: [UInt8]
  private let toInitiator: Secret
  private let toResponder: Secret

  /// The bodies as they were on the wire; `agreed` is never zero.
  init(ask: [UInt8], offer: [UInt8], reveal: [UInt8], agreed: Secret) {
    var writer = ByteWriter()
    writer.append(Label.pair.bytes)
    for body in [ask, offer, reveal] {
      writer.integer(UInt32(truncatingIfNeeded: body.count))
      writer.append(body)
    }
    transcript = Hash.sha256(writer.bytes)
    let root = Secret.extract(salt: transcript, material: agreed)
    digits = PairingDigits(root.expand(.pairDigits).bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) })
    toInitiator = root.expand(.pairToInitiator)
    toResponder = root.expand(.pairToResponder)
  }

  /// H(label ‖ key ‖ nonce): what ASK promises.
  static func commit(key: [UInt8], nonce: [UInt8]) -> [UInt8] { Hash.sha256(Label.pairCommit.bytes + key + nonce) }

  /// GRANT: with the invite where the asker wants to join, without where it invites.
  package func grant(_ invite: Invite?) -> [UInt8] { seal(invite, toInitiator) }

  /// PASS, which carries the invite of an asker who invites.
  package func pass(_ invite: Invite) -> [UInt8] { seal(invite, toResponder) }

  /// Opens GRANT. The invite where one has to be (`.join`), nil where none may be.
  package func open(grant sealed: [UInt8], of intent: NearbyIntent) throws(PairingError) -> Invite? {
    let invite = try open(sealed, toInitiator)
    guard (invite != nil) == (intent == .join) else { throw .content }
    return invite
  }

  /// Opens PASS.
  package func open(pass sealed: [UInt8]) throws(PairingError) -> Invite {
    guard let invite = try open(sealed, toResponder) else { throw .content }
    return invite
  }

  private func seal(_ invite: Invite?, _ key: Secret) -> [UInt8] {
    let text = Array((invite?.text ?? "").utf8)
    var plain = [UInt8(truncatingIfNeeded: text.count >> 8), UInt8(truncatingIfNeeded: text.count)] + text
    plain += [UInt8](repeating: 0, count: PairingFrame.plainLength - plain.count)
    // Each key seals one text only, so one nonce serves.
    guard let nonce = Self.nonce,
      let box = try? AES.GCM.seal(plain, using: key.key, nonce: nonce, authenticating: transcript)
    else { preconditionFailure("AES-GCM seals 4,608 bytes under every key") }
    return Array(box.ciphertext + box.tag)
  }

  /// nil: no invite inside.
  private func open(_ sealed: [UInt8], _ key: Secret) throws(PairingError) -> Invite? {
    guard sealed.count == PairingFrame.sealedLength, let nonce = Self.nonce,
      let box = try? AES.GCM.SealedBox(
        nonce: nonce, ciphertext: sealed.dropLast(Envelope.tagLength), tag: sealed.suffix(Envelope.tagLength)),
      let opened = try? AES.GCM.open(box, using: key.key, authenticating: transcript)
    else { throw .seal }
    let plain = Array(opened)
    let length = Int(plain[0]) << 8 | Int(plain[1])
    guard length <= Invite.maximumLength, plain[(2 + length)...].allSatisfy({ $0 == 0 }) else { throw .content }
    if length == 0 { return nil }
    guard let text = String(validating: plain[2..<(2 + length)], as: UTF8.self) else { throw .content }
    do throws(InviteError) {
      return try Invite(parsing: text)
    } catch {
      throw .content
    }
  }

  private static var nonce: AES.GCM.Nonce? { try? AES.GCM.Nonce(data: [UInt8](repeating: 0, count: 12)) }
}
