import UnisonoBase
import UnisonoReplica

/// Others' clocks against the own one, by four times of two heartbeats that crossed (wire 8.7). A hub carries these times and can
/// forge none: it can only be slow, and then no more is hidden than it was slow. The own clock is as the hub tells it, also while
/// group time goes by another's: whether the hub tells the truth again shows by that only.
struct ClockComparison: Sendable {
  /// How another's group time compares with the own.
  struct Sample: Equatable, Sendable {
    /// Other minus own, ns.
    var offset: Nanoseconds
    /// What the path may hide of it, ns: half of the time that both messages were on their way.
    var doubt: Nanoseconds
    /// What the other's clock was said to be wrong by, and the own one, ns.
    var otherError: Nanoseconds
    var ownError: Nanoseconds
    /// Host time.
    var at: HostTime

    var errors: Nanoseconds { otherError.adding(ownError) }

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
    var stay: UInt64
  }

  private struct Peer: Sendable {
    /// The newest heartbeat: its number, when it came by the own group time and by host time, and in which stay.
    var received: (number: UInt32, group: GroupTime, at: HostTime, stay: UInt64)?
    /// The own heartbeat that it answered last.
    var answered: UInt32 = 0
    /// What it said of its own error lately, with host times.
    var errors: [(value: Nanoseconds, at: HostTime)] = []
    /// By age, with a doubt that grows: the first is the one of least doubt.
    var samples: [Sample] = []

    func sample(at now: HostTime) -> Sample? { samples.first { now.subtracting($0.at) <= Parameters.echoMemory } }
  }

  /// Own heartbeats and comparisons with one that are remembered.
  static let capacity = 128
  static let samples = 32
  /// Of the most senior, and of the others in turn.
  static let seniorEchoes = 8

  /// Of the own last heartbeat.
  private var number: UInt32
  private var sent: [Sent] = []
  private var peers: [ParticipantID: Peer] = [:]
  /// How far those are from the own one that contradict it, by their last heartbeats; hardly ever anybody.
  private var apart: [ParticipantID: Nanoseconds] = [:]
  /// Who of the others was answered last.
  private var lastInTurn: ParticipantID?
  /// The own clock as it was last seen, whose it was, and what that was in group time: it is another one if it did not go on from there.
  private var last: (model: ClockModel, hub: ClockID?, mapping: ClockValue?)?
  /// Counts the hubs by whose clock group time went, one after another: what is measured of one says nothing of times by another.
  private var stay: UInt64 = 0
  /// By how much it may be carried off now for that to be drift, ns, as of a host time: it is measured anew now sooner, now later.
  private var drift: (left: Nanoseconds, at: HostTime) = (Parameters.comparableDrift, .min)
  private var named = ClockContradictions()

  /// The number before that of the first heartbeat.
  init(after number: UInt32) { self.number = number }

  /// The comparison of least doubt within the last minute; nil: there is none.
  func sample(of id: ParticipantID, now: HostTime) -> Sample? {
    peers[id]?.sample(at: now)
  }

  /// Whose clocks contradict the own one, ascending.
  var contradicting: [ParticipantID] { apart.keys.sorted() }

  /// Nobody's clock contradicts the own one.
  var isConsistent: Bool { apart.isEmpty }

  /// How far another's clock is from the own one, if they contradict each other; 0: they agree. nil: they were not compared lately.
  func distance(of id: ParticipantID, now: HostTime) -> Nanoseconds? {
    guard let peer = peers[id], let received = peer.received, now.subtracting(received.at) <= Parameters.echoMemory else {
      return nil
    }
    return apart[id] ?? (peer.sample(at: now) == nil ? nil : 0)
  }

