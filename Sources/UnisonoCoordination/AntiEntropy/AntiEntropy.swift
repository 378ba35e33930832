import UnisonoBase
import UnisonoReplica

/// Heartbeats, and the exchange of what was lost on the way (coordination 2.13).
struct AntiEntropy: Sendable {
  /// What a digest is made of.
  private struct DigestSources: Equatable, Sendable {
    var registers: UInt64
    var presence: UInt64
    /// Half-second tick while unoccupied items age; nil otherwise.
    var time: Int64?
  }

  /// Host time of the next heartbeat.
  private(set) var next: HostTime = .min
  private var last: HostTime = .min
  /// Beats in a row that differed from ours, by participant.
  private(set) var mismatches: [ParticipantID: Int] = [:]
  /// The last digest of each.
  private(set) var digests: [ParticipantID: [UInt8]] = [:]
  /// Participants that already received our heartbeat, hence our delay.
  private(set) var introduced: Set<ParticipantID> = []
  /// The own digest, and what it was made of.
  private var digest: (sources: DigestSources, value: [UInt8])?
  /// The part of it that is not of participants, whose positions move all the time; its registers are counted without these.
  private var lasting: (sources: DigestSources, sum: DigestSum)?
  /// Of each register the hash that goes into the digest, and of which statement it is: by its stamp and, as who lies signs two values
  /// with one stamp, by its bytes.
  private var hashes: [RegisterKey: (stamp: Stamp, body: [UInt8]?, sum: DigestSum)] = [:]
  /// The one exchange that is about to begin.
  private var exchange: (with: ParticipantID, at: HostTime)?
  /// Host time before which nothing is exchanged for what was missed.
  private var nextForMissed: HostTime = .min
  /// Others' clocks, by what heartbeats say of time.
  private(set) var clocks: ClockComparison
  /// Who hears whom, by what heartbeats say of it.
  private var hearing = Hearing()
  /// Jitter of heartbeats and exchanges; never of keys.
  private var random: SplitMix64

  /// - Parameter beats: the number before that of the first heartbeat.
  init(seed: UInt64, after beats: UInt32) {
    clocks = ClockComparison(after: beats)
    random = SplitMix64(seed: seed)
  }

  /// Host time at which the exchange begins.
  var exchangeWake: HostTime? { exchange?.at }

  /// Lets go of one participant.
  mutating func forget(_ id: ParticipantID) {
    mismatches[id] = nil
    digests[id] = nil
    introduced.remove(id)
    clocks.forget(id)
    hearing.forget(id)
  }

  /// Other registers begin: what was compared with the ones before says nothing of them.
  mutating func forgetDigests() {
    mismatches = [:]
    digests = [:]
    exchange = nil
  }

  /// A new link: nobody there knows our delay.
  mutating func beginLink() { introduced = [] }

  /// It came anew.
  mutating func meet(_ id: ParticipantID) {
    introduced.remove(id)
    clocks.forget(id)
  }

  /// The next heartbeat is due.
  mutating func beatSoon(at time: HostTime) { next = time }

  /// The own clock is another one: what others say of that has to be had anew. A clock that jumps all the time is no reason to beat
  /// more often than twice a second.
  mutating func compareSoon(now: HostTime) { next = min(next, max(now, last.adding(.milliseconds(500)))) }

  /// The own clock was measured or mapped anew.
  mutating func followClock(_ facts: borrowing Facts) { clocks.follow(facts) }

  mutating func sendHeartbeatIfDue(_ facts: borrowing Facts) -> [Intent] {
    guard facts.session.secured, facts.session.joined, facts.now >= next else { return [] }
    next = facts.now.adding(facts.heartbeatInterval.scaled(by: Double.random(in: 0.8...1.2, using: &random)))
    last = facts.now
    rememberDigest(facts)
    introduced = Set(facts.presence.byAge())
    return hearing.judge(facts) + [.send(.beat(ownBeat(facts)), to: nil)]
  }

  private mutating func ownBeat(_ facts: borrowing Facts) -> Beat {
    Beat(
      digest: digest(facts), newestStamp: facts.registers.statements.values.lazy.map { $0.time }.max() ?? 0,
      hubDelay: UInt32(clamping: (facts.clock.hubDelay ?? Parameters.unknownHubDelay) / 1_000),
      clockError: UInt32(clamping: facts.clock.error(at: facts.now) / 1_000), timing: clocks.stamp(facts),
      heard: hearing.bits(facts))
  }

