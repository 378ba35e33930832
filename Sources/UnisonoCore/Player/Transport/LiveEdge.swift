/// A live item played fast comes to its edge: there is no more to play than what is being made.
extension MediaPlayer {
  /// At the edge the group is asked for the usual rate; nobody could follow a line that runs into the future.
  mutating func reviewLiveEdge() {
    guard queue.current?.isLive == true, case .run(let line) = course.goal, line.rate > 1, course.step == .settled,
      !isApart, !course.isAtEdge, let edge = renderer.seekable?.upperBound, let here = renderer.position(at: now),
      here >= edge.subtracting(PlayerParameters.end)
    else { return }
    course.isAtEdge = true
    nextRateReason = .liveEdge
    coordinate(.rateChange(rate: 1, immediately: false))
  }
}
