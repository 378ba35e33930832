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

extension SecureChannel {
  private var chatProof: ChatProof {
    ChatProof(session: door.scope.session, introductions: introductions, isReader: { isReader($0) })
  }

  /// What was said about the chat: words are proven first.
  mutating func receiveChat(_ message: InnerMessage, from sender: ParticipantID, now: HostTime) -> [ChannelEffect] {
    switch message {
    case .chat(let signed):
      guard chargeVerifications(1, from: sender, now: now) else { return refuse(sender, .budget, now: now) }
      guard case .said(let entry) = chatProof.judge(signed), entry.id.author == sender else {
        return refuse(sender, .signature, now: now)
      }
      return [.chat(.entry(entry), from: sender)]
    case .chatHistory(let entries):
      guard chargeVerifications(entries.count, from: sender, now: now) else { return refuse(sender, .budget, now: now) }
      return receiveHistory(entries, from: sender, now: now)
    case .reaction(let reaction): return [.chat(.reaction(reaction), from: sender)]
    case .chatDigest(let digest): return [.chat(.digest(digest), from: sender)]
    case .chatWant(let names): return [.chat(.want(names), from: sender)]
    default: return []
    }
  }

  private mutating func receiveHistory(_ entries: [SignedStatement], from sender: ParticipantID, now: HostTime) -> [ChannelEffect] {
    var effects: [ChannelEffect] = []
    var said: [ChatEntry] = []
    var forged: Set<ParticipantID> = []
    var unintroduced: Set<ParticipantID> = []
    let proof = chatProof
    for one in entries {
      switch proof.judge(one) {
      case .said(let entry): said.append(entry)
      case .forged(let author):
        forged.insert(author)
        effects += refuse(sender, .signature, now: now)
      case .unreadable: effects += refuse(sender, .malformed, now: now)
      case .unintroduced(let author):
        unintroduced.insert(author)
        effects += drop(sender, .unknownSender)
      case .stranger: effects += drop(sender, .unknownSender)
      }
    }
    for author in forged.sorted() {
      let what = "participant \(sender) told words of participant \(author) that this one did not say; they are refused"
      effects.append(.log(.warning, what))
    }
    if !unintroduced.isEmpty { effects += askWho(unintroduced.sorted(), now: now) }
    return effects + [.chat(.history(said), from: sender)]
  }
}
