import UnisonoBase

/// What goes wrong with hubs and with the paths to them. All of it happens at the present instant.
extension SimulatedSession {
  /// A hub's process ends. Its members notice after `noticedAfter`, each up to `within` later, and go on to the next hub in
  /// the common order that they can reach and that is up.
  package func hubDies(_ hub: Int = 0, noticedAfter: Nanoseconds = 0, within spread: Nanoseconds = 0) {
    log.note(now, "hub \(hub + 1)", "dies")
    actionTimes.append(now)
    hubs[hub].die()
    recordConnectedGroup()
    for participant in participants where participant.link.hub == hub {
      guard participant.link.connection != nil else { continue }
      let attempt = participant.link.attempt
      let delay = noticedAfter + (spread > 0 ? generator.number(in: 0...spread) : 0)
      after(delay) { room in
        room.noticeLoss(participant, attempt: attempt)
        room.connect(participant)
      }
    }
  }

  /// A dead hub starts again, with a clock that nobody knows. Nobody comes for that reason alone.
  package func hubReturns(_ hub: Int = 0) {
    guard !hubs[hub].isUp else { return }
    log.note(now, "hub \(hub + 1)", "is back")
    actionTimes.append(now)
    clockCount += 1
    hubs[hub].start(
      clock: ClockID(high: generator.next(), low: generator.next()), base: generator.number(in: 0...(.seconds(100_000)))
    )
  }

  /// The net falls apart: the first group reaches the first hub only, the second group the second hub, and so on. Who is in
  /// several groups reaches several hubs; who is in none reaches none. `heal` ends it.
  ///
  /// Links that lead where nothing arrives any more are cut; their ends notice after `noticedAfter`, the hub after
  /// `hubNoticesAfter`.
  package func partition(
    _ groups: [String]..., noticedAfter: Nanoseconds = .seconds(1), hubNoticesAfter: Nanoseconds = .seconds(1)
  ) {
    partition(groups: groups, noticedAfter: noticedAfter, hubNoticesAfter: hubNoticesAfter)
  }

  package func partition(
    groups: [[String]], noticedAfter: Nanoseconds = .seconds(1), hubNoticesAfter: Nanoseconds = .seconds(1)
  ) {
    precondition(groups.count <= hubs.count, "a partition into \(groups.count) groups needs as many hubs")
    log.note(now, "net", "falls apart into \(groups)")
    actionTimes.append(now)
    var reach: [String: Set<Int>] = [:]
    for (hub, group) in groups.enumerated() {
      for name in group { reach[name, default: []].insert(hub) }
    }
    self.reach = reach
    for participant in participants where !canReach(participant, hub: participant.link.hub) {
      breakLink(
        of: participant, noticedAfter: noticedAfter, hubNoticesAfter: hubNoticesAfter, backAfter: noticedAfter)
    }
  }

  /// Everybody reaches every hub again. Rooms become one as coordination 2.10 says: who is in the smaller one looks around
  /// every 5 s.
  package func heal() {
    log.note(now, "net", "is whole again")
    actionTimes.append(now)
    reach = nil
  }

  /// Who is at which hub, by the hubs' books; for tests.
  package func members(ofHub hub: Int) -> [String] {
    participants.filter { hubs[hub].members[$0.id] != nil }.map { $0.name }
  }

  /// Each hub's clock runs off by up to this, parts per million.
  package func hubClocksDrift(by drift: Int64) {
    for index in hubs.indices { hubs[index].drift = Double(generator.number(in: -drift...drift)) }
    firstHub.drift = hubs[0].drift
  }
}
