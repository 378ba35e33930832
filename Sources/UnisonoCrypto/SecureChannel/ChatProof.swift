import UnisonoBase
import UnisonoCoordination
import UnisonoReplica
import UnisonoWire

/// Proves that entries of the chat were said by those whom they name.
struct ChatProof {
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
  let isReader: (ParticipantID) -> Bool

  func judge(_ signed: SignedStatement) -> Verdict {
    guard var entry = try? ChatEntryBody.decode(signed.body) else { return .unreadable }
    guard isReader(entry.id.author) else { return .stranger }
    guard let author = introductions[entry.id.author] else { return .unintroduced(entry.id.author) }
    guard ChatSignature.verifies(signed, session: session, author: author.signingKey) else { return .forged(entry.id.author) }
    entry.signed = signed
    return .said(entry)
  }
}
