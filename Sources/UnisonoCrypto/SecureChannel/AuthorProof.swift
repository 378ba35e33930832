import UnisonoBase
import UnisonoCoordination
import UnisonoReplica
import UnisonoWire

/// Proves that statements, levels of a policy and words of the chat were said by those whom they name: by signatures, with the keys that
/// introductions brought (wire 8.5).
struct AuthorProof {
  /// Of an entry of the chat.
  enum Verdict: Equatable {
    case said(ChatEntry)
    /// By its author, who does not hold the key that signed it.
    case forged(ParticipantID)
    case unreadable
    /// The author is on the roster and not introduced yet.
    case unintroduced(ParticipantID)
    /// The author is on no roster.
    case stranger
  }

  let session: [UInt8]
  let introductions: Introductions

  /// Whether its author, who is introduced by this, signed a statement.
  func isSaid(_ statement: Statement, by author: Introduction) -> Bool {
    guard let signed = statement.signed, statement.author == author.id else { return false }
    return StatementSignature.verifies(signed, session: session, author: author.signingKey)
  }

  /// nil: its author is not introduced, or did not sign it.
  func statement(_ signed: SignedStatement) -> Statement? {
    guard var statement = try? StatementBody.decode(signed.body), let author = introductions[statement.author] else { return nil }
    statement.signed = signed
    return isSaid(statement, by: author) ? statement : nil
  }

  func level(_ bytes: [UInt8]) throws(ChannelRefusal) -> PolicyLevel {
    guard let level = try? PolicyLevel(reading: bytes, hash: Hash.sha256) else { throw .malformed }
    guard let author = introductions[level.author] else { throw .unknownSender }
    guard PolicySignature.verifies(level, session: session, author: author.signingKey) else { throw .signature }
    return level
  }

  /// - Parameter isReader: on some roster that is known.
  func chatEntry(_ signed: SignedStatement, isReader: (ParticipantID) -> Bool) -> Verdict {
    guard var entry = try? ChatEntryBody.decode(signed.body) else { return .unreadable }
    guard isReader(entry.id.author) else { return .stranger }
    guard let author = introductions[entry.id.author] else { return .unintroduced(entry.id.author) }
    guard ChatSignature.verifies(signed, session: session, author: author.signingKey) else { return .forged(entry.id.author) }
    entry.signed = signed
    return .said(entry)
  }
}
