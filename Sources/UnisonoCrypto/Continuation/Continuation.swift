import UnisonoBase
import UnisonoReplica
import UnisonoWire

/// What a participant goes on from on another day: who it was, the way to the group, and what the group did (wire 8.25).
package struct Continuation: Sendable {
  /// The door's, and the key of the participant's hub, whose id is the same again then.
  package let door: Secret
  package let hub: Secret
  /// The keys of who made it.
  package let seeds: Identity.Seeds
  /// The content key of the record in `text`.
  package let chain: Secret
  package let text: ContinuationText
  package let origin: Origin

  /// nil: the text's origin is of another version.
  package init?(door: Secret, hub: Secret, seeds: Identity.Seeds, chain: Secret, text: ContinuationText) {
    guard let origin = Origin(text.origin) else { return nil }
    self.door = door
    self.hub = hub
    self.seeds = seeds
    self.chain = chain
    self.text = text
    self.origin = origin
  }

  /// Group time at a calendar time, as far as the two clocks told the time: never before it was made. Ten years later it is the same as
  /// later still.
  package func groupTime(at calendarTime: Int64) -> GroupTime {
    text.time.adding(max(0, min(calendarTime.subtracting(text.made), Self.longest)))
  }

  private static let longest = Nanoseconds.seconds(10 * 365 * 86_400)

  package var place: Door { Door(session: origin.session, secret: door) }

  /// The channel of who made it, at its door; nil: it does not prove that its key is the group's.
  package func channel(person: PersonKey? = nil, now: HostTime, random: @escaping (Int) -> [UInt8]) -> SecureChannel? {
    var channel = SecureChannel(
      door: place, identity: Identity(seeds), root: origin.root, isCreator: false, person: person, random: random)
    return channel.resume(text.record, chain: chain, now: now) ? channel : nil
  }

  // MARK: Bytes

  private static let secrets = 6

  /// The secrets, 32 bytes each, and the text behind them.
  var plain: SecretBuffer {
    let encoded = text.encoded
    var plain = SecretBuffer(capacity: Self.secrets * Secret.length + encoded.count)
    for secret in [door, hub, seeds.signing, seeds.agreement, seeds.hybrid, chain] { plain.append(secret) }
    plain.append(encoded)
    return plain
  }

  init(reading plain: borrowing SecretBuffer) throws(ContinuationError) {
    func secret(_ index: Int, _ plain: borrowing SecretBuffer) throws(ContinuationError) -> Secret {
      guard let secret = plain.secret(at: index * Secret.length) else { throw .malformed }
      return secret
    }
    let seeds = Identity.Seeds(
      signing: try secret(2, plain), agreement: try secret(3, plain), hybrid: try secret(4, plain))
    let (door, hub, chain) = (try secret(0, plain), try secret(1, plain), try secret(5, plain))
    let rest = plain.withUnsafeBytes { Array($0.dropFirst(Self.secrets * Secret.length)) }
    let text: ContinuationText
    do { text = try ContinuationText(reading: rest) } catch { throw .malformed }
    guard let read = Self(door: door, hub: hub, seeds: seeds, chain: chain, text: text) else { throw .version }
    self = read
  }
}

/// Why a token to go on by was refused.
package enum ContinuationError: Error, Hashable, Sendable {
  /// It is none, or was cut.
  case format
  /// Of a newer library.
  case version
  /// Longer than a token may be.
  case length
  /// Another key, or a byte was changed.
  case seal
  /// It opens, and does not say what a token has to say.
  case malformed
  /// It was made longer ago than this, ns.
  case old(Nanoseconds)
  /// It opens, and its key is not shown to be the group's.
  case unproven

  /// For whoever wrote the host, behind the name of what was given.
  package var sentence: String {
    switch self {
    case .format: "is no continuation, or a part of one"
    case .version: "was made by a newer library"
    case .length: "has more than \(ContinuationSeal.maximumLength) bytes"
    case .seal: "was sealed with another key, or changed"
    case .malformed: "opens, and does not say what it has to"
    case .old(let limit): "is older than \(limit / .seconds(86_400)) days; ask for a new invite"
    case .unproven: "does not prove that its key is the group's"
    }
  }
}
