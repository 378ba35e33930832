import UnisonoBase
import UnisonoCoordination
import UnisonoPlayer
import UnisonoReplica

/// Between a coordination and its host's player.
extension SimulatedSession {
  func give(_ command: PlaybackCommand, to participant: Participant) {
    // What comes for the item before, until the coordination has read of the new one, the library's player leaves alone.
    if participant.layer == nil, participant.player.item != command.item {
      violate("c", "\(participant.name) got \(command.kind) for \(command.item), which is not its item")
    }
    if command.id == 0 || participant.player.commands.contains(where: { $0.command.id == command.id }) {
      violate("f", "\(participant.name) got command id \(command.id) again")
    }
    let index = participant.player.commands.count
    let start = command.anticipatedRate != 0 ? start(of: participant, on: command.item, isPending: true) : nil
    participant.player.commands.append(ReceivedCommand(at: now, command: command, start: start, completedAt: nil))
    noteBelief(of: participant, at: command.hostTime)
    if participant.layer != nil { return feed(.command(command), to: participant) }
    let abilities = participant.player.abilities
    if abilities.refuses.contains(command.kind) {
      after(.milliseconds(1)) { $0.deliver(.failed(command: command.id, status: -1), to: participant) }
      return
    }
    if abilities.ignores.contains(command.kind) || generator.chance(abilities.forgets) {
      log.note(now, participant.name, "player forgets #\(command.id)")
      return
    }
    checkPrepared(participant, for: command)
    let plan = participant.player.carryOut(command, at: participant.clock.host(at: now))
    for host in plan.reports { scheduleReport(of: participant, course: plan.course, at: host) }
    foreseeEnd(of: participant)
    at(plan.completes, of: participant) { room in
      guard participant.player.course == plan.course || participant.player.abilities.completesSuperseded else { return }
      participant.player.commands[index].completedAt = room.now
      room.deliver(.completed(command: command.id), to: participant)
    }
  }

  /// What it believes of group time at the instant at which its player begins: now, or later.
  func noteBelief(of participant: Participant, at instant: HostTime? = nil) {
    let host = participant.clock.host(at: now)
    let begins = max(instant ?? host, host)
    participant.believed = participant.groupClock.map {
      ClockModel(hostTime: begins, remoteTime: $0.remote(at: begins), errorBound: $0.error(at: begins))
    }
  }

  /// What it believes of group time from when it knows it, where its player was told, or chose, where to be before.
  func noteFirstBelief(of participant: Participant) {
    if participant.believed == nil { noteBelief(of: participant) }
  }

  /// (e): a host that is prepared, and is told in time, misses nothing.
  private func checkPrepared(_ participant: Participant, for command: PlaybackCommand) {
    guard command.kind == .play, let since = command.hostTime, let last = participant.player.commands.dropLast().last,
      last.completedAt != nil, last.command.item == command.item, last.command.anticipatedRate != 0
    else {
      return
    }
    let host = participant.clock.host(at: now)
    let here = participant.player.position(at: host)
    // A player that does not stand where it says it is prepared misses by its own fault. One that was prepared for another
    // start does, as somebody sought elsewhere meanwhile, as what was done apart does not count on return, or as it did not
    // read while the others began, and were held.
    guard since >= host + participant.player.abilities.start,
      here.subtracting(last.command.itemTime).absolute <= .milliseconds(40), last.command.anticipatedRate == command.rate
    else {
      return
    }
    // What a live player was prepared for it may not have any more; and one that is sent to its edge, as the group is beyond
    // it, finds that farther on than when it was prepared.
    if case .live? = participant.player.reach, let range = participant.player.reach?.range(at: host),
      !((range.lowerBound + .seconds(10))...range.upperBound).contains(here)
        || command.itemTime == participant.coordination.view.timing.reach?.upperBound
    {
      return
    }
    let missed = command.itemTime.subtracting(here)
    if missed > .milliseconds(40), !participant.lies, last.start == start(of: participant, on: command.item, isPending: false) {
      violate("e", "\(participant.name) was ready, and told in time, and misses \(missed / 1_000_000) ms")
    }
  }

  /// Which start an item's state is, or waits for (`isPending`), as this participant knows it.
  private func start(of participant: Participant, on item: ItemID, isPending: Bool) -> ReceivedCommand.Start {
    let registers = RegisterReading(of: participant, in: self)
    let step = registers.step(on: item) &+ (isPending ? 1 : 0)
    return .init(
      rate: registers.commandStamp(of: .rate(item)), position: registers.commandStamp(of: .position(item)),
      at: participants.contains { $0.lies } ? registers.place(on: item) : nil, step: step, cut: participant.cutOffset,
      ranges: participant.interstitials[item] ?? [])
  }

  /// It says so when it comes to the end of its item.
  func foreseeEnd(of participant: Participant) {
    guard let end = participant.player.endsAt else { return }
    scheduleReport(of: participant, course: participant.player.course, at: end)
  }

  func scheduleReport(of participant: Participant, course: UInt64, at host: HostTime) {
    at(host, of: participant) { room in
      guard participant.player.course == course else { return }
      room.report(participant)
      room.keepReporting(participant, course: course)
    }
  }

  private func keepReporting(_ participant: Participant, course: UInt64) {
    guard let interval = participant.reportsEvery else { return }
    after(interval) { room in
      guard participant.player.course == course, participant.isRunning else { return }
      let moves = participant.player.motion(at: participant.clock.host(at: room.now)).rate != 0
      // The edge of a live item goes on while the player stands.
      guard moves || participant.player.reach?.isLive ?? false else { return }
      room.report(participant)
      room.keepReporting(participant, course: course)
    }
  }

  func report(_ participant: Participant, stalled: Bool = false) {
    deliver(.report(participant.player.report(at: participant.clock.host(at: now), stalled: stalled)), to: participant)
  }
}
