import UnisonoBase
import UnisonoNearby

/// The asking side of a pairing. Good for one ask.
///
/// It commits to its key before it sees the other's: a person in the middle has to fix what it shows to each side before
/// it knows what the other will show, so the digits differ but for one chance in a million.
package struct PairingInitiator: Sendable {
  /// First frame to send.
  package let ask: AskFrame
  private let key: AgreementKey
  private let nonce: [UInt8]

  /// Draws key and nonce; `random` gives as many bytes as asked for.
  package init(intent: NearbyIntent, service: NearbyService, random: (Int) -> [UInt8]) {
    self.init(intent: intent, service: service, key: AgreementKey(seed: Secret(random: random)), nonce: random(32))
  }

  init(intent: NearbyIntent, service: NearbyService, key: AgreementKey, nonce: [UInt8]) {
    self.key = key
    self.nonce = nonce
    ask = AskFrame(
      commit: PairingKeys.commit(key: key.publicKey.bytes, nonce: nonce), intent: intent, service: service.identifier,
      deviceName: service.deviceName, platform: service.platform)
  }

  /// The answer to OFFER's body, and what both sides then have.
  package func answer(offer body: [UInt8]) throws(PairingError) -> (reveal: RevealFrame, keys: PairingKeys) {
    let offer = try PairingError.reading { () throws(WireError) in try OfferFrame(body: body) }
    let agreed = try PairingError.checking { () throws(KeyError) in try key.agree(with: AgreementPublicKey(offer.key)) }
    let reveal = RevealFrame(key: key.publicKey.bytes, nonce: nonce)
    return (reveal, PairingKeys(ask: ask.body, offer: body, reveal: reveal.body, agreed: agreed))
  }
}