  /// How far the own group time, as the hub tells it, may be from any other one, ns: the greatest distance that was measured of those
  /// who are there, with what the path may hide of it. nil: nobody could be compared with.
  func checkedBound(_ facts: borrowing Facts) -> Nanoseconds? {
    let now = facts.now
    return facts.presence.present.compactMap { id in
      let measured = sample(of: id, now: now).map { $0.offset.absolute.adding($0.doubt) }
      // One that is ahead contradicts before it was measured.
      return [measured, distance(of: id, now: now).flatMap { $0 == 0 ? nil : $0.absolute }].compactMap { $0 }.max()
    }.max()
  }

  /// What group time is by another's clock. nil: it was not compared lately, or the own hub is not known.
  func correction(to id: ParticipantID, _ facts: borrowing Facts) -> ClockCorrection? {
    guard let hub = facts.clock.hub, let best = sample(of: id, now: facts.now) else { return nil }
    // A clock that drifts away goes on doing so until the next heartbeat.
    let step = facts.clock.correction.map { $0.hub == hub ? best.offset.subtracting($0.offset).absolute : 0 } ?? 0
    // What is more than that is no drift: it was set.
    let drift = min(step, Parameters.comparableDrift)
    return ClockCorrection(hub: hub, offset: best.offset, error: best.doubt.adding(best.errors).adding(drift))
  }

  mutating func forget(_ id: ParticipantID) {
    peers[id] = nil
    apart[id] = nil
  }

  // MARK: Out

  /// What the own heartbeat says of time; nil: group time is not known.
  mutating func stamp(_ facts: borrowing Facts) -> Beat.Timing? {
    guard follow(facts) else { return nil }
    number &+= 1
    sent.removeAll { facts.now.subtracting($0.at) > Parameters.echoMemory }
    if sent.count == Self.capacity { sent.removeFirst() }
    let (group, error) = facts.clock.told(at: facts.now)
    sent.append(Sent(number: number, group: group, error: error, at: facts.now, stay: stay))
    return Beat.Timing(
      sent: group, number: number, echoes: echoes(facts),
      error: facts.clock.correction == nil ? nil : UInt32(clamping: error / 1_000))
  }

  /// Of the eight most senior, and of eight others in turn.
  private mutating func echoes(_ facts: borrowing Facts) -> [Beat.Echo] {
    let known = facts.presence.byAge().filter { id in
      (peers[id]?.received).map { facts.now.subtracting($0.at) <= Parameters.echoMemory } ?? false
    }
    let seniority = facts.seniority
    let order = known.sorted { seniority.isSenior($0, $1) }
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
    let error = Nanoseconds.microseconds(Int64(beat.timing?.error ?? beat.clockError))
    guard follow(facts), facts.presence.entries[sender] != nil else { return nil }
    guard let timing = beat.timing, error <= Parameters.comparableError else {
      forget(sender)
      return nil
    }
    let now = facts.now
    // Of those who went nobody says so.
    if peers[sender] == nil, peers.count >= WireLimits.participants {
      for id in Array(peers.keys) where !facts.presence.isPresent(id, now: now) { forget(id) }
      guard peers.count < WireLimits.participants else { return nil }
    }
    var peer = peers[sender] ?? Peer()
    let (group, ownError) = facts.clock.told(at: now)
    peer.received = (timing.number, group, now, stay)
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
    let ahead = timing.sent.subtracting(group)
    let errors = error.adding(ownError).adding(Parameters.clockAgreement)
    var distance = ahead > errors ? ahead : nil
    // What was compared before was of a clock that was set since.
    if distance != nil, peer.samples.last?.agrees ?? false { peer.samples = [] }
    if distance == nil, let best = peer.samples.first, !best.agrees { distance = best.offset }
    apart[sender] = distance
    peers[sender] = peer
    return distance.flatMap { name(sender, $0, facts) }
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
    let (group, error) = facts.clock.told(at: facts.now)
    let ownError = max(own.error, error)
    let errors = theirError.adding(ownError)
    let held = timing.sent.subtracting(echo.received)
    let taken = group.subtracting(own.group)
    let doubt = taken.subtracting(held) / 2
    // Held for longer than the whole way took: the times are made up.
    guard held >= 0, taken >= 0, doubt >= -errors.adding(Parameters.clockAgreement) else { return nil }
    let offset = (echo.received.subtracting(own.group) / 2).adding(timing.sent.subtracting(group) / 2)
    return (
      Sample(offset: offset, doubt: max(0, doubt), otherError: theirError, ownError: ownError, at: facts.now), echo.number
    )
  }

