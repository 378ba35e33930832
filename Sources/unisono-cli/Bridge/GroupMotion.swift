/// A position that stands, or runs from an instant on. ns, of the film and of the host's clock.
struct Course: Equatable {
  var position: Int64
  var since: Int64
  /// 0: it stands.
  var rate = 0.0

  var isRunning: Bool { rate != 0 }

  /// Before `since` it is where it begins.
  func position(at now: Int64) -> Int64 {
    let (age, overflows) = now.subtractingReportingOverflow(since)
    let moved = Double(age) * rate
    guard isRunning, !overflows, age > 0, moved.magnitude < 1e16 else { return position }
    return position.addingReportingOverflow(Int64(moved)).partialValue
  }
}

/// What the group does with what is open.
enum GroupMotion: Equatable {
  case standing(Int64)
  /// A start is prepared, there.
  case waiting(Int64)
  case playing(Course)
}
