import UnisonoBase
import UnisonoNearby

/// The asked side of a pairing. Good for one ask.
package struct PairingResponder: Sendable {
  /// The request. Its texts are claims of the other side.
  package let ask: AskFrame
  /// The answer to send.
  package let offer: OfferFrame
  private let askBody: [UInt8]
  private let key: AgreementKey

  /// Reads ASK's body as it came; `random` gives as many bytes as asked for.
  package init(answering body: [UInt8], deviceName: String, random: (Int) -> [UInt8]) throws(PairingError) {
    try self.init(
      answering: body, deviceName: deviceName, key: AgreementKey(seed: Secret(random: random)), nonce: random(32))
  }

  init(answering body: [UInt8], deviceName: String, key: AgreementKey, nonce: [UInt8]) throws(PairingError) {
    ask = try PairingError.reading { () throws(WireError) in try AskFrame(body: body) }
    guard ask.major == AskFrame.major else { throw .version }
    askBody = body
    self.key = key
    offer = OfferFrame(key: key.publicKey.bytes, nonce: nonce, deviceName: deviceName)
  }

  /// Checks REVEAL's body against the promise; only then there is something to show.
  package func check(reveal body: [UInt8]) throws(PairingError) -> PairingKeys {
    let reveal = try PairingError.reading { () throws(WireError) in try RevealFrame(body: body) }
    guard ConstantTime.areEqual(PairingKeys.commit(key: reveal.key, nonce: reveal.nonce), ask.commit) else {
      throw .commit
    }
    let agreed = try PairingError.checking { () throws(KeyError) in try key.agree(with: AgreementPublicKey(reveal.key)) }
    return PairingKeys(ask: askBody, offer: offer.body, reveal: body, agreed: agreed)
  }
}
