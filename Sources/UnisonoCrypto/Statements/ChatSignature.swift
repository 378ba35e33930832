import UnisonoReplica

/// Signature of an entry of the chat (wire 8.10): over the bytes of the body as they are.
package enum ChatSignature {
  package static func sign(_ body: [UInt8], session: [UInt8], author: SigningKey) -> SignedStatement {
    SignedStatement(body: body, signature: author.sign(.chat, session + body))
  }

  /// Whether the holder of `author` said it in this session. The caller compares the body's author with the key's id.
  package static func verifies(_ entry: SignedStatement, session: [UInt8], author: VerifyingKey) -> Bool {
    author.verifies(entry.signature, .chat, session + entry.body)
  }
}
