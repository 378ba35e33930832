/// Saying that one is there, and noticing that something was lost (coordination 2.13).
struct Heartbeat: Sendable {
  /// Host time of the next one.
  var next: HostTime = .min
  /// Beats in a row that differed from ours, by participant.
  var mismatches: [ParticipantID: Int] = [:]
  /// The last digest of each.
  var digests: [ParticipantID: [UInt8]] = [:]
  /// Whom a beat of ours reached since they came: they know our delay.
  var greeted: Set<ParticipantID> = []
  /// The own digest, and what it was made of.
  var digest: (sources: DigestSources, value: [UInt8])?
  /// The one exchange that is about to begin.
  var exchange: (with: ParticipantID, at: HostTime)?

  mutating func forget(_ id: ParticipantID) {
    mismatches[id] = nil
    digests[id] = nil
    greeted.remove(id)
  }
}

/// What a digest is made of.
struct DigestSources: Equatable, Sendable {
  var registers: UInt64
  var presence: UInt64
  /// Half seconds of host time while there are items that nobody has, which fade with time.
  var time: Int64?
}

extension Coordination {
  /// Without its jitter.
  var heartbeatInterval: Nanoseconds {
    let byCount = Parameters.leastHeartbeat.scaled(by: Double(sessionCount) / 8)
    return min(max(Parameters.leastHeartbeat, byCount), Parameters.greatestHeartbeat)
  }

  mutating func beat() {
    guard membership.secured, membership.joined, now >= heartbeat.next else { return }
    heartbeat.next = now.adding(heartbeatInterval.scaled(by: Double.random(in: 0.8...1.2, using: &random)))
    rememberDigest()
    broadcast(.beat(ownBeat))
    heartbeat.greeted = Set(presence.byAge())
  }

  private var ownBeat: Beat {
    Beat(
      digest: digest, newestStamp: registers.statements.values.map(\.time).max() ?? 0,
      hubDelay: UInt32(clamping: (clock.hubDelay ?? Parameters.unknownHubDelay) / 1_000),
      clockError: UInt32(clamping: clock.error(at: now) / 1_000))
  }

  /// Who has come needs our delay for its leads, and gets it alone: were everybody to beat for all at each arrival, a room
  /// that fills would cost the cube of its size.
  private mutating func greet(_ id: ParticipantID) {
    guard membership.joined, heartbeat.greeted.insert(id).inserted else { return }
    direct(.beat(ownBeat), to: id)
  }

  mutating func takeBeat(_ beat: Beat, from sender: ParticipantID) {
    presence.measure(
      sender, hubDelay: .microseconds(Int64(beat.hubDelay)), clockError: .microseconds(Int64(beat.clockError)))
    heartbeat.digests[sender] = beat.digest
    rememberDigest()
    greet(sender)
    guard membership.joined, beat.digest != digest else {
      heartbeat.mismatches[sender] = nil
      return
    }
    let count = (heartbeat.mismatches[sender] ?? 0) + 1
    heartbeat.mismatches[sender] = count
    guard count >= 2, heartbeat.exchange == nil else { return }
    heartbeat.exchange = (sender, now.adding(Int64.random(in: 0...500_000_000, using: &random)))
  }

  mutating func exchangeIfDue() {
    guard let exchange = heartbeat.exchange, now >= exchange.at else { return }
    heartbeat.exchange = nil
    heartbeat.mismatches[exchange.with] = nil
    guard !apart.isApart, heartbeat.digests[exchange.with] != digest else { return }
    direct(.have(ownEntries), to: exchange.with)
  }

  /// Sends what the other lacks or has otherwise, and asks for what it has otherwise or alone.
  mutating func takeHave(_ entries: [HaveEntry], from sender: ParticipantID) {
    guard membership.joined, !apart.isApart else { return }
    let theirs = Dictionary(entries.map { ($0.key, $0.stamp) }, uniquingKeysWith: max)
    let mine = includedStatements
    if theirs[.policy] != policyStamp {
      tellPolicies(to: sender)
      if theirs[.policy] != nil { direct(.want([.policy]), to: sender) }
    }
    let differing = mine.filter { theirs[$0.key] != $0.stamp }
    if !differing.isEmpty { direct(.update(differing), to: sender) }
    let wanted = entries.filter { $0.key != .policy && registers[$0.key]?.stamp != $0.stamp }.map(\.key)
    if !wanted.isEmpty { direct(.want(wanted), to: sender) }
  }

  private var digestSources: DigestSources {
    DigestSources(
      registers: registers.revision, presence: presence.revision,
      time: lastOn.isEmpty ? nil : now / .milliseconds(500))
  }

  /// Others' beats come more often than registers change.
  private mutating func rememberDigest() {
    let sources = digestSources
    guard heartbeat.digest?.sources != sources else { return }
    heartbeat.digest = (sources, makeDigest())
  }

  private var digest: [UInt8] {
    if let digest = heartbeat.digest, digest.sources == digestSources { return digest.value }
    return makeDigest()
  }

  /// XOR of the hashes of register, key, stamp and author of all included registers.
  private func makeDigest() -> [UInt8] {
    var result = [UInt8](repeating: 0, count: 32)
    for statement in registers.statements.values where isIncluded(statement) {
      mix(statement.digestInput, into: &result)
    }
    if let policyStamp {
      let input = [RegisterKeyCoding.number(.policy)] + policies.greatest.id.bytes + policyStamp.author.bytes
      mix(input, into: &result)
    }
    return result
  }

  private func mix(_ input: [UInt8], into digest: inout [UInt8]) {
    for (index, byte) in zip(digest.indices, configuration.hash(input)) { digest[index] ^= byte }
  }

  private var ownEntries: [HaveEntry] {
    includedStatements.map { HaveEntry(key: $0.key, stamp: $0.stamp) }
      + (policyStamp.map { [HaveEntry(key: .policy, stamp: $0)] } ?? [])
  }

  /// In a fixed order.
  private var includedStatements: [Statement] {
    registers.statements.values.filter { isIncluded($0) }.sorted { $0.stamp < $1.stamp }
  }

  /// Of participants the present ones count, of continuations those in force.
  private func isIncluded(_ statement: Statement) -> Bool {
    if case .participant(let id) = statement.key { return id == local || presence.isPresent(id, now: now) }
    if let item = statement.key.item, isFading(item) { return false }
    return !registers.isStale(statement)
  }
}

extension Statement {
  /// Register number, key, stamp time and author, as hashed for digests.
  fileprivate var digestInput: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(64)
    switch key {
    case .clock(let id): bytes.append(1, id.high, id.low)
    case .policy: bytes.append(2)
    case .end: bytes.append(3)
    case .activity: bytes.append(4)
    case .rate(let item): bytes += [5] + item.utf8
    case .position(let item): bytes += [6] + item.utf8
    case .continuation(let item): bytes += [7] + item.utf8
    case .participant(let id): bytes.append(8, id.high, id.low)
    case .stallPolicy: bytes.append(9)
    }
    for word in [UInt64(bitPattern: time), author.high, author.low] { bytes.append(bigEndian: word) }
    return bytes
  }
}

extension [UInt8] {
  fileprivate mutating func append(_ number: UInt8, _ high: UInt64, _ low: UInt64) {
    append(number)
    append(bigEndian: high)
    append(bigEndian: low)
  }

  fileprivate mutating func append(bigEndian word: UInt64) {
    for shift in stride(from: UInt64(56), through: 0, by: -8) { append(UInt8(truncatingIfNeeded: word >> shift)) }
  }
}
