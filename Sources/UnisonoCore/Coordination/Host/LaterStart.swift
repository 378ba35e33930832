/// Alone nothing waits, and nothing is missed: the line of one alone begins when its host does.
extension Coordination {
  /// The line in force is new, and the own host's alone: it may still begin later.
  func mayBeginLater(_ cells: Cells, on item: ItemID) -> Bool {
    ownStart(cells, on: item).map { groupNow.subtracting($0.since) <= Parameters.greatestLead } ?? false
  }

  /// The host begins that much later than the newest command says, at the same place. The same start is written once more:
  /// of two that count as many the later counts. Where somebody else came meanwhile the line stays, and the host follows it.
  mutating func beginLater(_ id: UInt64, by delay: Nanoseconds) {
    guard delay > 0, let outstanding = host.outstanding, outstanding.id == id, let item = host.item else { return }
    if outstanding.overdue, suspensions.isOnlyByLibrary { beginOverdue() }
    if suspensions.isSuspended {
      suspensions.ownLine.since = suspensions.ownLine.since.adding(delay)
      return
    }
    guard case .playing = host.issued, let cells = registers.cells(of: item), var continuation = cells.continuation,
      let start = ownStart(cells, on: item)
    else { return }
    let since = clock.group(at: clock.host(at: start.since).adding(delay))
    guard since.subtracting(groupNow).absolute <= Parameters.greatestLead else { return }
    continuation.kind = .line(coverage: start.coverage, since: since, at: start.at, prior: nil)
    write(.continuation(item), .continuation(continuation))
    if case .playing(let playing) = EffectiveState(registers.cells(of: item)) { host.issued = .playing(playing.line) }
  }

  /// It was given up, and begins now: it is back with nothing missed, on the line of this very command.
  private mutating func beginOverdue() {
    suspensions.endLibrarys()
    publishSuspensions()
    me.availableSince = arrivalTime
    host.outstanding?.overdue = false
    host.outstanding?.answerBy = nil
    host.unanswered = nil
  }

  /// A start that this participant wrote for itself alone, with nobody else on the item until now.
  private func ownStart(
    _ cells: Cells, on item: ItemID
  ) -> (coverage: UInt16, since: GroupTime, at: ItemTime?)? {
    guard let continuation = cells.continuation, continuation.original == nil,
      registers[.continuation(item)]?.author == local,
      case .line(let coverage, let since, let at, nil) = continuation.kind, coverage <= 1, mayCommand,
      isAlone(on: item)
    else { return nil }
    return (coverage, since, at)
  }
}
