/// The Clocks register: one group time over all hubs (coordination 2.1).
extension Coordination {
  /// Maps the hub's clock onto group time where that is known (coordination 2.1).
  mutating func refreshClock() {
    guard membership.phase != .solo, let hub = clock.hub, let model = clock.hubModel else { return }
    let known = mapping(of: hub)
    let hasClocks = registers.statements.keys.contains { if case .clock = $0 { true } else { false } }
    if let known {
      adopt(model, known)
      if !apart.isApart { clock.guesses = nil }
    } else if !hasClocks, membership.joined, !clock.isKnown {
      // The session's first hub: group time is its clock, which only its founder knows for sure.
      adopt(model, ClockValue(offset: 0, error: membership.isFounder ? 0 : ClockValue.guess))
      if membership.isFounder, policies.allowsCommands(by: local) {
        write(.clock(hub), .clock(ClockValue(offset: 0, error: RegisterOrder.leastClockError)))
      }
    } else if membership.joined, clock.unmappedSince == nil {
      clock.unmappedSince = now
    }
  }

  /// What counts of a hub's clock; nil: nothing does. Who knows group time does not go by a guess of it, nor who has guessed it
  /// to be later, but maps the clock itself: it would be back in time, with stamps that are of the future to the others.
  private func mapping(of hub: ClockID) -> ClockValue? {
    guard let value = registers.clock(hub) else { return nil }
    guard value.isGuess, policies.allowsCommands(by: local) else { return value }
    let knows = clock.isKnown && !clock.isGuessed
    return knows || isBehind(value) ? nil : value
  }

  /// A guess is too early, never too late.
  private func isBehind(_ guess: ClockValue) -> Bool {
    guard let model = clock.hubModel, let latest = stampTime.map({ max($0, stamps.largestSeen) }) else { return false }
    return latest > model.remote(at: now).adding(guess.offset).adding(HybridClock.futureLimit)
  }

  /// Nobody has mapped the new hub's clock: the lowest id does at once, each next one half a second later.
  mutating func mapUnknownClock() {
    guard let since = clock.unmappedSince, let hub = clock.hub, let model = clock.hubModel, mapping(of: hub) == nil
    else {
      clock.unmappedSince = nil
      return
    }
    guard mayMapClock, now >= clockMappingTime(since: since) else { return }
    if apart.isApart, !clock.isKnown || clock.guesses != nil { clock.guesses = (clock.guesses ?? []).union([hub]) }
    let hubNow = model.remote(at: now)
    // What a machine that slept believes is too early, but something may have begun by it since.
    let latest = max(stampTime ?? 0, stamps.largestSeen, registers.statements.values.map(\.time).max() ?? 0)
    let group = clock.isKnown ? groupNow : latest
    let bound = (clock.isKnown ? clock.error(at: now) : 0).adding(model.error(at: now)) / 1_000
    let error = min(max(RegisterOrder.leastClockError, UInt32(clamping: bound)), ClockValue.guess - 1)
    let isGuess = !clock.isKnown || clock.isGuessed
    write(
      .clock(hub),
      .clock(ClockValue(offset: group.subtracting(hubNow), error: isGuess ? ClockValue.guess + error : error)))
    forgetOldClocks()
    clock.unmappedSince = nil
    let wasKnown = clock.isKnown || clock.isInDoubt
    refreshClock()
    if !wasKnown { stopAbandoned() }
  }

  var mayMapClock: Bool { membership.secured && policies.allowsCommands(by: local) }

  /// Nobody knew group time any more: what played on meanwhile, nobody watched (2.11).
  private mutating func stopAbandoned() {
    guard clock.isKnown else { return }
    for item in Set(registers.statements.keys.compactMap(\.item)).sorted() {
      guard let cells = registers.cells(of: item), cells.rate.rate != 0,
        let at = EffectiveState(cells).position(at: stamps.largestSeen)
      else { continue }
      writeRate(0, at: at, cells, on: item, waiting: false)
    }
  }

  /// Somebody comes back who may know group time: who would only guess it waits anew.
  mutating func waitWithGuess() {
    if clock.unmappedSince != nil, !clock.isKnown || clock.guesses != nil { clock.unmappedSince = now }
  }

  func clockMappingTime(since: HostTime) -> HostTime {
    let rank = presence.present.filter { $0 < local && policies.allowsCommands(by: $0) }.count
    // Who only guesses lets those speak first who know; if they did not, somebody has guessed already.
    let isGuessed = clock.hub.flatMap(registers.clock)?.isGuess ?? false
    let knows = clock.isKnown && clock.guesses == nil || isGuessed
    return since.adding(knows ? 0 : Parameters.clockLost).adding(Parameters.clockStep * Int64(min(rank, 8)))
  }

  private mutating func adopt(_ model: ClockModel, _ value: ClockValue) {
    let before: GroupTime? = clock.isKnown ? groupNow : nil
    let wasInDoubt = clock.isInDoubt
    let wasGuessed = clock.isGuessed
    let bound = clock.error(at: now)
    // Else it is the own measurement that changed.
    let isNews = clock.mapping.map { $0.hub != clock.hub || $0.value != value } ?? true
    var isPlaying = false
    if case .playing = host.issued { isPlaying = true }
    let lone = wasInDoubt ? loneLine : nil
    clock.adopt(model, value, at: now, mayStep: !isPlaying)
    clock.unmappedSince = nil
    if let lone { goOn(lone) }
    if wasInDoubt { leaveDoubt() }
    if let before, isNews, !wasGuessed { reportContradiction(before, within: bound.adding(clock.error(at: now))) }
    if let before, groupNow.subtracting(before).absolute > Parameters.sameFrame, case .playing = host.issued {
      host.issued = .nothing
      host.nextCause = .clock
      told.line = nil
    }
  }

  /// What the own item plays by commands that nobody else was told of; the line as from now.
  private var loneLine: EffectiveState.Playing? {
    guard let item = host.item, apart.written.contains(.rate(item)) || apart.written.contains(.position(item)),
      case .playing(var playing) = EffectiveState(registers.cells(of: item))
    else { return nil }
    let since = max(groupNow, playing.line.since)
    let at = playing.line.position(at: since)
    playing.line = Line(at: at, rate: playing.line.rate, since: since.subtracting(groupNow))
    return playing
  }

  /// After sleep group time goes on by as long as that was, and the own player, which stood or began since, does not: its
  /// line is continued from where it is, as nobody else plays by it.
  private mutating func goOn(_ lone: EffectiveState.Playing) {
    guard let item = host.item, policies.allowsCommands(by: local) else { return }
    write(
      .continuation(item),
      .continuation(
        ContinuationValue(
          base: lone.pair, sequence: lone.sequence &+ 1,
          kind: .line(coverage: 1, since: groupNow.adding(lone.line.since), at: lone.line.at, prior: nil))))
  }

  /// Somebody's word about the hub's clock, against what we knew of group time ourselves (wire 8.5).
  private mutating func reportContradiction(_ before: GroupTime, within bounds: Nanoseconds) {
    let step = clock.settled(at: now).subtracting(before)
    guard step.absolute > bounds.adding(Parameters.clockContradiction), let hub = clock.hub,
      let author = registers[.clock(hub)]?.said.author, author != local
    else { return }
    let name = value(of: author)?.displayName ?? ""
    notices.append(
      .log(
        .warning,
        "participant \(author)\(name.isEmpty ? "" : " (\(name))") says that the hub's clock is \(step / 1_000_000) ms from "
          + "where it was; playback follows it"
      ))
  }
}
