import UnisonoBase
import UnisonoCoordination
import UnisonoReplica

/// The suspensions that this player begins by itself, each with its number at the coordination: stalls, interruptions,
/// interstitials, what goes on out of sight, scrubbing and replay.
///
/// The inputs return what is to be done about them, in order.
struct OwnSuspensions: Sendable {
  enum Intent: Sendable {
    case coordinate(CoordinationEvent)
    /// Stop the own renderer alone, where it plays: this participant is apart by now.
    case stop(because: RateReason?)
    case refuse(operation: Operation, message: String)
  }

  private struct Interruption: Sendable {
    var id: UInt64
    /// It is over, but the host did not say that playback resumes: the person's play does.
    var isOver = false
  }
  private struct Replay: Sendable {
    var id: UInt64
    /// The renderer was sent back; before that it is still with the group.
    var hasBegun = false
  }
  private struct Scrub: Sendable {
    var id: UInt64
    /// Last place of the slider; nil: it was not moved.
    var target: ItemTime?
    /// A target that waits until the renderer has shown the one before.
    var next: ItemTime?
    var isSeeking = false
  }

  private var stall: UInt64?
  private var interruption: Interruption?
  /// The renderer was stopped because nothing of the player is shown.
  private var background: UInt64?
  private var interstitial: UInt64?
  private var scrub: Scrub?
  private var replay: Replay?
  private var count: UInt64 = 0
  /// False: it was shown, and is nowhere now.
  private(set) var isShown = true

  static let interrupted = "audio-session-interrupted"
  static let changingTime = "user-is-changing-current-time"
  static let replaying = "replaying"
  static let userActionRequired = "user-action-required"

  var isEmpty: Bool {
    stall == nil && interruption == nil && background == nil && interstitial == nil && scrub == nil && replay == nil
  }
  var playsInterstitial: Bool { interstitial != nil }
  var isStalled: Bool { stall != nil }

  /// The player's numbers have the highest bit set, so that the host's own suspensions keep theirs.
  private mutating func newID() -> UInt64 {
    count += 1
    return 1 << 63 | count
  }

  private func begin(_ id: UInt64, _ reason: String) -> Intent { .coordinate(.beginSuspension(id: id, reason: reason)) }

  private func end(_ id: UInt64, proposing place: ItemTime? = nil) -> Intent {
    .coordinate(.endSuspension(id: id, proposing: place))
  }

  private func refuse(_ operation: Operation, _ message: String) -> [Intent] {
    [.refuse(operation: operation, message: message)]
  }

  // MARK: Stalls

  /// A stall outlasted the debounce, and the group does not wait for it.
  mutating func beginStall() -> [Intent] {
    guard isEmpty else { return [] }
    let id = newID()
    stall = id
    return [begin(id, Suspensions.stallRecovery)]
  }

  /// It is over, or its person acts.
  ///
  /// - Parameter place: where it goes on without a group that went on meanwhile; nil: where the group is.
  mutating func endStall(goingOnAt place: ItemTime?) -> [Intent] {
    guard let id = stall else { return [] }
    stall = nil
    return [end(id, proposing: place)]
  }

  // MARK: Interruptions (a call, another app's sound) and interstitials (a second renderer's turn): the main item stands

  mutating func beginInterruption() -> [Intent] {
    guard interruption == nil else { return refuse(.beginInterruption, "an interruption is open already") }
    let before = endReplay()
    let id = newID()
    interruption = Interruption(id: id)
    return before + [begin(id, Self.interrupted), .stop(because: .interrupted)]
  }

  /// Without `resume` it stays apart until its person plays.
  mutating func endInterruption(resume: Bool, goingOnAt place: ItemTime?) -> [Intent] {
    guard let open = interruption, !open.isOver else {
      return refuse(.endInterruption, "there is no interruption to end")
    }
    interruption?.isOver = true
    return resume ? resumeInterrupted(goingOnAt: place) : []
  }

  private mutating func resumeInterrupted(goingOnAt place: ItemTime?) -> [Intent] {
    guard let open = interruption else { return [] }
    interruption = nil
    return [end(open.id, proposing: place)]
  }

  mutating func beginInterstitial() -> [Intent] {
    guard interstitial == nil else { return refuse(.beginInterstitial, "an interstitial plays already") }
    let before = endReplay()
    let id = newID()
    interstitial = id
    return before + [begin(id, Suspensions.playingInterstitial), .stop(because: nil)]
  }

  mutating func endInterstitial(goingOnAt place: ItemTime?) -> [Intent] {
    guard let id = interstitial else { return refuse(.endInterstitial, "no interstitial is playing") }
    interstitial = nil
    return [end(id, proposing: place)]
  }

  // MARK: Out of sight: systems stop what nobody sees, which is no stall, and no person's wish

