/// The end of an item: each side ends by itself, and the group is paused there once all who take part have (coordination
/// 2.7 "ended", H23).
extension Coordination {
  /// Notes whether the player stands at the end of what it can reach, as it says.
  mutating func takeEnd(_ report: PlaybackReport) {
    guard report.rate == 0, !report.stalled else {
      me.ended = nil
      return
    }
    guard let position = report.position, let range = report.range, let item = host.item else { return }
    let isBackwards = registers.cells(of: item).map { $0.rate.rate < 0 } ?? false
    guard isPast(position.itemTime, isBackwards ? range.lowerBound : range.upperBound, backwards: isBackwards) else {
      me.ended = nil
      return
    }
    // Whoever was not told to run has only been put there.
    guard me.ended == nil, !suspensions.isSuspended, case .playing = host.issued else { return }
    me.ended = ParticipantValue.Moment(at: position.itemTime, since: groupNow)
  }

  /// The host is sent somewhere: from before its end it ends again.
  mutating func voidEnd(_ command: PlaybackCommand) {
    guard let ended = me.ended, command.kind != .pause else { return }
    let rate = command.kind == .play ? command.rate : command.anticipatedRate
    let run = command.hostTime.map { now.subtracting($0).scaled(by: rate) } ?? 0
    if !isPast(command.itemTime.adding(max(run, 0)), ended.at, backwards: rate < 0) { me.ended = nil }
  }

  /// At an end, to a frame, or beyond it.
  private func isPast(_ position: ItemTime, _ end: ItemTime, backwards: Bool) -> Bool {
    let beyond = backwards ? end.subtracting(position) : position.subtracting(end)
    return beyond >= -Parameters.sameFrame
  }

  /// Pauses the group at the end of the current item if everybody is there and it is ours to write.
  mutating func decideEnd(_ playing: EffectiveState.Playing, cells: Cells, on item: ItemID) {
    let step = Barrier.Step(kind: .ended, base: playing.pair, sequence: playing.sequence)
    guard let at = commonEnd(playing, on: item) else { return barrier.forget(.ended) }
    guard isOurs(step, after: keeperRank(for: cells, on: item).map(takeoverDelay)) else { return }
    write(
      .continuation(item),
      .continuation(
        ContinuationValue(base: playing.pair, sequence: playing.sequence &+ 1, kind: .ended(at: at))))
  }

  /// The farthest end of those who take part; nil: somebody has not ended.
  private func commonEnd(_ playing: EffectiveState.Playing, on item: ItemID) -> ItemTime? {
    if host.item == item, me.suspensions.isEmpty, me.ended == nil { return nil }
    var ends: [ItemTime] = []
    let silence = silence
    for id in onItem(item) where isHeard(id, within: silence) {
      guard let value = value(of: id), value.suspensions.isEmpty else { continue }
      guard let ended = value.ended else { return nil }
      ends.append(ended.at)
    }
    return playing.line.rate < 0 ? ends.min() : ends.max()
  }
}
