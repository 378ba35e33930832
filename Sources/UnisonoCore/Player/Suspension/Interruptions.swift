/// Interruptions (a call, another app's sound) and interstitials (a second renderer's turn): the main item stands.
extension MediaPlayer {
  mutating func beginInterruption() {
    guard apart.interruption == nil else {
      return refuse("player_begin_interruption", "an interruption is open already")
    }
    endReplay()
    apart.interruption = .init(id: beginOwn(OwnSuspensions.interrupted))
    standApart(because: .interrupted)
  }

  /// Without `resume` it stays apart until its person plays.
  mutating func endInterruption(resume: Bool) {
    guard let open = apart.interruption, !open.isOver else {
      return refuse("player_end_interruption", "there is no interruption to end")
    }
    apart.interruption?.isOver = true
    if resume { endInterruption() }
  }

  mutating func beginInterstitial() {
    guard apart.interstitial == nil else { return refuse("player_begin_interstitial", "an interstitial plays already") }
    endReplay()
    apart.interstitial = beginOwn(OwnSuspensions.playingInterstitial)
    standApart(because: nil)
  }

  mutating func endInterstitial() {
    guard let id = apart.interstitial else { return refuse("player_end_interstitial", "no interstitial is playing") }
    apart.interstitial = nil
    rejoin(from: id)
  }

  /// Stops the own renderer alone: this participant is apart by now.
  mutating func standApart(because reason: RateReason?) {
    guard queue.current != nil, wantedRate != 0 else { return }
    if let reason { nextRateReason = reason }
    coordinate(.rateChange(rate: 0, immediately: false))
  }
}