  private mutating func name(_ id: ParticipantID, _ offset: Nanoseconds, _ facts: borrowing Facts) -> Intent? {
    let name = facts.registers.participant(id)?.displayName ?? ""
    return named.name(id, called: name, clockApartBy: offset, now: facts.now)
  }

  // MARK: The own clock

  /// Whether group time is known. Where the own clock was set what was compared is void; a rate that is wrong sets no clock, also where
  /// each measurement shows it as a small step.
  @discardableResult
  mutating func follow(_ facts: borrowing Facts) -> Bool {
    guard facts.clock.isKnown, facts.clock.knownSince != nil else {
      reset()
      last = nil
      return false
    }
    let (group, error) = facts.clock.told(at: facts.now)
    let (hub, mapping) = (facts.clock.mapping?.hub, facts.clock.mapping?.value)
    if let last {
      if hub != last.hub { stay += 1 }
      let moved = group.subtracting(last.model.remote(at: facts.now))
      let isSet = moved.absolute > max(error, last.model.errorBound).adding(Parameters.clockAgreement)
      // A measurement within the error, too, or a clock that drifts would seem to agree with who was compared with last. By another hub's
      // clock, too: the next measurements of that one carry it on from here.
      if moved != 0, mapping == last.mapping ? spendDrift(moved.absolute, now: facts.now) : !isSet {
        carry(by: moved, error: max(error, last.model.error(at: facts.now)))
      } else if isSet {
        reset()
      } else if moved != 0, mapping == last.mapping {
        carryArrivals(by: moved)
      }
    }
    last = (facts.clock.toldModel ?? ClockModel(hostTime: facts.now, remoteTime: group, errorBound: error), hub, mapping)
    return true
  }

  /// Whether a clock that drifts can have moved that far.
  private mutating func spendDrift(_ moved: Nanoseconds, now: HostTime) -> Bool {
    let since = now.subtracting(drift.at).scaled(by: Parameters.comparableRate)
    drift = (min(Parameters.comparableDrift, drift.left.adding(since)), now)
    guard moved <= drift.left else { return false }
    drift.left = drift.left.subtracting(moved)
    return true
  }

  /// The own clock was carried off by that much: all that is known is as that clock would have shown it, of all at once, or some would
  /// seem to agree with it still. But times by another hub's clock stay: each was right within what was said then. `error`: what it may be wrong by now, or could before; one that was just measured for the first time is
  /// carried by what it was wrong by.
  private mutating func carry(by moved: Nanoseconds, error: Nanoseconds) {
    for index in sent.indices where sent[index].stay == stay { sent[index].group = sent[index].group.adding(moved) }
    carryArrivals(by: moved)
    for id in Array(peers.keys) {
      guard var peer = peers[id] else { continue }
      for index in peer.samples.indices {
        peer.samples[index].offset = peer.samples[index].offset.subtracting(moved)
        peer.samples[index].ownError = max(peer.samples[index].ownError, error)
      }
      if let best = peer.samples.first {
        apart[id] = best.agrees ? nil : best.offset
      } else {
        apart[id] = apart[id].map { $0.subtracting(moved) }
      }
      peers[id] = peer
    }
  }

  /// The own clock was measured better: when others' heartbeats came is told by it, as what it was wrong by before is not said any more.
  private mutating func carryArrivals(by moved: Nanoseconds) {
    for id in Array(peers.keys) {
      guard let received = peers[id]?.received, received.stay == stay else { continue }
      peers[id]?.received?.group = received.group.adding(moved)
    }
  }

  private mutating func reset() {
    sent = []
    peers = [:]
    apart = [:]
  }
}
