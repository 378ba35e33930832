import UnisonoBase
import UnisonoCoordination

/// Where everybody is, and what they know of it.
extension InvariantCheck {
  /// (b): who takes part is where the group is, and all see the same group.
  func checkPositions(of participants: [Participant], on item: ItemID, _ registers: RegisterReading) {
    let attached = participants.filter { $0.coordination.view.suspensionReasons.isEmpty && hasObeyed($0) }
    let views = attached.map { (participant: $0, view: $0.coordination.view) }
    // The newest command is a seek: then even paused hosts stand exactly there, whatever pauses snap to.
    let isPlaced = registers.endsInSeek(on: item)
    let isOver = registers.cells(of: item)?.isEnded ?? false
    for (participant, view) in views {
      checkPlayer(of: participant, view, on: item, isPlaced: isPlaced, isOver: isOver)
    }
    for (one, other) in zip(views, views.dropFirst()) {
      guard one.view.timing.status == other.view.timing.status else {
        let what = "\(one.view.timing.status) on \(item), \(other.participant.name) \(other.view.timing.status)"
        room.violate("b", "\(one.participant.name) sees \(what)")
        continue
      }
      let apart = sharedPosition(of: one.participant) - sharedPosition(of: other.participant)
      // What their clocks differ by shows in what they see; the rest must not.
      let rate = one.view.timing.status == .playing ? one.view.timing.line.rate : 0
      let clocks = (groupTime(of: one.participant) - groupTime(of: other.participant)).scaled(by: rate)
      if (apart - clocks).absolute > .milliseconds(2).scaled(by: max(1, abs(rate))) {
        let names = "\(one.participant.name) and \(other.participant.name)"
        room.violate("b", "\(names) see the group \((apart - clocks) / 1_000) us apart on \(item)")
      }
    }
  }

  private func checkPlayer(
    of participant: Participant, _ view: CoordinationView, on item: ItemID, isPlaced: Bool, isOver: Bool
  ) {
    if let layer = participant.layer {
      return checkRenderer(of: participant, layer, view, on: item, isPlaced: isPlaced)
    }
    let player = room.player(of: participant)
    let rate = view.timing.status == .playing ? view.timing.line.rate : 0
    if checkBeginning(of: participant, player, rate: rate) { return }
    if let reach = participant.player.reach, checkEdge(of: participant, reach, player, rate: rate) { return }
    guard player.rate == rate else {
      return room.violate("b", "\(participant.name) runs at \(player.rate) on \(item), its group at \(rate)")
    }
    // Each ends by itself, wherever its copy does.
    if isOver, rate == 0, standsAtEnd(participant) { return }
    // Who is back just before a range of its own may be in it by the time it is there: that is rule (y)'s.
    let ranges = participant.interstitials[item] ?? []
    if rate > 0, ranges.contains(where: { $0.start <= player.position && player.position < $0.end }) { return }
    var group = groupPosition(of: participant)
    // Before the beginning of its cut no player can stand.
    if rate == 0, participant.cutOffset != 0, participant.player.reach?.isLive != true { group = max(beginning(of: participant), group) }
    let away = player.position - group - view.timing.outputOffset.scaled(by: rate)
    if rate != 0, away.absolute > tolerance(participant, rate: rate) {
      room.violate("b", "\(participant.name) is \(away / 1_000) us from its group on \(item)")
    } else if rate == 0, view.timing.status == .paused, away != 0, isPlaced {
      room.violate("b", "\(participant.name) stands \(away / 1_000) us from its group on \(item)")
    } else if rate == 0, view.timing.status == .paused, participant.cutOffset.absolute >= .seconds(120),
      away.absolute >= participant.cutOffset.absolute / 2
    {
      // A pause that snaps to nothing leaves it where it was, but not in another cut.
      room.violate("b", "\(participant.name) stands \(away / 1_000) us from its group on \(item), as if its cut were another")
    }
  }

  /// It stands at the end of its own cut, as it does when the group's item has ended, wherever that did.
  private func standsAtEnd(_ participant: Participant) -> Bool {
    guard case .cut(let end)? = participant.player.reach else { return false }
    return room.player(of: participant).position == end
  }

  /// Where the own copy begins. Once a range that it begins with was seen, that is behind it, wherever the group is (coordination 2.21):
  /// there is nothing before the range that its player could be sent to.
  func beginning(of participant: Participant) -> ItemTime {
    participant.read { $0.ownTime(of: $0.sharedTime(of: 0, in: $0.view.item), in: $0.view.item) }
  }

  /// Whether the group plays where the own cut has not begun yet; the player stands at its beginning then.
  private func checkBeginning(of participant: Participant, _ player: PlayerView, rate: Double) -> Bool {
    // The window of a live item has no beginning that a group would come to.
    guard rate != 0, participant.cutOffset != 0, participant.player.reach?.isLive != true, isBeforeBeginning(participant)
    else { return false }
    // Backwards nothing keeps this player from running on.
    if rate > 0, player.rate != 0 || (player.position - beginning(of: participant)).absolute > .milliseconds(40) {
      room.violate("b", "\(participant.name) is at \(seconds(player.position)), and its group where its cut has not begun")
    }
    return true
  }

