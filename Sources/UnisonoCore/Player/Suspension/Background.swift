/// Nothing of the player is shown any more, and systems stop what nobody sees: that is no stall, and no person's wish.
extension MediaPlayer {
  mutating func takeShown(_ isShown: Bool) {
    self.isShown = isShown
    if isShown { endBackground() }
  }

  /// The renderer has stopped by itself out of sight: this player stands apart until it is shown, or somebody plays.
  mutating func beginBackground() {
    guard apart.background == nil else { return }
    endReplay()
    apart.background = beginOwn(OwnSuspensions.userActionRequired)
    standApart(because: .backgrounded)
  }

  mutating func endBackground() {
    guard let id = apart.background else { return }
    apart.background = nil
    rejoin(from: id)
  }
}
