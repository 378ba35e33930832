import UnisonoBase
import UnisonoCoordination
import UnisonoReplica
import UnisonoWire

/// Receiving: the checks of wire 4.4 in their order. State changes only after the signature was right.
extension SecureChannel {
  package mutating func received(_ envelope: [UInt8], now: HostTime) -> [ChannelEffect] {
    received(envelope, isHeld: false, now: now)
  }

  /// `isHeld`: it waited until it could be read, and may be older than what was read since.
  mutating func received(_ envelope: [UInt8], isHeld: Bool, now: HostTime) -> [ChannelEffect] {
    guard let header = try? EnvelopeHeader(envelope: envelope) else { return [.refused(.none, .malformed)] }
    guard header.sender != local, !removed.contains(header.sender), senders[header.sender]?.isIgnored(at: now) != true
    else { return [] }
    if header.kind == .door { return receivedAtDoor(envelope, header, now: now) }

    // Without a key nothing of the group's is meant for us yet.
    guard speaking.current != nil else { return [] }
    guard let record = book.record(of: header.epoch), let entry = book[record], let chain = key(of: record, now: now) else {
      return keepUnread(envelope, header, now: now)
    }
    guard entry.roster.contains(header.sender) else { return drop(header.sender, .unknownSender) }
    guard let author = introductions[header.sender] else { return keepUnintroduced(envelope, header, now: now) }
    if let refusal = senders[header.sender]?.refusal(of: header, isHeld: isHeld) { return drop(header.sender, refusal) }
    let opened: OpenedEnvelope
    do {
      opened = try Envelope.open(envelope, key: SendKey(chain: chain, scope: door.scope, header: header))
    } catch {
      return drop(header.sender, .seal)
    }
    guard chargeVerifications(1, for: header, now: now) else { return drop(header.sender, .budget) }
    do { try opened.verify(author: author.signingKey, scope: door.scope) } catch { return drop(header.sender, .signature) }

    senders[header.sender, default: SenderState()].record(header)
    keys.touch(record, now: now)
    // What is said of records comes under those that the receiver knows: it does not show where the sender is, nor that it can be read.
    let isOfRecords = [InnerMessage.MessageType.epoch, .ask].contains { $0.rawValue == opened.content.first }
    if !isOfRecords {
      unread.read(header.sender)
      speaking.hear(header.sender, in: record, lately: lately, now: now)
    }
    let heard = isOfRecords ? nil : unreadable.read(header.sender)
    let reviewed = review(now: now) + (heard.map { [.split($0)] } ?? [])
    let message: InnerMessage?
    do { message = try InnerMessage.decode(opened.content) } catch {
      return reviewed + refuse(header.sender, .malformed, now: now)
    }
    guard let message else { return reviewed }
    guard message.fits(header.kind) else { return reviewed + refuse(header.sender, .malformed, now: now) }
    return reviewed + dispatch(message, header, now: now)
  }

  /// HELLO and WELCOME bring the key that verifies them inside.
  private mutating func receivedAtDoor(_ envelope: [UInt8], _ header: EnvelopeHeader, now: HostTime) -> [ChannelEffect] {
    if let refusal = senders[header.sender]?.refusal(of: header) { return drop(header.sender, refusal) }
    guard let opened = try? Envelope.open(envelope, key: SendKey(chain: door.chain, scope: door.scope, header: header))
    else {
      return drop(header.sender, .seal)
    }
    guard let message = try? InnerMessage.decode(opened.content), message.fits(.door) else {
      return drop(header.sender, .malformed)
    }
    // What nobody asked for costs no signature check.
    if case .welcome = message, hellos[header.sender] == nil { return drop(header.sender, .welcome) }
    let bytes: [UInt8]
    switch message {
    case .hello(let hello): bytes = hello.intro
    case .welcome(let welcome): bytes = welcome.intro
    case .decline(let decline): bytes = decline.intro
    case .rekey(let rekey):
      guard let intro = rekey.intro else { return drop(header.sender, .malformed) }
      bytes = intro
    default: return drop(header.sender, .malformed)
    }
    guard chargeVerifications(2, for: header, now: now) else { return drop(header.sender, .budget) }
    guard let author = try? Introduction(verifying: bytes, session: door.scope.session), author.id == header.sender
    else {
      return drop(header.sender, .introduction)
    }
    do { try opened.verify(author: author.signingKey, scope: door.scope) } catch { return drop(header.sender, .signature) }
    senders[header.sender, default: SenderState()].record(header)
    switch message {
    case .hello(let hello): return answer(hello, content: opened.content, from: author, now: now)
    case .welcome(let welcome): return receiveWelcome(welcome, from: author, now: now)
    case .decline(let decline) where decline.end != nil: return receiveEndNotice(decline, from: author, now: now)
    case .decline(let decline): return receiveDecline(decline, from: author.id, now: now)
    case .rekey(let rekey) where rekey.wraps.isEmpty: return receiveNotice(rekey, from: author, now: now)
    case .rekey(let rekey): return receiveRekey(rekey, from: author.id, atDoor: true, now: now)
    default: return []
    }
  }

