import UnisonoBase
import UnisonoReplica
import UnisonoWire

/// Receiving: the checks of wire 4.4 in their order. State changes only after the signature was right.
extension SecureChannel {
  package mutating func received(_ envelope: [UInt8], now: HostTime) -> [ChannelEffect] {
    guard let header = try? EnvelopeHeader(envelope: envelope) else { return [.refused(.none, .malformed)] }
    guard header.sender != local, !removed.contains(header.sender), senders[header.sender]?.isIgnored(at: now) != true
    else { return [] }
    if header.kind == .door { return receivedAtDoor(envelope, header, now: now) }

    // Without a key nothing of the group's is meant for us yet.
    guard let keyring else { return [] }
    guard header.epoch == keyring.id else {
      return refuse(header.sender, .unknownEpoch, now: now)
        + ask(header.sender, if: isSenior(header.sender), now: now)
    }
    let known = roster[header.sender]
    let introducesItself = header.kind == .ordered && header.counter == 0
    guard known != nil || introducesItself else {
      // Of ids that only a header names nothing is kept: they are endless.
      guard members[header.sender] != nil, pendingFrames.store(envelope, from: header.sender, now: now) else {
        return refuse(header.sender, .unknownSender, now: now)
      }
      return askAboutUnknown(envelope, header, now: now)
    }
    if let refusal = senders[header.sender]?.refusal(of: header) { return refuse(header.sender, refusal, now: now) }
    guard let epoch = keyring.epoch(header.generation) else {
      let isMember = senders[header.sender]?.hasSpoken == true || isSenior(header.sender)
      return refuse(header.sender, .generation, now: now) + ask(header.sender, if: isMember, now: now)
    }
    let opened: OpenedEnvelope
    do {
      opened = try Envelope.open(envelope, key: SendKey(chain: epoch.chain, scope: door.scope, header: header))
    } catch {
      return refuse(header.sender, .seal, now: now) + doubtWelcome(unread: header.sender, now: now)
    }
    let message: InnerMessage?
    do { message = try InnerMessage.decode(opened.content) } catch {
      return refuse(header.sender, .malformed, now: now)
    }
    guard let author = known ?? introduced(by: message, as: header.sender),
      chargeVerifications(1, for: header, now: now)
    else { return refuse(header.sender, known == nil ? .unknownSender : .budget, now: now) }
    do { try opened.verify(author: author.signingKey, scope: door.scope) } catch {
      return refuse(header.sender, .signature, now: now)
    }

    senders[header.sender, default: SenderState()].record(header)
    let followed = follow(epoch, of: header.sender, now: now)
    if doubt?.welcomer != header.sender { doubt = nil }
    guard let message else { return followed }
    guard message.fits(header.kind) else { return followed + refuse(header.sender, .malformed, now: now) }
    return followed + dispatch(message, header, author: author, now: now)
  }

  /// Goes on to the generation in which a member was read.
  private mutating func follow(_ epoch: Epoch, of sender: ParticipantID, now: HostTime) -> [ChannelEffect] {
    guard keyring?.follow(epoch, now: now) == .some(isFirst: true) else { return [] }
    return [.log(.warning, "participant \(sender) is far ahead with the key: followed slowly")]
  }

  private func introduced(by message: InnerMessage?, as sender: ParticipantID) -> Introduction? {
    guard case .intro(let bytes)? = message,
      let found = try? Introduction(verifying: bytes, session: door.scope.session),
      found.id == sender
    else { return nil }
    return found
  }

  /// Asks another member who an unknown sender is: its own answer could not be read either. Whoever is asked may not know it
  /// either, or be gone already: the next one is asked soon. Where nobody else is there the sender is asked for a welcome,
  /// which brings its introduction, if it has the content key.
  private mutating func askAboutUnknown(_ envelope: [UInt8], _ header: EnvelopeHeader, now: HostTime) -> [ChannelEffect] {
    let sender = header.sender
    let others = members.values.filter { $0.id != sender && roster[$0.id] != nil }
    guard !others.isEmpty else { return ask(sender, if: opens(envelope, header), now: now) }
    guard let turn = senders[sender, default: SenderState()].inquiry.begin(now: now) else { return [] }
    let byAge = others.sorted { ($0.age, $1.id) > ($1.age, $0.id) }
    return send(.who([sender]), to: [byAge[turn % byAge.count].id], now: now)
  }

  /// Whether an envelope opens: its sender has the content key.
  private func opens(_ envelope: [UInt8], _ header: EnvelopeHeader) -> Bool {
    guard let epoch = keyring?.epoch(header.generation) else { return false }
    return (try? Envelope.open(envelope, key: SendKey(chain: epoch.chain, scope: door.scope, header: header))) != nil
  }

