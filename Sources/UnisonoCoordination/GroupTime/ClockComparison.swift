import UnisonoBase
import UnisonoReplica

/// Others' clocks against the own one, by four times of two heartbeats that crossed (wire 8.7). A hub carries these times and can
/// forge none: it can only be slow, and then no more is hidden than it was slow.
struct ClockComparison: Sendable {
  /// How another's group time compares with the own.
  struct Sample: Equatable, Sendable {
    /// Other minus own, ns.
    var offset: Nanoseconds
    /// What the path may hide of it, ns: half of the time that both messages were on their way.
    var doubt: Nanoseconds
    /// What both clocks were said to be wrong by, ns.
    var errors: Nanoseconds
    /// Host time.
    var at: HostTime

    var agrees: Bool { offset.absolute <= doubt.adding(errors).adding(Parameters.clockAgreement) }

    /// Both can be true: neither clock was set between them.
    func fits(_ other: Self) -> Bool {
      offset.subtracting(other.offset).absolute
        <= doubt.adding(other.doubt).adding(errors).adding(other.errors).adding(Parameters.clockAgreement)
    }
  }

  private struct Sent: Sendable {
    var number: UInt32
    var group: GroupTime
    var error: Nanoseconds
    var at: HostTime
  }

  private struct Peer: Sendable {
    /// The newest heartbeat: its number, and when it came by the own group time and by host time.
    var received: (number: UInt32, group: GroupTime, at: HostTime)?
    /// The own heartbeat that it answered last.
    var answered: UInt32 = 0
    /// What it said of its own error lately, with host times.
    var errors: [(value: Nanoseconds, at: HostTime)] = []
    /// By age, with a doubt that grows: the first is the one of least doubt.
    var samples: [Sample] = []
    /// By its last heartbeat.
    var contradicts = false
  }

  /// Own heartbeats and comparisons with one that are remembered.
  static let capacity = 128
  static let samples = 32
  /// Of the longest there, and of the others in turn.
  static let seniorEchoes = 8

  private var number: UInt32 = 0
  private var sent: [Sent] = []
  private var peers: [ParticipantID: Peer] = [:]
  /// Who of the others was answered last.
  private var lastInTurn: ParticipantID?
  /// The own clock as it was last seen: it is another one if it did not go on from there.
  private var last: (host: HostTime, group: GroupTime, error: Nanoseconds)?
  private var named = ClockContradictions()

  /// The comparison of least doubt within the last minute; nil: there is none.
  func sample(of id: ParticipantID, now: HostTime) -> Sample? {
    peers[id]?.samples.first { now.subtracting($0.at) <= Parameters.echoMemory }
  }

  /// Whose clocks contradict the own one, ascending.
  var contradicting: [ParticipantID] { peers.filter { $0.value.contradicts }.map { $0.key }.sorted() }

  mutating func forget(_ id: ParticipantID) { peers[id] = nil }

  // MARK: Out

  /// What the own heartbeat says of time; nil: group time is not known.
  mutating func stamp(_ facts: borrowing Facts) -> Beat.Timing? {
    guard follow(facts) else { return nil }
    number &+= 1
    sent.removeAll { facts.now.subtracting($0.at) > Parameters.echoMemory }
    if sent.count == Self.capacity { sent.removeFirst() }
    sent.append(Sent(number: number, group: facts.groupNow, error: facts.clock.error(at: facts.now), at: facts.now))
    return Beat.Timing(sent: facts.groupNow, number: number, echoes: echoes(facts))
  }

  /// Of the eight most senior, owners first and then those who are there for longest, and of eight others in turn.
  private mutating func echoes(_ facts: borrowing Facts) -> [Beat.Echo] {
    let known = facts.presence.byAge().filter { id in
      (peers[id]?.received).map { facts.now.subtracting($0.at) <= Parameters.echoMemory } ?? false
    }
    let owners = Set(facts.policies.terms.owners)
    let order = known.filter(owners.contains) + known.filter { !owners.contains($0) }
    var chosen = Array(order.prefix(Self.seniorEchoes))
    let others = order.dropFirst(Self.seniorEchoes).sorted()
    let first = lastInTurn.flatMap { last in others.firstIndex { last < $0 } } ?? 0
    let turn = (others[first...] + others[..<first]).prefix(WireLimits.echoes - Self.seniorEchoes)
    if let last = turn.last { lastInTurn = last }
    chosen += turn
    return chosen.compactMap { id in
      (peers[id]?.received).map { Beat.Echo(of: id, number: $0.number, received: $0.group) }
    }
  }