  /// The group's place, as its own player shows it, is before the beginning of its copy.
  func isBeforeBeginning(_ participant: Participant) -> Bool {
    let timing = participant.coordination.view.timing
    let rate = timing.status == .playing ? timing.line.rate : 0
    return groupPosition(of: participant) + timing.outputOffset.scaled(by: rate) < 0
  }

  /// Whether the group is where this player cannot be, or could not a moment ago; it must not be beyond what it has then.
  private func checkEdge(of participant: Participant, _ reach: PlayerReach, _ player: PlayerView, rate: Double) -> Bool
  {
    let range = reach.range(at: participant.clock.host(at: room.now))
    let group = groupPosition(of: participant) + (participant.coordination.view.timing.outputOffset.scaled(by: rate))
    // A live player says every four seconds how far it can go by now, and is told then.
    let margin: Nanoseconds = reach.isLive ? .seconds(10) : .milliseconds(40)
    let lower = reach.isLive ? range.lowerBound + margin : 0
    guard group < lower || group > range.upperBound - margin else { return false }
    if player.position > range.upperBound + .milliseconds(40) {
      room.violate("b", "\(participant.name) stands beyond the end of what it has")
    }
    if !reach.isLive, group > range.upperBound + margin, rate != 0, player.rate != 0 {
      room.violate("b", "\(participant.name) runs on behind the end of its item")
    }
    return true
  }

  /// In the own copy, which may be another cut.
  private func groupPosition(of participant: Participant) -> ItemTime {
    Person(room: room, participant: participant).groupPosition
  }

  /// The same for all, whatever cut each has.
  private func sharedPosition(of participant: Participant) -> ItemTime {
    let own = groupPosition(of: participant)
    return participant.read { $0.sharedTime(of: own, in: $0.view.item) }
  }

  /// As it knows it, or guessed it.
  func groupTime(of participant: Participant) -> GroupTime {
    let host = participant.clock.host(at: room.now)
    return participant.groupClock?.remote(at: host) ?? host
  }

  /// A host that never did what it was told last, is where it is.
  func hasObeyed(_ participant: Participant) -> Bool {
    participant.layer != nil || participant.player.commands.last.map { $0.completedAt != nil } ?? true
  }

  /// The width within which lines count as equal, what the clock drifts since the last command, and how far the belief about
  /// group time moved meanwhile without a new command: keeping up with that is the player's.
  private func tolerance(_ participant: Participant, rate: Double) -> Nanoseconds {
    let age = room.now - (participant.player.commands.last?.at ?? 0)
    let drift = (abs(participant.clock.drift) + 40) / 1_000_000
    let moved = participant.measured != nil || room.hubs.count > 1 ? learnt(participant) : 0
    return (.milliseconds(3) + moved + age.scaled(by: drift)).scaled(by: max(1, abs(rate)))
  }

  /// How far the belief about group time moved since the last command or proposal, or since there was one if that is later: who opens a
  /// second screen chooses where its player is before its process knows of a group there. But not beyond what its bounds then and now
  /// leave room for: a belief that moved further was wrong, and the player should have been commanded anew.
  private func learnt(_ participant: Participant) -> Nanoseconds {
    guard let before = participant.believed, let after = participant.groupClock else { return 0 }
    let host = participant.clock.host(at: room.now)
    let moved = after.remote(at: host) - (before.remoteTime + (host - before.hostTime))
    return min(moved.absolute, before.error(at: before.hostTime) + after.error(at: host))
  }

  /// What a participant believes of its hub's clock is within the bound that it states.
  func checkClock(_ participant: Participant) {
    guard let measured = participant.measured, let model = measured.lastModel, participant.link.connection != nil,
      measured.clock == room.hubs[participant.link.hub].clock
    else {
      return
    }
    let host = participant.clock.host(at: room.now)
    let away = model.remote(at: host) - room.hubs[participant.link.hub].time(at: room.now)
    if away.absolute > model.error(at: host) {
      room.violate("clock", "\(participant.name) is off by \(away) ns and states \(model.error(at: host))")
    }
  }

  /// (g): what a host was told adds up to what is: nothing was lost on the way, by a reconnect or otherwise.
  func checkTold(_ participant: Participant) {
    let view = participant.coordination.view
    let history = participant.history
    let reasons = history.suspensions.last?.value ?? []
    if reasons != view.suspensionReasons {
      room.violate("g", "\(participant.name) was told of suspensions \(reasons), they are \(view.suspensionReasons)")
    }
    if let told = history.timing.last?.value, told.status != view.timing.status {
      room.violate("g", "\(participant.name) was told \(told.status), it is \(view.timing.status)")
    }
    var told: Set<ParticipantID> = []
    for change in history.participants.map({ $0.value }) {
      if change.isComplete { told = [] }
      told.formUnion(change.joined.map { $0.id })
      told.subtract(change.left.map { $0.id })
    }
    let there = Set(view.participants.map { $0.id })
    if told != there {
      let names = { (ids: Set<ParticipantID>) in ids.map(room.name(of:)).sorted().joined(separator: " ") }
      room.violate("g", "\(participant.name) was told that \(names(told)) are there, but \(names(there)) are")
    }
    let running = Set(participants.filter { $0.isRunning }.map { $0.id })
    if !running.isSubset(of: there) {
      room.violate("g", "\(participant.name) does not see \(running.subtracting(there).map(room.name(of:)).sorted())")
    }
  }
}
