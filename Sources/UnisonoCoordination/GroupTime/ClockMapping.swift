import UnisonoBase
import UnisonoReplica

/// The Clocks register: one group time over all hubs (coordination 2.1).
extension Facts {
  /// The clock that group time is to go by, and the least turn of what counts of it; nil: no hub is known.
  ///
  /// Of the clocks that can be read at the hub in use the one that was mapped last, so that all at all hubs of a service go by one. Where
  /// its hub has been gone for a while the own hub's is next, and is mapped anew, whatever was said of it in an earlier turn; but who does
  /// not know group time learns it by memory of that one first.
  func chosenClock() -> (clock: ClockID, leastTurn: UInt32)? {
    guard let own = hubClocks.own else { return nil }
    guard !hubClocks.isAlone else { return (own, 0) }
    var best: (clock: ClockID, value: ClockValue, said: Stamp)?
    for id in [own] + hubClocks.others(now: now) {
      guard let said = registers[.clock(id)]?.said, let value = registers.clock(id),
        counts(value, by: hubClocks.model(of: id))
      else { continue }
      if let best {
        let known = best.value.isGuess == value.isGuess ? 0 : value.isGuess ? -1 : 1
        if known < 0 || known == 0 && (value.turn, said) < (best.value.turn, best.said) { continue }
      }
      best = (id, value, said)
    }
    guard let best else { return (own, 0) }
    let turn = best.value.turn
    return hubClocks.isOver(best.clock, now: now) && clock.isKnown ? (own, max(turn, turn &+ 1)) : (best.clock, turn)
  }

  /// What counts of a hub's clock; nil: nothing does.
  func mapping(of hub: ClockID) -> ClockValue? {
    guard let value = registers.clock(hub), value.turn >= clock.leastTurn, counts(value, by: clock.hubModel) else { return nil }
    return value
  }

  /// Who knows group time does not go by a guess of it, nor who has guessed it to be later, but maps the clock itself: it would be back in
  /// time, with stamps that are of the future to the others.
  func counts(_ value: ClockValue, by model: ClockModel?) -> Bool {
    guard value.isGuess, policies.allowsCommands(by: local) else { return true }
    let knows = clock.isKnown && !clock.isGuessed
    return !knows && !isBehind(value, by: model)
  }

  /// A guess is too early, never too late.
  private func isBehind(_ guess: ClockValue, by model: ClockModel?) -> Bool {
    guard let model, let time = stampTime else { return false }
    // Who goes on from another day has no time of its own but what it heard then.
    let latest = session.isResumed && clock.isInDoubt ? stamps.largestSeen : max(time, stamps.largestSeen)
    return latest > model.remote(at: now).adding(guess.offset).adding(HybridClock.futureLimit)
  }

  /// Who is in doubt says nothing of clocks.
  var mayMapClock: Bool { session.secured && policies.allowsCommands(by: local) && !clockDoubt.isOwn(local) }

  /// Host time at which it is this participant's turn to map the hub's clock: the lowest id does at once, each next one half
  /// a second later.
  func clockMappingTime(since: HostTime) -> HostTime {
    let rank = presence.present.filter { $0 < local && policies.allowsCommands(by: $0) }.count
    // A participant with only a guess yields to those who know; if they did not speak, somebody has guessed already.
    let isGuessed = clock.hub.flatMap(registers.clock)?.isGuess ?? false
    // Who goes on from another day, and finds nobody, knows of nobody who could be about to return.
    let knows = clock.isKnown && clock.guesses == nil || isGuessed || session.isResumed && presence.isAlone
    return since.adding(knows ? 0 : Parameters.clockLost).adding(Parameters.clockStep * Int64(min(rank, 8)))
  }

  /// What the hub's clock, mapped from here, would be in group time.
  func ownMapping(of model: ClockModel) -> ClockValue {
    let hubNow = model.remote(at: now)
    // What a machine that slept believes is too early, but something may have begun by it since.
    let latest = max(stampTime ?? 0, stamps.largestSeen, registers.statements.values.map { $0.time }.max() ?? 0)
    let group = clock.isKnown ? groupNow : latest
    let bound = (clock.isKnown ? clock.error(at: now) : 0).adding(model.error(at: now)) / 1_000
    let error = min(max(RegisterOrder.leastClockError, UInt32(clamping: bound)), ClockValue.guess - 1)
    let isGuess = !clock.isKnown || clock.isGuessed
    return ClockValue(
      offset: group.subtracting(hubNow), error: isGuess ? ClockValue.guess + error : error, turn: clock.leastTurn)
  }

  /// The pause of an item that ran when group time was lost: it is treated as abandoned (2.11). nil: it does not run.
  func abandonedPause(of item: ItemID) -> Intent? {
    guard let cells = registers.cells(of: item), cells.rate.rate != 0,
      let at = EffectiveState(cells).position(at: stamps.largestSeen)
    else { return nil }
    return rateWrite(0, at: at, cells, on: item, waiting: false)
  }

  /// How far a statement about the clock of the hub in use is from what is measured here, if that is more than both may be off; nil: it is
  /// not, or cannot be judged. Hubs' clocks never jump under one clock id. Of the error that a statement gives itself no more counts
  /// than may be off here, or `Parameters.clockDoubt`: it is its author's word (wire 8.5). Who slept goes by what it knew before.
  func distance(of statement: Statement) -> Nanoseconds? {
    guard case .clock(let hub) = statement.key, case .clock(let value) = statement.value, !value.isGuess,
      statement.author != local, clock.hub == hub, let anchor = clock.anchor, let own = clock.judgedError(at: now)
    else { return nil }
    let distance = value.offset.subtracting(anchor.offset)
    let limit = own.adding(min(value.bound, max(own, Parameters.clockDoubt))).adding(Parameters.clockTolerance)
    return distance.absolute > limit ? distance : nil
  }

  /// How far from what is known of group time another hub's clock would be, if that is more than both may be off, and two hubs' clocks
  /// may have drifted apart since group time went by the last one's; nil: it is not, or cannot be judged (wire 8.5).
  func distance(of value: ClockValue, measuredBy model: ClockModel) -> Nanoseconds? {
    guard let hub = clock.hub, let anchor = clock.anchor, anchor.hub != hub, clock.isCertain, !value.isGuess,
      let author = registers[.clock(hub)]?.said.author, author != local
    else { return nil }
    let step = model.remote(at: now).adding(value.offset).subtracting(clock.settled(at: now))
    // Where both can be read here it is known how far they drifted.
    let isRead = anchor.hub.map { hubClocks.model(of: $0) != nil } ?? false
    let drift = isRead ? 0 : Parameters.hubDrift(over: now.subtracting(anchor.since))
    let own = clock.error(at: now).adding(model.error(at: now)).adding(drift)
    let limit = own.adding(min(value.bound, max(own, Parameters.clockDoubt))).adding(Parameters.clockTolerance)
    return step.absolute > limit ? step : nil
  }
}
