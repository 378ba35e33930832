import UnisonoReplica

/// Signature of a register's write (wire 8.5): over the bytes of the body as they are.
package enum StatementSignature {
  /// Signs an encoded body.
  package static func sign(_ body: [UInt8], session: [UInt8], author: SigningKey) -> SignedStatement {
    SignedStatement(body: body, signature: author.sign(.statement, session + body))
  }

  /// Whether the holder of `author` wrote it in this session. The caller compares the body's author with the key's id.
  package static func verifies(_ statement: SignedStatement, session: [UInt8], author: VerifyingKey) -> Bool {
    author.verifies(statement.signature, .statement, session + statement.body)
  }
}
