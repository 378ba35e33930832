import UnisonoBase
import UnisonoWire

/// Seals what a publisher says to an audience, or a listener to publishers, in one lane for each link.
package struct StageSealer: Sendable {
  private let keys: AudienceKeys
  private let identity: Identity
  private var lane = Lane(index: 0, random: 0)
  private var counter: UInt64 = 0

  package init(_ link: AudienceLink, by identity: Identity) {
    keys = AudienceKeys(link)
    self.identity = identity
  }

  /// Another link: nothing is ever sealed twice under one key. `random` gives as many bytes as asked for.
  package mutating func beginLane(random: (Int) -> [UInt8]) {
    lane = Lane(index: lane.index &+ 1, random: random(8).reduce(0) { $0 << 8 | UInt64($1) })
    counter = 0
  }

  /// nil: longer than an envelope may be.
  package mutating func seal(_ message: StageMessage) -> [UInt8]? {
    let header = EnvelopeHeader(kind: message.kind, epoch: keys.epoch, sender: identity.id, lane: lane, counter: counter)
    counter += 1
    return try? Envelope.seal(
      message.encoded, header: header, scope: keys.scope, key: keys.sendKey(header), author: identity.signing)
  }
}