  /// HELLO and WELCOME bring the key that verifies them inside.
  private mutating func receivedAtDoor(_ envelope: [UInt8], _ header: EnvelopeHeader, now: HostTime) -> [ChannelEffect] {
    if let refusal = senders[header.sender]?.refusal(of: header) { return refuse(header.sender, refusal, now: now) }
    guard let opened = try? Envelope.open(envelope, key: SendKey(chain: door.chain, scope: door.scope, header: header))
    else {
      return refuse(header.sender, .seal, now: now)
    }
    guard let message = try? InnerMessage.decode(opened.content), message.fits(.door) else {
      return refuse(header.sender, .malformed, now: now)
    }
    // What nobody asked for costs no signature check.
    if case .welcome = message, hellos[header.sender] == nil { return refuse(header.sender, .welcome, now: now) }
    let bytes: [UInt8]
    switch message {
    case .hello(let hello): bytes = hello.intro
    case .welcome(let welcome): bytes = welcome.intro
    case .decline(let decline): bytes = decline.intro
    case .rekey(let rekey):
      guard let intro = rekey.intro else { return refuse(header.sender, .malformed, now: now) }
      bytes = intro
    default: return refuse(header.sender, .malformed, now: now)
    }
    guard chargeVerifications(2, for: header, now: now) else {
      return refuse(header.sender, .budget, now: now)
    }
    guard let author = try? Introduction(verifying: bytes, session: door.scope.session), author.id == header.sender
    else {
      return refuse(header.sender, .introduction, now: now)
    }
    do { try opened.verify(author: author.signingKey, scope: door.scope) } catch {
      return refuse(header.sender, .signature, now: now)
    }
    senders[header.sender, default: SenderState()].record(header)
    switch message {
    case .hello(let hello): return welcome(hello, content: opened.content, from: author, now: now)
    case .welcome(let welcome): return receiveWelcome(welcome, from: author, now: now)
    case .decline(let decline) where decline.end != nil: return receiveEndNotice(decline, from: author, now: now)
    case .decline(let decline): return receiveDecline(decline, from: author.id, now: now)
    case .rekey(let rekey) where rekey.wraps.isEmpty: return receiveNotice(rekey, from: author, now: now)
    case .rekey(let rekey): return receiveRekey(rekey, from: author.id, atDoor: true, now: now)
    default: return []
    }
  }

  /// Asks the sender of an envelope whose key is not here. Noise looks the same, so `isWorthIt` must be a proof that the sender
  /// has the key, or may have one that we switch to; nobody is asked while an answer is awaited that may bring it.
  private mutating func ask(_ sender: ParticipantID, if isWorthIt: Bool, now: HostTime) -> [ChannelEffect] {
    guard isWorthIt, !isRetired, search == nil, members[sender] != nil, helloBudget.take(sender, now: now) else { return [] }
    return hello(to: sender, reason: .unknownEpoch, now: now)
  }

  private mutating func dispatch(
    _ message: InnerMessage, _ header: EnvelopeHeader, author: Introduction, now: HostTime
  ) -> [ChannelEffect] {
    let sender = header.sender
    switch message {
    case .intro(let bytes):
      guard let introduction = introduced(by: message, as: sender) else {
        return refuse(sender, .introduction, now: now)
      }
      return bytes == roster[sender]?.bytes ? [] : introduce(introduction, by: sender, now: now)
    case .update(let statements, let intros, let levels):
      guard chargeVerifications(of: statements, intros + levels, from: sender, now: now) else {
        return refuse(sender, .budget, now: now)
      }
      var effects = introduceAll(intros, by: sender, now: now)
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
      var effects = introduceAll(part.intros, by: sender, now: now)
      effects += receiveLevels(part.levels, from: sender, now: now)
      let (valid, more) = check(part.statements, from: sender, now: now)
      effects += more
      if let whole = assembly.add(valid, number: part.number, of: part.of, from: sender, now: now) {
        effects.append(.deliver(.snapshot(whole), from: sender))
      }
      return effects
    case .beat(let beat): return [.deliver(.beat(beat), from: sender)]
    case .have(let entries, let part, let count):
      let whole = haveAssembly.add(entries, part: part, of: count, from: sender, now: now)
      return whole.map { [.deliver(.have($0), from: sender)] } ?? []
    case .want(let keys): return [.deliver(.want(keys), from: sender)]
    case .who(let ids):
      guard introductionAnswers.spend(now: now) else { return [] }
      let intros = ids.compactMap { roster[$0]?.bytes }
      return intros.isEmpty ? [] : send(.update(statements: [], intros: intros), to: [sender], now: now)
    case .data, .notice, .foreground, .speaking, .request, .answer, .ignoring, .bye:
      return [.other(message, from: sender)]
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
      guard let author = roster[statement.author] else {
        unknown.insert(statement.author)
        if !pendingStatements.store(statement, relay: sender, now: now) {
          effects += refuse(sender, .unknownSender, now: now)
        }
        continue
      }
      if let proven = verified(statement, by: author) {
        valid.append(proven)
      } else {
        effects += refuse(sender, .signature, now: now)
      }
    }
    if !unknown.isEmpty {
      effects += askWho(Array(unknown.sorted().prefix(WireLimits.participants)), of: sender, now: now)
    }
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

  private mutating func askWho(_ ids: [ParticipantID], of member: ParticipantID, now: HostTime) -> [ChannelEffect] {
    introductionAsks.spend(now: now) ? send(.who(ids), to: [member], now: now) : []
  }

  func verified(_ statement: Statement, by author: Introduction) -> Statement? {
    guard let signed = statement.signed, statement.author == author.id,
      StatementSignature.verifies(signed, session: door.scope.session, author: author.signingKey)
    else { return nil }
    return statement
  }
}
