import UnisonoCore

/// Words for some of the room that the rest cannot read (wire-and-security 5.4).
extension SecureRoom {
  /// Sends a message that only `recipients` can open; nothing where there is no link or no key yet, or where one of them was
  /// not introduced. Costs 96 bytes and one key agreement for each.
  public mutating func sendPrivately(
    _ message: InnerMessage, to recipients: [ParticipantID], unordered: Bool = false, now: HostTime
  ) -> [RoomEffect] {
    let others = Set(recipients).subtracting([local])
    let keys = others.compactMap { id in roster[id].map { (id: id, key: $0.agreementKey) } }
    guard !keys.isEmpty, keys.count == others.count, keys.count <= WireLimits.participants else {
      return [.log(.warning, "a message to some was not sent: one of them is not known here")]
    }
    let key = Secret(random: random)
    let text = message.encoded
    let scope = door.scope
    return send(to: keys.map(\.id).sorted(), unordered: unordered, now: now) { header in
      PrivateSeal.seal(text, header: header, scope: scope, key: key, recipients: keys)
        .map { InnerMessage.private($0).encoded }
    }
  }

  /// What is inside is taken as if it had come by itself, but only what an application or a person says.
  mutating func takePrivate(_ message: PrivateMessage, _ header: EnvelopeHeader, now: HostTime) -> [RoomEffect] {
    guard
      let text = PrivateSeal.open(
        message, header: header, scope: door.scope, recipient: local, key: identity.agreement)
    else { return refuse(header.sender, .notAddressed, now: now) }
    guard let inner = try? InnerMessage.decode(text) else { return refuse(header.sender, .malformed, now: now) }
    switch inner {
    case .data where inner.fits(header.kind): return [.other(inner, from: header.sender)]
    case .notice, .foreground, .speaking: return [.other(inner, from: header.sender)]
    default: return refuse(header.sender, .malformed, now: now)
    }
  }
}
