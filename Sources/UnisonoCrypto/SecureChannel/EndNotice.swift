import UnisonoReplica

/// Signed word at the door that the session was ended (wire 6.11). A class, as it is passed through states that are copied.
package final class EndNotice: Equatable, Sendable {
  /// Policy by which its author could end the session.
  package let levels: [PolicyLevel]
  package let end: Statement
  /// What its author signed it with.
  let signingKey: VerifyingKey

  init(levels: [PolicyLevel], end: Statement, signingKey: VerifyingKey) {
    self.levels = levels
    self.end = end
    self.signingKey = signingKey
  }

  /// One that was judged once is the same.
  package static func == (left: EndNotice, right: EndNotice) -> Bool { left === right }
}
