/// The Clocks register: one group time over all hubs (coordination 2.1).
extension Coordination {
  /// Maps the hub's clock onto group time where that is known (coordination 2.1).
  mutating func refreshClock() {
    guard membership.phase != .solo, let hub = clock.hub, let model = clock.hubModel else { return }
    let known = registers.clock(hub)
    let hasClocks = registers.statements.keys.contains { if case .clock = $0 { true } else { false } }
    if let known {
      adopt(model, known)
      if !apart.isApart { clock.guesses = nil }
    } else if !hasClocks, membership.joined, !clock.isKnown {
      // The session's first hub: group time is its clock.
      adopt(model, ClockValue(offset: 0, error: 0))
      if membership.isFounder, policies.allowsCommands(by: local) {
        write(.clock(hub), .clock(ClockValue(offset: 0, error: RegisterOrder.leastClockError)))
      }
    } else if membership.joined, clock.unmappedSince == nil {
      clock.unmappedSince = now
    }
  }

  /// Nobody has mapped the new hub's clock: the lowest id does at once, each next one half a second later.
  mutating func mapUnknownClock() {
    guard let since = clock.unmappedSince, let hub = clock.hub, let model = clock.hubModel, registers.clock(hub) == nil
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
    let error = (clock.isKnown ? clock.error(at: now) : 0).adding(model.error(at: now)) / 1_000
    write(
      .clock(hub),
      .clock(
        ClockValue(
          offset: group.subtracting(hubNow), error: max(RegisterOrder.leastClockError, UInt32(clamping: error)))))
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

  func clockMappingTime(since: HostTime) -> HostTime {
    let rank = presence.present.filter { $0 < local && policies.allowsCommands(by: $0) }.count
    // Who only guesses lets those speak first who know.
    let knows = clock.isKnown && clock.guesses == nil
    return since.adding(knows ? 0 : Parameters.clockLost).adding(Parameters.clockStep * Int64(min(rank, 8)))
  }

  private mutating func adopt(_ model: ClockModel, _ value: ClockValue) {
    let before: GroupTime? = clock.isKnown ? groupNow : nil
    let wasInDoubt = clock.isInDoubt
    let bound = clock.error(at: now)
    // Else it is the own measurement that changed.
    let isNews = clock.mapping.map { $0.hub != clock.hub || $0.value != value } ?? true
    var isPlaying = false
    if case .playing = host.issued { isPlaying = true }
    clock.adopt(model, value, at: now, mayStep: !isPlaying)
    clock.unmappedSince = nil
    if wasInDoubt { leaveDoubt() }
    if let before, isNews { reportContradiction(before, within: bound.adding(clock.error(at: now))) }
    if let before, groupNow.subtracting(before).absolute > Parameters.sameFrame, case .playing = host.issued {
      host.issued = .nothing
      host.nextCause = .clock
      told.line = nil
    }
  }

  /// Somebody's word about the hub's clock, against what we knew of group time ourselves (wire-and-security 8.5).
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
