import Crypto
import UnisonoBase
import UnisonoWire

/// A message of the group: signed by its author, then sealed for the room (wire 4.2).
///
/// Signing first, over the header too, keeps the author from the hub and makes it useless to seal somebody's words again
/// under another sender, lane, room or epoch.
package enum Envelope {
  static let tagLength = 16

  /// header ‖ AES-256-GCM(signature ‖ u32 length ‖ content ‖ zeros).
  ///
  /// - Parameters:
  ///   - content: type and items, 1...229,308 bytes; else `malformed(.count)`.
  ///   - key: the send key of the header's kind, sender, lane and epoch.
  ///   - author: whose id the header names.
  package static func seal(
    _ content: [UInt8], header: EnvelopeHeader, scope: Scope, key: SendKey, author: SigningKey
  ) throws(EnvelopeError) -> [UInt8] {
    defer { SecretBuffer.overwriteStackBelow() }
    guard (1...WireLimits.content).contains(content.count) else { throw .malformed(.count) }
    let head = header.bytes
    let plain = EnvelopePlain(signature: author.sign(.message, scope.bytes + head + content), content: content)
    guard let nonce = nonce(header.counter),
      let box = try? AES.GCM.seal(plain.padded, using: key.secret.key, nonce: nonce, authenticating: head)
    else { throw .seal }
    return head + box.ciphertext + box.tag
  }

  /// Opens the seal and checks the padding; the author is not verified yet.
  ///
  /// Two steps, because a message of kind 0 brings the key that verifies it inside.
  package static func open(_ envelope: [UInt8], key: SendKey) throws(EnvelopeError) -> OpenedEnvelope {
    defer { SecretBuffer.overwriteStackBelow() }
    let header: EnvelopeHeader
    do { header = try EnvelopeHeader(envelope: envelope) } catch { throw .malformed(error) }
    let head = envelope[..<EnvelopeHeader.length]
    let sealed = envelope[EnvelopeHeader.length...]
    guard let nonce = nonce(header.counter),
      let box = try? AES.GCM.SealedBox(
        nonce: nonce, ciphertext: sealed.dropLast(tagLength), tag: sealed.suffix(tagLength)),
      let plain = try? AES.GCM.open(box, using: key.secret.key, authenticating: head)
    else { throw .seal }
    do {
      return OpenedEnvelope(header: header, headerBytes: Array(head), plain: try EnvelopePlain(padded: Array(plain)))
    } catch {
      throw .padding(error)
    }
  }

  /// 00000000 ‖ counter: never random, never twice under a key.
  private static func nonce(_ counter: UInt64) -> AES.GCM.Nonce? {
    var writer = ByteWriter()
    writer.integer(UInt32(0))
    writer.integer(counter)
    return try? AES.GCM.Nonce(data: writer.bytes)
  }
}
