import UnisonoBase
import UnisonoReplica

/// The end of an item for all who take part (coordination 2.7 "ended", H23).
extension Facts {
  /// The farthest end of those who take part; nil: somebody has not ended, or the end is to change nothing.
  func commonEnd(of playing: EffectiveState.Playing, on item: ItemID) -> ItemTime? {
    if actionAtEnd == .none { return nil }
    if own.item == item, own.suspensions.isEmpty, own.ended == nil { return nil }
    var ends: [ItemTime] = []
    let silence = silence
    for id in participants(on: item) where isHeard(id, within: silence) {
      guard let value = value(of: id), value.suspensions.isEmpty else { continue }
      guard let ended = value.ended else { return nil }
      ends.append(ended.at)
    }
    return playing.line.rate < 0 ? ends.min() : ends.max()
  }

  /// Where the group is at its end by what the person sees, if it is: the own player has ended, and so have all, or it has just now and
  /// the others may be about to say so. nil: the group plays, or its end is said already.
  func endThatIsSeen(_ cells: Cells, on item: ItemID) -> ItemTime? {
    guard actionAtEnd != .none, own.item == item, let ended = own.ended, case .playing(let playing) = EffectiveState(cells) else {
      return nil
    }
    if groupNow.subtracting(ended.since) <= Parameters.endGather { return ended.at }
    return commonEnd(of: playing, on: item)
  }
}
