/// Where the host's player really is, as it says (F15, C7, D2).
extension Coordination {
  mutating func takeReport(_ report: PlaybackReport) {
    me.rate = report.rate.isFinite ? report.rate : 0
    me.position = report.position?.itemTime
    me.positionAt = report.position.map { clock.group(at: $0.hostTime) }
    takeStall(report)
    noteObeyed(report)
    takeEnd(report)
    takeReach(report)
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
      host.statistics.lastStartError = position.itemTime.subtracting(reachable(expected))
    }
  }

  /// A stall begins where the player says it stands, or else where it should be.
  private mutating func takeStall(_ report: PlaybackReport) {
    guard report.stalled else {
      host.stall = nil
      if suspensions.endsWithStall { endLibrarySuspensions() }
      return
    }
    guard host.stall == nil, let item = host.item else { return }
    let expected = EffectiveState(registers.cells(of: item)).position(at: groupNow)
    guard let at = report.position?.itemTime ?? expected else { return }
    host.stall = ParticipantValue.Moment(at: at, since: groupNow)
  }
}
