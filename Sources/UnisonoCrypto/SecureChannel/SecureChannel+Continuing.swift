import UnisonoBase
import UnisonoReplica
import UnisonoWire

/// Going on from another day: what of a room is kept for it, and beginning with that (wire 8.25).
extension SecureChannel {
  /// The record that is spoken in, with its key and what proves it to anybody, and introductions of `authors`; nil: there is none yet.
  ///
  /// - Parameter effects: of a step of its own, where it could not be shown how the record's author came in.
  package mutating func continuation(
    introducing authors: Set<ParticipantID>, effects: inout [ChannelEffect], now: HostTime
  ) -> (text: WelcomeText, chain: Secret)? {
    guard isSecured, !isRetired, let first = speaking.current, let entry = book[first] else { return nil }
    if book.proof(of: [local, entry.record.author], founding: entry.founding) == nil {
      guard let told = makeRecord(admitting: [], now: now) else { return nil }
      effects += told
    }
    guard let current = speaking.current, let entry = book[current], let chain = keys[current],
      let founding = book[entry.founding]?.record,
      let proof = book.proof(
        of: [local] + (entry.record.body.kind == .step ? [entry.record.author] : []), founding: entry.founding)
    else { return nil }
    let shown = Set(([founding, entry.record] + proof).map { $0.author } + levels.map { $0.author })
    let intros = shown.union(authors).subtracting([local]).sorted().compactMap { introductions[$0]?.bytes }
    guard intros.count <= WireLimits.introsPerMessage else { return nil }
    return (
      WelcomeText(
        record: entry.record.bytes, proof: ([founding] + proof).map { $0.bytes }, levels: levels.map { $0.bytes }, intros: intros,
        roster: entry.roster),
      chain
    )
  }

  /// Signed bytes of statements whose authors are introduced here; others are left out.
  package func signed(_ statements: [Statement]) -> [SignedStatement] {
    statements.compactMap { $0.author == local || introductions[$0.author] != nil ? sign($0) : nil }
  }

  /// Begins with what another day left, before the first link; false: it does not prove that the key is the group's, and nothing
  /// changed.
  package mutating func resume(_ text: WelcomeText, chain: Secret, now: HostTime) -> Bool {
    var known = [local: introduction]
    for bytes in text.intros {
      guard let one = try? Introduction(verifying: bytes, session: door.scope.session), one.id != local else { continue }
      known[one.id] = one
    }
    guard
      let proven = ProvenRecord(
        text, chain: chain, welcomer: local, newcomer: local, root: root, keys: known.mapValues { $0.signingKey },
        scope: door.scope)
    else { return false }
    for one in known.values { _ = introductions.add(one) }
    book.add(proven)
    keys.hold(proven.record.id, chain, spoken: proven.record.id, now: now)
    speaking.begin(proven.record.id, now: now)
    setPolicy(levels: proven.levels)
    cameIn = now
    freshness.begin(now: now)
    // Whoever is met may be keys ahead.
    linkLost = .min
    return true
  }

  /// The number of the last lane, and of one after which the next lane's comes.
  package var lastLane: UInt32 { lane.index }
  package mutating func beginLanes(after index: UInt32) { lane = Lane(index: index, random: 0) }

  /// Statements whose authors are introduced here and signed them; others are left out.
  package func verified(_ statements: [SignedStatement]) -> [Statement] {
    statements.compactMap { signed in
      guard var statement = try? StatementBody.decode(signed.body), let author = introductions[statement.author] else { return nil }
      statement.signed = signed
      return verified(statement, by: author)
    }
  }

  /// Levels that their authors signed.
  package func verified(levels: [[UInt8]]) -> [PolicyLevel] {
    levels.compactMap { bytes in
      guard let level = try? PolicyLevel(reading: bytes, hash: Hash.sha256), let author = introductions[level.author],
        PolicySignature.verifies(level, session: door.scope.session, author: author.signingKey)
      else { return nil }
      return level
    }
  }
}
