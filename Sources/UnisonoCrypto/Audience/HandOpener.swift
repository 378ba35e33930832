import UnisonoBase
import UnisonoWire

/// Opens what listeners say to publishers, and believes that its sender said it (wire 8.28). Whoever has the link can say something: who a
/// sender is nobody knows, but that it is the same as before.
package struct HandOpener: Sendable {
  package enum Refusal: Error, Sendable {
    /// It does not open, or is no such message.
    case malformed
    /// Another said it than whose id it has, or the key for invites is none.
    case signature
  }

  private let keys: AudienceKeys

  package init(_ link: AudienceLink) { keys = AudienceKeys(link) }

  /// `key`: that an invite is sealed to; nil: none is asked for.
  package func open(_ envelope: [UInt8]) throws(Refusal) -> (hand: HandMessage, key: HybridPublicKey?) {
    guard let header = try? EnvelopeHeader(envelope: envelope), header.kind == .listener, header.epoch == keys.epoch,
      let opened = try? Envelope.open(envelope, key: keys.sendKey(header)), case .hand(let hand)? = try? StageMessage.decode(opened.content)
    else { throw .malformed }
    guard let author = try? VerifyingKey(hand.key), (try? opened.verify(author: author, scope: keys.scope)) != nil else { throw .signature }
    guard let inviteKey = hand.inviteKey else { return (hand, nil) }
    guard let key = try? HybridPublicKey(inviteKey) else { throw .signature }
    return (hand, key)
  }
}