  /// Who has come needs our delay for its leads, and gets it alone: were everybody to beat for all at each arrival, a room
  /// that fills would cost the cube of its size.
  private mutating func introduceDelay(to id: ParticipantID, _ facts: borrowing Facts) -> [Intent] {
    guard facts.session.joined, introduced.insert(id).inserted else { return [] }
    return [.send(.beat(ownBeat(facts)), to: id)]
  }

  mutating func receive(_ beat: Beat, from sender: ParticipantID, _ facts: borrowing Facts) -> [Intent] {
    digests[sender] = beat.digest
    hearing.receive(beat, from: sender, facts)
    rememberDigest(facts)
    let contradiction = clocks.receive(beat, from: sender, facts).map { [$0] } ?? []
    let introduction = contradiction + introduceDelay(to: sender, facts)
    guard facts.session.joined, beat.digest != digest(facts) else {
      mismatches[sender] = nil
      return introduction
    }
    let count = (mismatches[sender] ?? 0) + 1
    mismatches[sender] = count
    guard count >= 2, exchange == nil else { return introduction }
    exchange = (sender, facts.now.adding(Int64.random(in: 0...500_000_000, using: &random)))
    return introduction
  }

  /// Not all that these said came: the most senior of them is told what is here, unless it turns out that it has nothing else.
  mutating func miss(_ ids: [ParticipantID], _ facts: borrowing Facts) {
    guard facts.session.joined, let senior = facts.presence.byAge().first(where: { ids.contains($0) }) else { return }
    digests[senior] = nil
    exchange = (senior, max(facts.now.adding(Int64.random(in: 0...500_000_000, using: &random)), nextForMissed))
  }

  mutating func exchangeIfDue(_ facts: borrowing Facts) -> [Intent] {
    guard let exchange, facts.now >= exchange.at else { return [] }
    self.exchange = nil
    mismatches[exchange.with] = nil
    guard !facts.isApart, digests[exchange.with] != digest(facts) else { return [] }
    nextForMissed = facts.now.adding(Parameters.betweenMissed)
    return [.send(.have(ownEntries(facts)), to: exchange.with)]
  }

  /// Sends what the other lacks or has otherwise, and asks for what it has otherwise or alone.
  mutating func answer(_ entries: [HaveEntry], from sender: ParticipantID, _ facts: borrowing Facts) -> [Intent] {
    guard facts.session.joined, !facts.isApart else { return [] }
    var intents: [Intent] = []
    var theirs: [RegisterKey: HaveEntry] = [:]
    for entry in entries where theirs[entry.key].map({ $0.stamp < entry.stamp }) ?? true { theirs[entry.key] = entry }
    if theirs[.policy] != policyEntry(facts) {
      let levels = facts.policies.levels
      if !levels.isEmpty { intents.append(.send(.levels(levels), to: sender)) }
      if theirs[.policy] != nil { intents.append(.send(.want([.policy]), to: sender)) }
    }
    var differing: [Statement] = []
    for statement in includedStatements(facts) where theirs[statement.key] != entry(of: statement, facts) { differing.append(statement) }
    if !differing.isEmpty { intents.append(.send(.update(differing), to: sender)) }
    var wanted: [RegisterKey] = []
    for asked in entries where asked.key != .policy && asked != facts.registers[asked.key].map({ entry(of: $0, facts) }) {
      wanted.append(asked.key)
    }
    if !wanted.isEmpty { intents.append(.send(.want(wanted), to: sender)) }
    return intents
  }

  // MARK: The digest

  private func sources(_ facts: borrowing Facts, registers: UInt64) -> DigestSources {
    DigestSources(
      registers: registers, presence: facts.presence.revision,
      time: facts.occupancy.vacatedAt.isEmpty ? nil : facts.now / .milliseconds(500))
  }

  /// Others' beats come more often than registers change.
  private mutating func rememberDigest(_ facts: borrowing Facts) {
    let sources = sources(facts, registers: facts.registers.revision)
    guard digest?.sources != sources else { return }
    digest = (sources, makeDigest(facts))
  }

