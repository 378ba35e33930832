import UnisonoBase

/// The secret of a hub that opens rooms for strangers with a pass alone: 32 bytes that its tokens are made from (wire 3.7).
///
/// Hubs that share it take each other's tokens; a pass is good at one hub, as it names it.
package struct HubSecret: Sendable {
  private let secret: Secret

  package init(_ secret: Secret) { self.secret = secret }

  /// A token for an application or a person.
  package func token(_ terms: TokenTerms) -> HubToken { HubToken(terms: terms, key: tokenKey(terms)) }

  /// What a pass says, if a token of this secret made it for this hub; nil: it did not. Time and revocation are not judged.
  package func verified(pass bytes: [UInt8], hub: [UInt8]) -> HubPass? {
    guard let pass = HubPass(bytes: bytes),
      ConstantTime.areEqual(pass.code, HubPass.code(tokenKey(pass.terms), hub: hub, terms: pass.terms, group: pass.group))
    else { return nil }
    return pass
  }

  private func tokenKey(_ terms: TokenTerms) -> Secret {
    secret.code(of: Label.token.bytes + terms.bytes).expand(.token)
  }
}

/// What a token allows, and for how long.
package struct TokenTerms: Hashable, Sendable {
  static let length = 14

  /// Names the token, so that it can be revoked.
  package var serial: UInt64
  /// Hours since 1970, UTC, before which it is good.
  package var until: UInt32
  /// Groups that may have a room open with it at a time.
  package var rooms: UInt16

  package init(serial: UInt64, until: UInt32, rooms: UInt16) {
    self.serial = serial
    self.until = until
    self.rooms = rooms
  }

  init?(bytes: some Collection<UInt8>) {
    guard bytes.count == Self.length else { return nil }
    let bytes = Array(bytes)
    serial = bytes[..<8].reduce(0) { $0 << 8 | UInt64($1) }
    until = bytes[8..<12].reduce(0) { $0 << 8 | UInt32($1) }
    rooms = bytes[12...].reduce(0) { $0 << 8 | UInt16($1) }
  }

  var bytes: [UInt8] {
    var writer = ByteWriter()
    writer.integer(serial)
    writer.integer(until)
    writer.integer(rooms)
    return writer.bytes
  }
}
