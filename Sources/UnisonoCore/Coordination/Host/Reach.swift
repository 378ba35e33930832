/// Nobody is sent past what its player can reach: the end of its cut, or the edge of a live item (F13, coordination 2.5).
///
/// The group's own positions stay as they are: for live items they are dates of the content, the same for everybody.
extension Coordination {
  /// The nearest position that the own player can reach.
  func reachable(_ position: ItemTime) -> ItemTime {
    guard let reach = host.reach else { return position }
    return min(max(position, reach.lowerBound), reach.upperBound)
  }

  /// Takes in what the player can reach by now; told again once the group's position has come within it.
  mutating func takeReach(_ report: PlaybackReport) {
    guard let range = report.range else { return }
    host.reach = range
    guard host.isShort, !suspensions.isSuspended, let item = host.item,
      let wanted = EffectiveState(registers.cells(of: item)).position(at: groupNow), range.contains(wanted)
    else { return }
    host.isShort = false
    host.issued = .nothing
  }

  /// Changes a command that asks for more to the nearest that can be done.
  mutating func keepInReach(_ command: inout PlaybackCommand) {
    var wanted = command.itemTime
    var instant: HostTime?
    if command.kind == .play, let since = command.hostTime {
      let begins = max(since, now)
      wanted = Line(at: command.itemTime, rate: command.rate, since: since).position(at: begins)
      instant = begins
    }
    let possible = reachable(wanted)
    host.isShort = possible != wanted
    guard host.isShort else { return }
    command.itemTime = possible
    if instant != nil { command.hostTime = instant }
  }
}
