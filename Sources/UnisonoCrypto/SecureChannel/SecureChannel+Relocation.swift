import UnisonoBase
import UnisonoReplica
import UnisonoWire

/// Relocation notices: signed proof, for those who come to the old door, that the session moved (wire 6.4). The hub hands them
/// out and can neither read nor judge them.
extension SecureChannel {
  /// Envelope with the policy that moved the session out of this room; nil: there is none, or it cannot be sealed.
  ///
  /// - Parameter isFinal: nobody keeps this door any more.
  package mutating func makeRelocationNotice(isFinal: Bool) -> [UInt8]? {
    guard levels.last?.terms.former.contains(door.topic) == true else { return nil }
    let authors = Set(levels.map(\.author)).subtracting([local]).sorted().compactMap { roster[$0]?.bytes }
    let message = RekeyMessage(
      intro: introduction.bytes, levels: levels.map(\.bytes), wraps: [], authors: authors, isFinal: isFinal)
    return try? sealedAtDoor(InnerMessage.rekey(message).encoded)
  }

  /// Judges a relocation notice. Its introductions do not enter the roster: a stranger may have left it, with as many as fit.
  mutating func receiveNotice(_ message: RekeyMessage, from sender: Introduction, now: HostTime) -> [ChannelEffect] {
    // Who keeps this door knows better, and whoever was in the room may be handed the way to the next one.
    guard !isRetired, message.isFinal || keyring == nil else { return [] }
    guard chargeVerifications(of: [], message.authors + message.levels, from: sender.id, now: now) else {
      return refuse(sender.id, .budget, now: now)
    }
    var known = [sender.id: sender.signingKey]
    for bytes in message.authors {
      guard let author = try? Introduction(verifying: bytes, session: door.scope.session) else {
        return refuse(sender.id, .introduction, now: now)
      }
      known[author.id] = author.signingKey
    }
    var proven: [PolicyLevel] = []
    for bytes in message.levels {
      guard let level = try? PolicyLevel(reading: bytes, hash: Hash.sha256), let author = known[level.author],
        PolicySignature.verifies(level, session: door.scope.session, author: author)
      else { return refuse(sender.id, .signature, now: now) }
      proven.append(level)
    }
    guard message.isFinal || members.isEmpty else {
      relocationNotice = proven
      return []
    }
    return [.relocationNotice(proven)]
  }
}
