import UnisonoBase
import UnisonoWire

/// What is known of another run.
struct RunStanding {
  /// What it said last of itself.
  fileprivate(set) var alive: HubAlive
  /// When it said so, host time.
  fileprivate(set) var heard: HostTime
  /// It answered a question of this run, so that it is there, and no recording of it.
  fileprivate(set) var isKnown = false
  fileprivate var answered: HostTime = .min
  /// Since when it has to answer, because another run has its hub's id; nil: it has not.
  fileprivate var doubted: HostTime?
  fileprivate var lastOnHubs: UInt64
  fileprivate var window: ReplayWindow
  fileprivate var openings: TokenBucket
  fileprivate var repeats: TokenBucket
  fileprivate var hasNotices = false
}

/// The other runs of a set: who is there, and who is no more (hubs 5).
///
/// A run is a candidate from its first ALIVE on, known once it answered a question, and gone when its ALIVE is missing for 3 s, when it
/// said BYE, or when another run of the same hub is known and it did not answer for 1 s. Nothing but ALIVE and PROBE is believed of a
/// candidate.
struct HubRuns {
  /// Without ALIVE a run is gone after this.
  static let patience = Nanoseconds.seconds(3)
  /// With another run of the same hub, without an answer, after this.
  static let doubt = Nanoseconds.seconds(1)
  /// Other runs that are known.
  static let capacity = 63
  private static let candidates = 128
  /// Runs that are gone, whose numbers are remembered so that nothing of theirs is believed again.
  private static let remembered = 1_024
  /// OPENED and QUERY of one run, a second.
  private static let openings = 10_000.0
  /// Bytes a second that one run is sent again.
  private static let repeats = Double(4 << 20)

  enum Verdict { case refused, candidate, known }

  private var runs: [HubRunID: RunStanding] = [:]
  private var floors: [HubRunID: UInt64] = [:]
  private var forgotten: ArraySlice<HubRunID> = []

  subscript(run: HubRunID) -> RunStanding? { runs[run] }

  func isKnown(_ run: HubRunID) -> Bool { runs[run]?.isKnown ?? false }

  /// There is no place for one more that is known.
  var isFull: Bool { known.count >= Self.capacity }

  /// Somebody of those that are known has audiences.
  var haveAudiences: Bool { runs.values.contains { $0.isKnown && $0.alive.audiences > 0 } }

  /// Ascending.
  var known: [HubRunID] { runs.filter { $0.value.isKnown }.keys.sorted() }

  /// Whether a message with this number is to be read. `onHubs`: it was for all hubs, whose numbers ascend.
  mutating func accept(_ run: HubRunID, number: UInt64, onHubs: Bool) -> Verdict {
    guard let standing = runs[run] else { return floors[run].map { number > $0 } ?? true ? .candidate : .refused }
    guard !onHubs || number > standing.lastOnHubs, runs[run]?.window.accept(number) == true else { return .refused }
    if onHubs { runs[run]?.lastOnHubs = number }
    return standing.isKnown ? .known : .candidate
  }

  /// A run says that it is there; false: there is no place for one more.
  mutating func hear(_ alive: HubAlive, from run: HubRunID, number: UInt64, now: HostTime) -> Bool {
    if runs[run] != nil {
      runs[run]?.alive = alive
      runs[run]?.heard = now
      return true
    }
    guard runs.count < Self.capacity + Self.candidates else { return false }
    var window = ReplayWindow(above: floors[run] ?? 0)
    _ = window.accept(number)
    runs[run] = RunStanding(
      alive: alive, heard: now, lastOnHubs: number, window: window,
      openings: TokenBucket(rate: Self.openings, burst: Self.openings, now: now),
      repeats: TokenBucket(rate: Self.repeats, burst: Self.repeats, now: now))
    return true
  }

  /// A run answered a question of this one with the message `number`; true: it is known now, and was not before.
  mutating func answered(_ run: HubRunID, number: UInt64, now: HostTime) -> Bool {
    guard let standing = runs[run] else { return false }
    runs[run]?.answered = now
    guard !standing.isKnown, !isFull else { return false }
    runs[run]?.isKnown = true
    // What it said before may be a recording.
    runs[run]?.window.raise(to: number)
    for (other, standing) in runs where standing.alive.hub == runs[run]?.alive.hub && other != run && standing.isKnown {
      runs[other]?.doubted = now
    }
    return true
  }

  mutating func remove(_ run: HubRunID) {
    guard let standing = runs.removeValue(forKey: run) else { return }
    guard standing.isKnown else { return }
    if floors[run] == nil { forgotten.append(run) }
    floors[run] = standing.window.last
    if floors.count > Self.remembered, let oldest = forgotten.popFirst() { floors[oldest] = nil }
  }

  /// Removes who is gone, ascending, candidates too.
  mutating func removeGone(now: HostTime) -> [(run: HubRunID, wasKnown: Bool)] {
    for (run, standing) in runs {
      if let since = standing.doubted, standing.answered >= since { runs[run]?.doubted = nil }
    }
    let gone = runs.filter { end(of: $0.value) <= now }
    for run in gone.keys { remove(run) }
    return gone.map { ($0.key, $0.value.isKnown) }.sorted { $0.0 < $1.0 }
  }

  /// When the next may be gone.
  var nextEnd: HostTime { runs.values.reduce(.max) { min($0, end(of: $1)) } }

  private func end(of standing: RunStanding) -> HostTime {
    let silent = standing.heard.adding(Self.patience)
    guard let since = standing.doubted, standing.answered < since else { return silent }
    return min(silent, since.adding(Self.doubt))
  }

  /// This process stood still for so long, and so could not hear anybody.
  mutating func excuse(_ late: Nanoseconds) {
    for (run, standing) in runs {
      runs[run]?.heard = standing.heard.adding(late)
      runs[run]?.doubted = standing.doubted.map { $0.adding(late) }
    }
  }

  /// Whether an OPENED or QUERY of a run is within what it may send.
  mutating func mayOpen(_ run: HubRunID, now: HostTime) -> Bool { runs[run]?.openings.spend(now: now) ?? false }

  /// Whether so many bytes may be sent to a run again now.
  mutating func mayRepeat(_ bytes: Int, to run: HubRunID, now: HostTime) -> Bool {
    runs[run]?.repeats.spend(Double(bytes), now: now) ?? false
  }

  /// true once for each run: it is sent all notices.
  mutating func mayHaveNotices(_ run: HubRunID) -> Bool {
    guard runs[run]?.hasNotices == false else { return false }
    runs[run]?.hasNotices = true
    return true
  }
}
