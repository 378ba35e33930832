import UnisonoBase
import UnisonoReplica
import UnisonoWire

/// Notices at a door: signed proof, for those who come to it later, that the session moved (wire 6.8) or was ended (wire 6.11). The
/// hub hands them out and can neither read nor judge them.
extension SecureChannel {
  /// Envelope with the policy that moved the session out of this room; nil: there is none, or it cannot be sealed.
  ///
  /// - Parameter isFinal: nobody keeps this door any more.
  package mutating func makeRelocationNotice(isFinal: Bool) -> [UInt8]? {
    guard levels.last?.terms.former.contains(door.topic) == true else { return nil }
    let message = RekeyMessage(
      intro: introduction.bytes, levels: levels.map { $0.bytes }, authors: introductionsOfLevelAuthors,
      isFinal: isFinal)
    return try? sealedAtDoor(InnerMessage.rekey(message).encoded)
  }

  /// Judges a relocation notice. Its introductions do not enter the roster: a stranger may have left it, with as many as fit.
  mutating func receiveNotice(_ message: RekeyMessage, from sender: Introduction, now: HostTime) -> [ChannelEffect] {
    // Who keeps this door knows better, and whoever was in the room may be handed the way to the next one.
    guard !isRetired, message.isFinal || speaking.current == nil else { return [] }
    guard chargeVerifications(of: [], message.authors + message.levels, from: sender.id, now: now) else {
      return refuse(sender.id, .budget, now: now)
    }
    let proven: [PolicyLevel]
    do throws(ChannelRefusal) {
      proven = try self.proven(message.levels, by: message.authors, and: sender)
    } catch {
      return refuse(sender.id, error, now: now)
    }
    guard message.isFinal || members.isEmpty else {
      relocationNotice = proven
      return []
    }
    return [.relocationNotice(proven)]
  }

  /// Envelope that says that this participant ended the session; nil: it cannot be sealed.
  package mutating func makeEndNotice(_ end: Statement) -> [UInt8]? {
    guard let signed = sign(end) else { return nil }
    let message = DeclineMessage(
      intro: introduction.bytes, reason: .ended, levels: levels.map { $0.bytes }, authors: introductionsOfLevelAuthors, end: signed)
    return try? sealedAtDoor(InnerMessage.decline(message).encoded)
  }

  /// Judges a notice of an end: of where somebody is it says nothing, and who was in the group knows its author.
  mutating func receiveEndNotice(_ message: DeclineMessage, from sender: Introduction, now: HostTime) -> [ChannelEffect] {
    guard !isRetired, members.isEmpty, let signed = message.end else { return [] }
    guard speaking.current == nil || introductions[sender.id]?.signingKey == sender.signingKey else {
      return refuse(sender.id, .unknownSender, now: now)
    }
    guard chargeVerifications(of: [signed], message.authors + message.levels, from: sender.id, now: now) else {
      return refuse(sender.id, .budget, now: now)
    }
    guard var end = try? StatementBody.decode(signed.body), end.key == .end else {
      return refuse(sender.id, .malformed, now: now)
    }
    end.signed = signed
    do throws(ChannelRefusal) {
      let levels = try proven(message.levels, by: message.authors, and: sender)
      guard let end = verified(end, by: sender) else { throw .signature }
      return [.endNotice(levels, end)]
    } catch {
      return refuse(sender.id, error, now: now)
    }
  }

  private var introductionsOfLevelAuthors: [[UInt8]] {
    Set(levels.map { $0.author }).subtracting([local]).sorted().compactMap { introductions[$0]?.bytes }
  }

  /// Levels that their authors, who are introduced beside them, signed.
  private func proven(_ levels: [[UInt8]], by authors: [[UInt8]], and sender: Introduction) throws(ChannelRefusal)
    -> [PolicyLevel]
  {
    var known = [sender.id: sender.signingKey]
    for bytes in authors {
      guard let author = try? Introduction(verifying: bytes, session: door.scope.session) else { throw .introduction }
      known[author.id] = author.signingKey
    }
    var proven: [PolicyLevel] = []
    for bytes in levels {
      guard let level = try? PolicyLevel(reading: bytes, hash: Hash.sha256), let author = known[level.author],
        PolicySignature.verifies(level, session: door.scope.session, author: author)
      else { throw .signature }
      proven.append(level)
    }
    return proven
  }
}