  mutating func setShown(_ isShown: Bool, goingOnAt place: ItemTime?) -> [Intent] {
    self.isShown = isShown
    return isShown ? endBackground(goingOnAt: place) : []
  }

  /// The renderer has stopped by itself out of sight: this player stands apart until it is shown, or somebody plays.
  mutating func beginBackground() -> [Intent] {
    guard background == nil else { return [] }
    let before = endReplay()
    let id = newID()
    background = id
    return before + [begin(id, Self.userActionRequired), .stop(because: .backgrounded)]
  }

  mutating func endBackground(goingOnAt place: ItemTime?) -> [Intent] {
    guard let id = background else { return [] }
    background = nil
    return [end(id, proposing: place)]
  }

  // MARK: A slider in a person's hand: one suspension; the own picture follows; only the release moves the group

  mutating func beginScrub(hasItem: Bool) -> [Intent] {
    guard scrub == nil else { return refuse(.beginScrub, "scrubbing has begun already") }
    guard hasItem else { return refuse(.beginScrub, "there is no current item; insert one first") }
    let before = endReplay()
    let id = newID()
    scrub = Scrub(id: id)
    return before + [begin(id, Self.changingTime), .stop(because: nil)]
  }

  mutating func scrub(to target: ItemTime) -> [Intent] {
    guard scrub != nil else { return refuse(.scrubTo, "scrubbing has not begun") }
    scrub?.target = target
    if scrub?.isSeeking == true {
      scrub?.next = target
      return []
    }
    scrub?.isSeeking = true
    return [.coordinate(.seek(to: target, resumeImmediately: false))]
  }

  /// The renderer shows the last target: on to the newest.
  mutating func scrubOn() -> [Intent] {
    guard scrub?.isSeeking == true else { return [] }
    guard let next = scrub?.next else {
      scrub?.isSeeking = false
      return []
    }
    scrub?.next = nil
    return [.coordinate(.seek(to: next, resumeImmediately: false))]
  }

  mutating func endScrub(commit: Bool) -> [Intent] {
    guard let open = scrub else { return refuse(.endScrub, "scrubbing has not begun") }
    scrub = nil
    return [end(open.id, proposing: commit ? open.target : nil)]
  }

  // MARK: "What did they say": the own player alone goes back, plays faster, and falls in again where it meets the group

  mutating func beginReplay() -> [Intent] {
    let id = newID()
    replay = Replay(id: id)
    return [begin(id, Self.replaying)]
  }

  /// A command has come: what is repeated is on its way.
  mutating func followCommand() { replay?.hasBegun = true }

  /// The rate that is repeated at: faster than the group.
  static func replayRate(asked: Double, groupRate: Double) -> Double {
    let asked = asked > 0 ? asked : PlayerParameters.replayRate
    let least = abs(groupRate) * PlayerParameters.replayGain
    return min(max(asked, least), Law.greatestRate)
  }

  /// It is over where the renderer, `behind` the group by so much (ns; nil: it does not run), has caught up.
  mutating func endReplay(ifCaughtUp behind: Nanoseconds?) -> [Intent] {
    guard replay?.hasBegun == true, let behind, behind <= PlayerParameters.samePosition else { return [] }
    return endReplay()
  }

  /// Host time at which it meets the group, as both run now; nil: nothing is being repeated, or it does not catch up.
  func replayMeets(behind: Nanoseconds?, rate: Double, groupRate: Double, at now: HostTime) -> HostTime? {
    guard replay?.hasBegun == true, let behind else { return nil }
    let gain = rate - groupRate
    return gain > 0 ? now.adding(max(0, behind).scaled(by: 1 / gain)) : nil
  }

  mutating func endReplay() -> [Intent] {
    guard let open = replay else { return [] }
    replay = nil
    return [end(open.id)]
  }

  // MARK: All of them

  /// The person acts: what the library suspended by itself ends, so that the act reaches the group.
  mutating func endForPerson(plays: Bool, goingOnAt place: ItemTime?) -> [Intent] {
    var intents = endStall(goingOnAt: place)
    intents += endReplay()
    // After an interruption that did not resume by itself the person's play does.
    if plays, interruption?.isOver == true { intents += resumeInterrupted(goingOnAt: place) }
    if plays { intents += endBackground(goingOnAt: place) }
    return intents
  }

  /// Another item is current: what concerned the one before ends.
  mutating func endOfItem(goingOnAt place: ItemTime?) -> [Intent] {
    var intents = endStall(goingOnAt: place)
    intents += endReplay()
    if let open = scrub {
      scrub = nil
      intents.append(end(open.id))
    }
    return intents
  }

  /// The rules that hold after each turn.
  func judge(_ rules: inout Invariants, hasItem: Bool) {
    if !hasItem {
      rules.expect(scrub == nil && replay == nil && stall == nil, "without an item nothing of it goes on")
    }
    rules.expect(replay == nil || scrub == nil, "who scrubs does not replay")
  }
}
