/// A slider in a person's hand: one suspension; the own picture follows; only the release moves the group.
extension MediaPlayer {
  mutating func beginScrub() {
    guard apart.scrub == nil else { return refuse("player_begin_scrub", "scrubbing has begun already") }
    guard queue.current != nil else {
      return refuse("player_begin_scrub", "there is no current item; insert one first")
    }
    endReplay()
    continuation = nil
    apart.scrub = .init(id: beginOwn(OwnSuspensions.changingTime))
    standApart(because: nil)
  }

  mutating func scrub(to target: ItemTime) {
    guard apart.scrub != nil else { return refuse("player_scrub_to", "scrubbing has not begun") }
    let target = reachable(target)
    apart.scrub?.target = target
    if apart.scrub?.isSeeking == true {
      apart.scrub?.next = target
    } else {
      apart.scrub?.isSeeking = true
      coordinate(.seek(to: target, resumeImmediately: false))
    }
  }

  /// The renderer shows the last target: on to the newest.
  mutating func scrubOn() {
    guard apart.scrub?.isSeeking == true else { return }
    guard let next = apart.scrub?.next else {
      apart.scrub?.isSeeking = false
      return
    }
    apart.scrub?.next = nil
    coordinate(.seek(to: next, resumeImmediately: false))
  }

  mutating func endScrub(commit: Bool) {
    guard let scrub = apart.scrub else { return refuse("player_end_scrub", "scrubbing has not begun") }
    apart.scrub = nil
    endOwn(scrub.id, proposing: commit ? scrub.target : nil)
  }
}
