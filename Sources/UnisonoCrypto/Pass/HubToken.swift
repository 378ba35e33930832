import UnisonoBase

/// A hub operator's leave to open rooms: serial(8) ‖ until(4) ‖ rooms(2) ‖ key(32). Whoever has it can make passes; it stays with the
/// one it was given to, and goes into no invite.
package struct HubToken: Equatable, Sendable {
  package static let length = 46

  package let terms: TokenTerms
  private let key: Secret

  init(terms: TokenTerms, key: Secret) {
    self.terms = terms
    self.key = key
  }

  /// nil: not 46 bytes.
  package init?(bytes: [UInt8]) {
    guard bytes.count == Self.length, let terms = TokenTerms(bytes: bytes.prefix(TokenTerms.length)),
      let key = Secret(Array(bytes.dropFirst(TokenTerms.length)))
    else { return nil }
    self.init(terms: terms, key: key)
  }

  package var bytes: [UInt8] { terms.bytes + key.bytes }
  /// In base 32, as it is printed.
  package var text: String { Base32.encode(bytes) }

  /// A pass for one group at this hub. `group`: 8 random bytes that name the group to the hub.
  package func pass(hub: [UInt8], group: [UInt8]) -> [UInt8] {
    terms.bytes + group + HubPass.code(key, hub: hub, terms: terms, group: group)
  }
}
