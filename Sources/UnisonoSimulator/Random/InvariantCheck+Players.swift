import UnisonoBase
import UnisonoCoordination
import UnisonoPlayer

/// What must hold of the library's players when everything has been quiet for long.
extension InvariantCheck {
  /// Nothing corrects itself later than this before the end.
  private static let rest = Nanoseconds.seconds(12)
  /// Who came out of a range of its own is back within a film frame by then.
  private static let wayBack = Nanoseconds.seconds(2)
  private static let frame = Nanoseconds.milliseconds(40)

  /// (b): a player that takes part is where the group is, as close as its renderer allows, and shows that.
  func checkRenderer(
    of participant: Participant, _ layer: PlayerLayer, _ view: CoordinationView, on item: ItemID, isPlaced: Bool
  ) {
    guard view.timing.status == .playing || view.timing.status == .paused else { return }
    let media = layer.player.view
    let rate = view.timing.status == .playing ? view.timing.line.rate : 0
    let host = participant.clock.host(at: room.now)
    if rate > 0, isBeforeBeginning(participant) { return checkWaiting(participant, layer, at: host) }
    let lastInRange = rate != 0 ? interstitialTimes(of: participant).last : nil
    // Out of a range it has a seek to make.
    if let lastInRange, lastInRange > room.now - Self.wayBack { return }
    guard media.rate == rate, (media.timeControl.status == .playing) == (rate != 0) else {
      let shown = "\(media.timeControl.status) at \(media.rate)"
      return room.violate("b", "\(participant.name)'s player shows \(shown) on \(item), its group plays at \(rate)")
    }
    let runs = layer.renderer.motion.rate
    guard (runs != 0) == (rate != 0), abs(runs - rate) <= abs(rate) * 0.05 else {
      return room.violate("b", "\(participant.name)'s renderer runs at \(runs) on \(item), its group at \(rate)")
    }
    var group = Person(room: room, participant: participant).groupPosition
    if wasBeforeBeginning(participant) {
      // No renderer goes there: it stands at the beginning. Backwards it ends there, and forwards it has just begun.
      guard rate == 0 else { return }
      group = max(beginning(of: participant), group)
    }
    let away = layer.renderer.position(at: host) - group - view.timing.outputOffset.scaled(by: rate)
    var bound = rate == 0 ? standingBound(layer) : runningBound(layer).scaled(by: max(1, abs(rate)))
    if let lastInRange, lastInRange > room.now - Self.rest { bound = max(bound, Self.frame.scaled(by: abs(rate))) }
    if rate != 0 || isPlaced && view.timing.status == .paused, away.absolute > bound {
      room.violate(
        "b", "\(participant.name)'s renderer is \(away / 1_000) us from its group on \(item), \(bound / 1_000) at most")
    }
  }

  /// While the group plays where the own cut has not begun yet, it stands at its beginning, and shows that it is about to play.
  private func checkWaiting(_ participant: Participant, _ layer: PlayerLayer, at host: HostTime) {
    let position = layer.renderer.position(at: host)
    let away = position - beginning(of: participant)
    if layer.player.view.timeControl.status != .waiting || layer.renderer.motion.rate != 0 || away > standingBound(layer) {
      room.violate(
        "b", "\(participant.name)'s player is \(layer.player.view.timeControl.status) at \(seconds(position)), "
          + "and its group where its cut has not begun")
    }
  }

  /// The group is, or was a moment ago, where the own cut has not begun yet.
  private func wasBeforeBeginning(_ participant: Participant) -> Bool {
    let timing = participant.coordination.view.timing
    let moved = timing.status == .playing ? (2 * Self.rest).scaled(by: abs(timing.line.rate)) : 0
    return Person(room: room, participant: participant).groupPosition < moved
  }

  /// The dead band, what the renderer does not say of where it is, and what is measured between two corrections; without nudges
  /// what is left to seeks.
  private func runningBound(_ layer: PlayerLayer) -> Nanoseconds {
    let habits = layer.renderer.habits
    let abilities = layer.renderer.abilities
    let band = isNudged(layer) ? 2 * abilities.deadBand : max(.milliseconds(100), layer.player.tolerance)
    return band + habits.frame + 2 * habits.noise + .milliseconds(5)
  }

  /// Its renderer does each change of speed as it is told.
  private func isNudged(_ layer: PlayerLayer) -> Bool {
    layer.renderer.abilities.nudges && layer.renderer.habits.honoursNudges && layer.renderer.habits.rateQuantum == 0
  }

  /// It stands on a frame of its own, or says that it does; nearer than this it is not sent.
  private func standingBound(_ layer: PlayerLayer) -> Nanoseconds {
    max(layer.renderer.habits.grid, .milliseconds(2)) + layer.renderer.habits.frame + layer.renderer.habits.noise
  }

  /// (g), (quiet): the host knows how things are; seeks were answered once each; the renderer is left alone.
  func checkLayer(_ participant: Participant) {
    guard let layer = participant.layer else { return }
    for notice in layer.player.presentState {
      let last = layer.notices.last { $0.value.kind == notice.kind }?.value
      let isKnown =
        switch notice.kind {
        case .itemStatus: last?.itemStatus ?? .unknown == notice.itemStatus && last?.item == notice.item
        case .rate: last?.rate ?? 0 == notice.rate
        default: last?.timeControl ?? TimeControl(.paused) == notice.timeControl
        }
      if !isKnown { room.violate("g", "\(participant.name)'s host was not notified of its \(notice.kind)") }
    }
    let answered = layer.notices.map { $0.value }.filter { $0.kind == .seekDone }.map { $0.request }
    if answered.sorted() != Array(1..<(layer.requests + 1)) {
      room.violate("g", "\(participant.name)'s \(layer.requests) seeks were answered as \(answered.sorted())")
    }
    let late = layer.rendered.filter { $0.at > room.now - Self.rest }.map { $0.value.kind }
    let orders = late.filter { ![.nudge, .seek, .play].contains($0) }
    let corrections = late.count - orders.count
    // What a renderer ignores or rounds away is tried with greater changes, each with its end, until it is known what it does.
    let enough = isNudged(layer) ? 4 : 14
    let isInRange = interstitialTimes(of: participant).contains { $0 > room.now - 2 * Self.rest }
    // The group comes to what it leaves out at its time.
    let skips = participant.player.commands.contains { $0.command.cause == .range && $0.at > room.now - Self.rest }
    if !orders.isEmpty || corrections > enough, !wasBeforeBeginning(participant), !isInRange, !skips {
      room.violate("quiet", "\(participant.name)'s renderer was told \(late) though nobody did anything")
    }
    checkStorm(of: participant, layer)
  }

  /// No renderer is told things in a storm: within a second at most what it takes to carry out what people did in the seconds
  /// that led to it, and two corrections.
  private func checkStorm(of participant: Participant, _ layer: PlayerLayer) {
    let times = layer.rendered.filter { $0.value.kind != .volume }.map { $0.at }
    let inRanges = interstitialTimes(of: participant)
    var end = 0
    for (index, time) in times.enumerated() {
      while end < times.count, times[end] <= time + .seconds(1) { end += 1 }
      guard end - index > 12 else { continue }
      let causes = (room.actionTimes + inRanges).count { $0 > time - .seconds(12) && $0 <= time + .seconds(1) }
      if end - index > 6 * causes + 12 {
        let count = end - index
        return room.violate(
          "storm", "\(participant.name)'s renderer was told \(count) times in a second at \(seconds(time))")
      }
    }
  }
}