  private mutating func dispatch(
    _ message: InnerMessage, _ header: EnvelopeHeader, now: HostTime
  ) -> [ChannelEffect] {
    let sender = header.sender
    switch message {
    case .update(let statements, let intros, let levels):
      guard chargeVerifications(of: statements, intros + levels, from: sender, now: now) else {
        return refuse(sender, .budget, now: now)
      }
      var effects = introduceAll(intros, authors: authors(of: levels), by: sender, now: now)
      effects += receiveLevels(levels, from: sender, now: now)
      let (valid, more) = check(statements, from: sender, now: now)
      effects += more
      if !valid.isEmpty { effects.append(.deliver(.update(valid), from: sender)) }
      return effects
    case .snapshot(let part):
      guard part.of > 0 else { return [.deliver(.snapshot(nil), from: sender)] }
      guard chargeVerifications(of: part.statements, part.intros + part.levels, from: sender, now: now) else {
        return refuse(sender, .budget, now: now)
      }
      var effects = introduceAll(part.intros, authors: authors(of: part.levels), by: sender, now: now)
      effects += receiveLevels(part.levels, from: sender, now: now)
      let (valid, more) = check(part.statements, from: sender, now: now)
      effects += more
      if let whole = assembly.add(valid, number: part.number, of: part.of, from: sender, now: now) {
        effects.append(.deliver(.snapshot(whole), from: sender))
      }
      return effects
    case .beat(var beat):
      // Its bits go by the roster that it speaks in: by the own one they might name others.
      let theirs = book.record(of: header.epoch).flatMap { book[$0]?.roster } ?? []
      if theirs != roster { beat.heard = HearingBits.translate(beat.heard, from: theirs, to: roster, for: local) }
      return [.deliver(.beat(beat), from: sender)]
    case .have(let entries, let part, let count):
      let whole = haveAssembly.add(entries, part: part, of: count, from: sender, now: now)
      return whole.map { [.deliver(.have($0), from: sender)] } ?? []
    case .want(let keys): return [.deliver(.want(keys), from: sender)]
    case .epoch(let message): return receive(message, from: sender, now: now)
    case .ask(let ask): return answer(ask, from: sender, now: now)
    case .data, .notice, .foreground, .speaking, .request, .answer, .ignoring, .bye, .attachment:
      return [.other(message, from: sender)]
    case .chat, .reaction, .chatDigest, .chatWant, .chatHistory: return receiveChat(message, from: sender, now: now)
    case .private(let message): return receivePrivate(message, header, now: now)
    case .rekey(let message): return receiveRekey(message, from: sender, atDoor: false, now: now)
    case .hello, .welcome, .decline: return refuse(sender, .malformed, now: now)
    }
  }

  // MARK: Statements

  /// Splits statements into those that their authors signed, and effects; those of unknown authors wait for an introduction.
  private mutating func check(_ signed: [SignedStatement], from sender: ParticipantID, now: HostTime) -> (
    [Statement], [ChannelEffect]
  ) {
    var valid: [Statement] = []
    var effects: [ChannelEffect] = []
    var unknown: Set<ParticipantID> = []
    for one in signed {
      let decoded: Statement?
      do {
        decoded = try StatementBody.decode(one.body)
      } catch {
        effects += refuse(sender, .malformed, now: now)
        continue
      }
      // A register of a later version.
      guard var statement = decoded else { continue }
      statement.signed = one
      guard let author = introductions[statement.author] else {
        // Of who is on no roster nothing counts.
        guard isReader(statement.author), pendingStatements.store(statement, relay: sender, now: now) else {
          effects += drop(sender, .unknownSender)
          continue
        }
        unknown.insert(statement.author)
        continue
      }
      if let proven = verified(statement, by: author) {
        valid.append(proven)
      } else {
        effects += refuse(sender, .signature, now: now)
      }
    }
    if !unknown.isEmpty { effects += askWho(unknown.sorted(), now: now) }
    return (valid, effects)
  }

  mutating func chargeVerifications(
    of statements: [SignedStatement], _ intros: [[UInt8]], from sender: ParticipantID, now: HostTime
  ) -> Bool {
    let count = statements.count + intros.count
    return senders[sender, default: SenderState()].chargeVerifications(count, at: now)
      && verifications.spend(count, mayWait: false, at: now)
  }

  /// Charges signature checks for one envelope to the sender's budget and to that of all; false: used up.
  private mutating func chargeVerifications(_ count: Int, for header: EnvelopeHeader, now: HostTime) -> Bool {
    senders[header.sender, default: SenderState()].chargeVerifications(count, at: now)
      && verifications.spend(count, mayWait: header.kind == .unordered, at: now)
  }

  /// The same for what else a message brings.
  mutating func chargeVerifications(_ count: Int, from sender: ParticipantID, now: HostTime) -> Bool {
    senders[sender, default: SenderState()].chargeVerifications(count, at: now)
      && verifications.spend(count, mayWait: false, at: now)
  }

  /// Authors of levels; their signatures are not verified.
  func authors(of levels: [[UInt8]]) -> Set<ParticipantID> {
    Set(levels.compactMap { try? PolicyLevel(reading: $0, hash: Hash.sha256).author })
  }

  func verified(_ statement: Statement, by author: Introduction) -> Statement? {
    guard let signed = statement.signed, statement.author == author.id,
      StatementSignature.verifies(signed, session: door.scope.session, author: author.signingKey)
    else { return nil }
    return statement
  }
}
