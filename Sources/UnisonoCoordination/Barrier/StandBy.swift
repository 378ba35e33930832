import UnisonoBase
import UnisonoReplica

/// Getting ready while the group pauses, so that the next start waits for nobody (coordination 2.23).
///
/// A host that wants it gets ready once the pause has lasted for a moment, and says so as it does of any start; who plays then, while
/// everybody is, writes the start together with the command. It spares the way there and back that readiness takes otherwise.
struct StandBy: Sendable {
  /// A pause that lasts: what one is ready for there, and since when, as seen here.
  private var pause: (start: ParticipantValue.Readiness, since: HostTime)?
  /// The host was told to get ready there.
  private var isTold = false

  /// Where the host is to get ready by now, and for what; nil: nowhere, or it was told. `rests`: whether it stands there, and owes no
  /// answer.
  mutating func due(_ facts: borrowing Facts, rests: (ItemTime) -> Bool) -> LocalPlayer.Preparing? {
    guard let preparing = facts.standBy else {
      pause = nil
      return nil
    }
    if pause?.start != preparing.readiness {
      pause = (preparing.readiness, facts.now)
      isTold = false
    }
    guard !isTold, let since = pause?.since, facts.now >= since.adding(Parameters.standBy), rests(preparing.at) else { return nil }
    isTold = true
    return preparing
  }

  /// The host is not ready any more, as it did something else meanwhile: it gets ready again if the pause lasts.
  mutating func restart() { pause = nil }

  /// Host time at which the host is to get ready.
  func wake(_ facts: borrowing Facts) -> HostTime? {
    guard let pause, !isTold else { return nil }
    let time = pause.since.adding(Parameters.standBy)
    return time > facts.now ? time : nil
  }
}

extension Facts {
  /// What one is ready for where an item pauses; nil: it does not, or by its end, from where nothing starts.
  func pausedStart(of cells: Cells) -> LocalPlayer.Preparing? {
    guard cells.rate.rate == 0, case .paused(let at) = EffectiveState(cells) else { return nil }
    return LocalPlayer.Preparing(readiness: ParticipantValue.Readiness(base: cells.pair, sequence: 0), at: at)
  }

  /// The same, where the own host gets ready ahead: with others on the item, who are not so many that telling all of them costs more
  /// than it spares. With an output offset a player starts elsewhere than where it shows the picture at which the group pauses.
  var standBy: LocalPlayer.Preparing? {
    guard settings.preparesAhead, settings.outputOffset == 0, session.phase == .member, session.linked, !isApart, own.ended == nil, let item = own.item,
      let cells = registers.cells(of: item), let preparing = pausedStart(of: cells),
      roster.others(on: item).count < Parameters.mostStandingBy, !isAlone(on: item)
    else { return nil }
    return preparing
  }

  /// A play that waits for nobody, as all for whom it would wait stand by where the group pauses; nil: somebody does not, or it waits for
  /// something else. At the usual rate: nobody is ready for another.
  func startFromStandBy(
    _ rate: Double, _ cells: Cells, on item: ItemID, ownFrame: (ItemTime) -> ItemTime
  ) -> [Intent]? {
    guard rate == 1, let preparing = pausedStart(of: cells), session.phase == .member, session.linked, !isApart, !isOwnLinkFresh,
      readyWait(for: cells) == nil, !isSettling(on: item),
      scheduledInstant(commanded: groupNow, on: item) == nil,
      let count = standingBy(for: preparing.readiness, on: item), count > 1
    else { return nil }
    let since = groupNow.adding(startLead(on: item))
    return [
      rateWrite(rate, at: ownFrame(preparing.at), cells, on: item, waiting: true),
      .continuePair(
        of: item, sequence: 1, kind: .line(coverage: UInt16(clamping: count), since: since, at: nil, prior: nil)),
    ]
  }

  /// How many are ready where the item pauses; nil: not all for whom a play would wait.
  private func standingBy(for start: ParticipantValue.Readiness, on item: ItemID) -> Int? {
    let (silence, waits) = (silence, settings.waits)
    var count = 0
    for id in participants(on: item) where isHeard(id, within: silence) && !missed.isGivenUp(id) {
      guard let value = value(of: id) else { return nil }
      if !isWaitedFor(value, waits: waits) { continue }
      guard isReady(id, for: start) else { return nil }
      count += 1
    }
    return count
  }
}