  private mutating func digest(_ facts: borrowing Facts) -> [UInt8] {
    rememberDigest(facts)
    return digest?.value ?? []
  }

  /// XOR of the hashes of all included registers, and of the levels in force.
  private mutating func makeDigest(_ facts: borrowing Facts) -> [UInt8] {
    // Of what is gone.
    if hashes.count > 2 * facts.registers.statements.count { hashes = [:] }
    var result = lastingSum(facts)
    for id in facts.registers.participants where facts.isPresent(id) {
      if let statement = facts.registers[.participant(id)] { result.mix(sum(of: statement, facts)) }
    }
    return result.bytes
  }

  private mutating func lastingSum(_ facts: borrowing Facts) -> DigestSum {
    // What ages is looked at whenever the digest is made.
    let ages = !facts.occupancy.vacatedAt.isEmpty
    let sources = sources(facts, registers: ages ? facts.registers.revision : facts.registers.visibleRevision)
    if let lasting, lasting.sources == sources { return lasting.sum }
    var result = DigestSum()
    for statement in facts.registers.statements.values where !statement.key.isParticipant && isIncluded(statement, facts) {
      result.mix(sum(of: statement, facts))
    }
    if let policyStamp = facts.policyStamp { result.mix(levelSum(author: policyStamp.author, facts)) }
    lasting = (sources, result)
    return result
  }

  private mutating func sum(of statement: Statement, _ facts: borrowing Facts) -> DigestSum {
    let body = statement.signed?.body
    if let known = hashes[statement.key], known.stamp == statement.stamp, known.body == body { return known.sum }
    let sum = DigestSum(facts.configuration.hash(facts.configuration.digestInput(statement)))
    hashes[statement.key] = (statement.stamp, body, sum)
    return sum
  }

  private func levelSum(author: ParticipantID, _ facts: borrowing Facts) -> DigestSum {
    DigestSum(facts.configuration.hash([RegisterKeyCoding.number(.policy)] + facts.policies.greatest.id.bytes + author.bytes))
  }

  private mutating func ownEntries(_ facts: borrowing Facts) -> [HaveEntry] {
    var entries: [HaveEntry] = []
    for statement in includedStatements(facts) { entries.append(entry(of: statement, facts)) }
    if let levels = policyEntry(facts) { entries.append(levels) }
    return entries
  }

  private mutating func entry(of statement: Statement, _ facts: borrowing Facts) -> HaveEntry {
    HaveEntry(key: statement.key, stamp: statement.stamp, sum: sum(of: statement, facts).prefix)
  }

  /// nil: no level stands on the origin.
  private func policyEntry(_ facts: borrowing Facts) -> HaveEntry? {
    facts.policyStamp.map { HaveEntry(key: .policy, stamp: $0, sum: levelSum(author: $0.author, facts).prefix) }
  }

  /// In a fixed order.
  private func includedStatements(_ facts: borrowing Facts) -> [Statement] {
    facts.registers.statements.values.filter { isIncluded($0, facts) }.sorted(by: Statement.precedes)
  }

  /// The digest covers present participants and continuations in force.
  private func isIncluded(_ statement: Statement, _ facts: borrowing Facts) -> Bool {
    if case .participant(let id) = statement.key {
      return facts.isPresent(id)
    }
    if let item = statement.key.item, facts.isFading(item) { return false }
    return !facts.registers.isStale(statement) || facts.registers.isAhead(statement)
  }
}

/// XOR of hashes of 32 bytes.
private struct DigestSum: Sendable {
  private var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)

  init() {}

  init(_ hash: [UInt8]) {
    func word(_ index: Int) -> UInt64 { hash.dropFirst(8 * index).prefix(8).reduce(0) { $0 << 8 | UInt64($1) } }
    words = (word(0), word(1), word(2), word(3))
  }

  mutating func mix(_ other: Self) {
    words.0 ^= other.words.0
    words.1 ^= other.words.1
    words.2 ^= other.words.2
    words.3 ^= other.words.3
  }

  /// As HAVE says it.
  var prefix: RegisterSum { RegisterSum(high: words.0, low: words.1) }

  var bytes: [UInt8] {
    var writer = ByteWriter()
    for word in [words.0, words.1, words.2, words.3] { writer.integer(word) }
    return writer.bytes
  }
}
