import UnisonoBase

/// Whether the own player goes on doing what it was told: an engine that stops, runs or changes its speed by itself bypasses the
/// coordination, and the host may not even know it (coordination 2.19).
///
/// Judged by what the host reports. One that was told to stand and runs is commanded again at once; one that was told to run has
/// a moment, as what stops it (the end of its item, a stall) may be said next. Commanded again it is a few times; after that it is
/// left alone, and shown as apart, so that nobody fights with it.
struct BypassWatch: Sendable {
  enum Verdict: Equatable, Sendable {
    case obeys
    /// It does something else than it was told.
    case bypasses
    /// It does so again and again.
    case defies
  }

  /// What a player was told, and since when it can be held to that.
  struct Told: Sendable {
    /// 0: to stand.
    var rate: Double
    /// Host time at which it is to begin.
    var begins: HostTime
    /// The command was completed.
    var isCompleted: Bool
  }

  /// Since the newest command it was seen to do it.
  private var wasSeen = false
  /// Host time from which on what it said last is held against it; nil: it does what it was told.
  private var due: HostTime?
  /// Host times at which it was commanded again lately, oldest first.
  private var repetitions: [HostTime] = []
  /// Host time since which it is apart for that; nil: it is not.
  private var apart: HostTime?

  /// It is told something new, or is not to be judged any more by what it said.
  mutating func begin() {
    wasSeen = false
    due = nil
    apart = nil
  }

  /// A report of a player that is not stalled, and not at the end of what it can reach.
  mutating func observe(_ rate: Double, at time: HostTime, told: Told) {
    guard !Self.isSame(rate, told.rate) else {
      wasSeen = true
      due = nil
      return
    }
    guard due == nil else { return }
    if told.rate == 0 {
      // What it says sooner is from before it could stop, unless it has said that it stands; it may say so yet.
      let stands = told.begins.adding(Parameters.missedPause)
      if time > stands { due = time } else if told.isCompleted { due = stands }
    } else if time > told.begins {
      due = max(time, told.begins.adding(grace(told))).adding(Parameters.bypass)
    }
  }

  /// What it says is no motion of its own: it lacks data, or stands at its end.
  mutating func excuse() { due = nil }

  /// What it has after the instant of a start: until it was seen to run it may need a moment, whatever it completed.
  private func grace(_ told: Told) -> Nanoseconds { wasSeen && told.isCompleted ? 0 : Parameters.leastDue }

  static func isSame(_ rate: Double, _ told: Double) -> Bool {
    told == 0 ? rate == 0 : (rate - told).magnitude <= Parameters.sameRate * told.magnitude
  }

  /// Host time at which there is something to do about it; nil: nothing.
  var wake: HostTime? { due }

  mutating func judge(now: HostTime) -> Verdict {
    guard let due, now >= due else { return .obeys }
    self.due = nil
    repetitions.removeAll { $0 <= now.subtracting(Parameters.repetitionMemory) }
    guard repetitions.count < Parameters.repetitions else {
      apart = now
      return .defies
    }
    repetitions.append(now)
    return .bypasses
  }

  /// It is apart for that, and does what it was told: it is back. Not at once, as it might be gone again as soon.
  func isBack(_ rate: Double, told: Double, now: HostTime) -> Bool {
    guard let apart, now >= apart.adding(Parameters.defiance) else { return false }
    return Self.isSame(rate, told)
  }
}
