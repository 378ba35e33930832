/// Leave for one group to open its rooms at one hub: serial(8) ‖ until(4) ‖ rooms(2) ‖ group(8) ‖ code(16). It is part of invites, and
/// opens nothing but empty rooms.
package struct HubPass: Hashable, Sendable {
  package static let length = 38
  package static let groupLength = 8
  private static let codeLength = 16

  package let terms: TokenTerms
  /// Names the group, 8 bytes.
  package let group: [UInt8]
  let code: [UInt8]

  init?(bytes: [UInt8]) {
    guard bytes.count == Self.length, let terms = TokenTerms(bytes: bytes.prefix(TokenTerms.length)) else { return nil }
    self.terms = terms
    group = Array(bytes[TokenTerms.length..<(TokenTerms.length + Self.groupLength)])
    code = Array(bytes.suffix(Self.codeLength))
  }

  static func code(_ key: Secret, hub: [UInt8], terms: TokenTerms, group: [UInt8]) -> [UInt8] {
    Array(key.code(of: Label.pass.bytes + hub + terms.bytes + group).bytes.prefix(codeLength))
  }
}
