/// What this player steps out of the group's time for, each with its number at the coordination.
struct OwnSuspensions: Sendable {
  struct Interruption: Sendable {
    var id: UInt64
    /// It is over, but the host did not say that playback resumes: the person's play does.
    var isOver = false
  }
  struct Replay: Sendable {
    var id: UInt64
    /// The renderer was sent back; before that it is still with the group.
    var hasBegun = false
  }
  struct Scrub: Sendable {
    var id: UInt64
    /// Where the slider was last; nil: it was not moved.
    var target: ItemTime?
    /// A target that waits until the renderer has shown the one before.
    var next: ItemTime?
    var isSeeking = false
  }

  var stall: UInt64?
  var interruption: Interruption?
  /// The renderer was stopped because nothing of the player is shown.
  var background: UInt64?
  var interstitial: UInt64?
  var scrub: Scrub?
  var replay: Replay?
  private var count: UInt64 = 0

  static let interrupted = "audio-session-interrupted"
  static let playingInterstitial = "playing-interstitial"
  static let changingTime = "user-is-changing-current-time"
  static let replaying = "replaying"
  static let userActionRequired = "user-action-required"

  /// The player's numbers have the highest bit set, so that the host's own suspensions keep theirs.
  mutating func newID() -> UInt64 {
    count += 1
    return 1 << 63 | count
  }

  var isEmpty: Bool {
    stall == nil && interruption == nil && background == nil && interstitial == nil && scrub == nil && replay == nil
  }
}

extension MediaPlayer {
  /// It does not follow the group at the moment.
  var isApart: Bool { !apart.isEmpty || !suspensionReasons.isEmpty }

  mutating func beginOwn(_ reason: String) -> UInt64 {
    let id = apart.newID()
    coordinate(.beginSuspension(id: id, reason: reason))
    return id
  }

  mutating func endOwn(_ id: UInt64, proposing: ItemTime? = nil) {
    coordinate(.endSuspension(id: id, proposing: proposing))
  }

  /// Back to where the group is. Alone nothing has gone on meanwhile that a person would want: it goes on from here.
  mutating func rejoin(from id: UInt64) {
    endOwn(id, proposing: isAlone ? renderer.position(at: now) : nil)
  }

  mutating func endInterruption() {
    guard let open = apart.interruption else { return }
    apart.interruption = nil
    rejoin(from: open.id)
  }

  /// What concerned the item that is no longer current.
  mutating func endOwnSuspensionsOfItem() {
    endStallSuspension()
    endReplay()
    if let scrub = apart.scrub {
      apart.scrub = nil
      endOwn(scrub.id)
    }
  }
}
