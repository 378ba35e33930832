/// The own Participant register and what else goes out at the end of a turn.
extension Coordination {
  /// Publishes what changed of the own register; moving positions only now and then.
  mutating func publishOwn() {
    guard membership.participates, membership.phase != .solo, membership.secured,
      membership.joined || membership.phase == .member
    else {
      return
    }
    publishSuspensions()
    guard me != published else { return }
    if let published, !isReportDue {
      var still = me
      still.position = published.position
      still.positionAt = published.positionAt
      guard still != published else { return }
    }
    let statement = Statement(
      key: .participant(local), author: local, policy: policies.greatest.id,
      time: stamps.next(now: clock.isKnown ? groupNow : nil), value: .participant(me))
    registers.merge(statement)
    published = me
    publishedTime = statement.time
    lastPublication = now
    outbox.append(statement)
  }

  private var isReportDue: Bool {
    lastPublication.map { now >= $0.adding(Parameters.reportInterval) } ?? true
  }

  var publicationWake: HostTime? {
    guard membership.secured, membership.joined, let lastPublication, me != published else { return nil }
    return lastPublication.adding(Parameters.reportInterval)
  }

  /// Commands of one turn and the own register travel together.
  mutating func flushOutbox() {
    defer { outbox = [] }
    guard membership.secured, !outbox.isEmpty else { return }
    broadcast(.update(outbox))
  }

  mutating func takeReport(_ report: PlaybackReport) {
    me.rate = report.rate.isFinite ? report.rate : 0
    me.position = report.position?.itemTime
    me.positionAt = report.position.map { clock.group(at: $0.hostTime) }
    if report.stalled, let position = report.position {
      if me.stalled == nil { me.stalled = ParticipantValue.Moment(at: position.itemTime, since: groupNow) }
    } else {
      me.stalled = nil
    }
    guard let position = report.position else { return }
    // It missed a pause: told again, but not by what it said before it can have stopped.
    if report.rate != 0, case .paused = host.issued, !suspensions.isSuspended,
      position.hostTime > host.commanded.adding(Parameters.missedPause)
    {
      host.issued = .nothing
    }
    if report.rate == 0, !report.stalled, host.rest != nil { host.rest = position.itemTime }
    if let item = host.item,
      let expected = EffectiveState(registers.cells(of: item)).position(at: clock.group(at: position.hostTime)),
      membership.phase != .joining
    {
      host.statistics.lastStartError = position.itemTime.subtracting(expected)
    }
  }
}
