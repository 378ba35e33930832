/// What the person asks for: it goes to the group, which commands this player like everybody's.
extension MediaPlayer {
  mutating func requestRate(_ rate: Double, immediately: Bool = false, operation: String) {
    guard queue.current != nil else {
      // A queue that ran dry goes on with its next item unless it is paused.
      if rate == 0 { told.rate = 0 }
      return refuse(operation, "there is no current item; insert one first")
    }
    guard rate.isFinite, abs(rate) <= HostRequest.greatestRate else { return }
    guard apart.interstitial == nil else {
      return refuse(operation, "an interstitial is playing; end it first")
    }
    continuation = nil
    personActs(plays: rate != 0)
    // Alone nothing went on that a person would want: from where it could not go on it does.
    let goesOn = rate != 0 && isAlone && suspensionReasons.contains(Suspensions.notPossible)
    coordinate(
      .rateChange(rate: rate, immediately: immediately, from: goesOn ? renderer.position(at: now) : nil))
  }

  /// What the library suspended by itself ends where its person acts, so that the act reaches the group.
  mutating func personActs(plays: Bool) {
    endStallSuspension()
    endReplay()
    // After an interruption that did not resume by itself the person's play does.
    if plays, apart.interruption?.isOver == true { endInterruption() }
    if plays { endBackground() }
  }

  mutating func takeRefusal(of operation: String, status: Int32) {
    switch operation {
    case "coordinator_coordinate_seek":
      answerSeek(.failed, status: status)
    case "coordinator_coordinate_rate_change":
      // What the player asked for by itself is nobody's failure.
      if nextRateReason == .liveEdge { nextRateReason = nil } else { notifyRate(reason: .setRateFailed) }
    default:
      break
    }
  }
}