  // MARK: In

  /// Takes in what another's heartbeat says of time. The line that names it, where its clock contradicts the own one.
  mutating func receive(_ beat: Beat, from sender: ParticipantID, _ facts: borrowing Facts) -> Intent? {
    let error = Nanoseconds.microseconds(Int64(beat.clockError))
    guard follow(facts), facts.presence.entries[sender] != nil else { return nil }
    guard let timing = beat.timing, error <= Parameters.comparableError else {
      peers[sender] = nil
      return nil
    }
    let now = facts.now
    // Of those who were let go nobody says so.
    if peers[sender] == nil, peers.count >= WireLimits.participants {
      peers = peers.filter { facts.presence.entries[$0.key] != nil }
      guard peers.count < WireLimits.participants else { return nil }
    }
    var peer = peers[sender] ?? Peer()
    peer.received = (timing.number, facts.groupNow, now)
    peer.errors.removeAll { now.subtracting($0.at) > Parameters.echoMemory || $0.value <= error }
    if peer.errors.count == Self.samples { peer.errors.removeFirst() }
    peer.errors.append((error, now))
    let sample = compare(timing, with: peer, facts)
    peer.samples.removeAll { now.subtracting($0.at) > Parameters.echoMemory }
    if let sample {
      peer.answered = sample.answered
      // What came before was of a clock that was set since, or that drifts away.
      if !sample.value.agrees || peer.samples.last.map({ !$0.fits(sample.value) }) ?? false { peer.samples = [] }
      peer.samples.removeAll { $0.doubt >= sample.value.doubt }
      if peer.samples.count < Self.samples { peer.samples.append(sample.value) }
    }
    // Sent after it came, by the sender's clock: no path hides that.
    let ahead = timing.sent.subtracting(facts.groupNow)
    let errors = error.adding(facts.clock.error(at: now)).adding(Parameters.clockAgreement)
    var apart = ahead > errors ? ahead : nil
    if apart == nil, let best = peer.samples.first, !best.agrees { apart = best.offset }
    peer.contradicts = apart != nil
    peers[sender] = peer
    return apart.flatMap { name(sender, $0, facts) }
  }

  /// nil: it answers none of the own heartbeats, or none that it had not answered, or with times that cannot be.
  private func compare(
    _ timing: Beat.Timing, with peer: Peer, _ facts: borrowing Facts
  ) -> (value: Sample, answered: UInt32)? {
    guard let echo = timing.echoes.first(where: { $0.of == facts.local }), echo.number > peer.answered,
      let own = sent.first(where: { $0.number == echo.number }),
      facts.now.subtracting(own.at) <= Parameters.echoMemory
    else { return nil }
    let theirError = peer.errors.reduce(0) { max($0, $1.value) }
    let errors = theirError.adding(max(own.error, facts.clock.error(at: facts.now)))
    let held = timing.sent.subtracting(echo.received)
    let taken = facts.groupNow.subtracting(own.group)
    let doubt = taken.subtracting(held) / 2
    // Held for longer than the whole way took: the times are made up.
    guard held >= 0, taken >= 0, doubt >= -errors.adding(Parameters.clockAgreement) else { return nil }
    let offset = (echo.received.subtracting(own.group) / 2).adding(timing.sent.subtracting(facts.groupNow) / 2)
    return (Sample(offset: offset, doubt: max(0, doubt), errors: errors, at: facts.now), echo.number)
  }

  private mutating func name(_ id: ParticipantID, _ offset: Nanoseconds, _ facts: borrowing Facts) -> Intent? {
    let name = facts.registers.participant(id)?.displayName ?? ""
    return named.name(id, called: name, clockApartBy: offset, now: facts.now)
  }

  // MARK: The own clock

  /// Whether group time is known. Where it does not go on from where it was, what was compared is void.
  private mutating func follow(_ facts: borrowing Facts) -> Bool {
    guard facts.clock.isKnown, facts.clock.knownSince != nil else {
      reset()
      last = nil
      return false
    }
    let (host, group, error) = (facts.now, facts.groupNow, facts.clock.error(at: facts.now))
    if let last {
      let moved = group.subtracting(last.group).subtracting(host.subtracting(last.host))
      if moved.absolute > max(error, last.error).adding(Parameters.clockAgreement) { reset() }
    }
    last = (host, group, error)
    return true
  }

  private mutating func reset() {
    sent = []
    peers = [:]
  }
}
