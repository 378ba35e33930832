import UnisonoBase
import UnisonoCoordination

/// The renderer's orders: what it is to do by the newest command, and how far it has come with that.
struct RendererPlan: Sendable {
  enum Goal: Equatable, Sendable {
    /// To stand, where it stops for nil; `cueRate` is the rate it gets ready for, 0: none.
    case rest(at: ItemTime?, cueRate: Double)
    /// To run along a line in host time, own output offset included.
    case run(Line)
  }

  enum Step: Equatable, Sendable {
    /// Nothing is under way.
    case settled
    /// The renderer was told something and has not answered.
    case answering(request: UInt64)
    /// It stands (or runs at another rate) until `until`, when it is told to play so that it does at `instant`.
    case waiting(until: HostTime, instant: HostTime)
  }

  /// Orders that bring the renderer to where it is to stand.
  struct Standing: Equatable, Sendable {
    enum Way: Equatable, Sendable {
      case cue(at: ItemTime, rate: Double, moves: Bool)
      case seek(to: ItemTime)
    }

    let pauses: Bool
    /// nil: it stays where it is.
    let way: Way?
  }

  private(set) var goal: Goal = .rest(at: nil, cueRate: 0)
  /// It gets ready to play while the group pauses, for a start that nobody has asked for yet.
  private var isAhead = false
  private(set) var step: Step = .settled
  /// The coordination's command that is done when this is.
  private(set) var command: UInt64?
  /// The newest command that came before the item was loaded.
  private(set) var commandBeforeLoad: PlaybackCommand?
  /// Another line came while the renderer was busy with the one before.
  private(set) var isChanged = false
  /// It moved by itself and was stopped; that is done once, so that nobody fights.
  private var wasStopped = false
  /// The group was asked for the usual rate, as there is no more of the live item yet.
  private var isAtEdge = false
  /// The renderer did not answer for so long that this player is shown as doing nothing: what comes next it is told anew.
  private(set) var isGivenUp = false

  var isAnswering: Bool {
    if case .answering = step { true } else { false }
  }

  /// The line it is to run along; nil: it is to stand.
  var line: Line? {
    if case .run(let line) = goal { line } else { nil }
  }

  /// As people see it: what is getting ready to play counts as playing, once somebody has asked for that.
  var rate: Double {
    switch goal {
    case .rest(_, let cueRate): isAhead ? 0 : cueRate
    case .run(let line): line.rate
    }
  }

  /// As commanded; 0 paused. What was commanded before the item is loaded counts.
  var wantedRate: Double {
    guard let commandBeforeLoad else { return rate }
    if commandBeforeLoad.isAhead { return 0 }
    return commandBeforeLoad.kind == .play ? commandBeforeLoad.rate : commandBeforeLoad.anticipatedRate
  }

  /// Whether a report is the answer that is waited for.
  func isAnswered(by request: UInt64) -> Bool { request != 0 && step == .answering(request: request) }

  // MARK: The item

  /// Nothing is to be done, as the player ends.
  mutating func end() {
    let command = commandBeforeLoad
    self = RendererPlan()
    commandBeforeLoad = command
  }

  /// Another item is to stand where it is to begin; nil: there is none.
  mutating func beginItem(at startTime: ItemTime?) {
    self = RendererPlan()
    if let startTime { goal = .rest(at: startTime, cueRate: 0) }
  }

  /// The item is loaded, and nothing else is to be done yet.
  mutating func finishLoading() { goal = .rest(at: nil, cueRate: 0) }

  mutating func keep(_ command: PlaybackCommand) { commandBeforeLoad = command }

  /// Returns the command that came before the item was loaded, and keeps it no longer.
  mutating func releaseCommand() -> PlaybackCommand? {
    defer { commandBeforeLoad = nil }
    return commandBeforeLoad
  }

  // MARK: Commands

  /// A command replaces what was under way.
  mutating func begin(_ command: PlaybackCommand, at now: HostTime) {
    self.command = command.id
    isChanged = false
    wasStopped = false
    isAtEdge = false
    isAhead = command.isAhead
    goal =
      switch command.kind {
      case .pause: .rest(at: command.snap ? command.itemTime : nil, cueRate: command.anticipatedRate)
      // It gets ready where it stands: the picture of a pause does not move.
      case .buffer where isAhead: .rest(at: nil, cueRate: command.anticipatedRate)
      case .seek, .buffer: .rest(at: command.itemTime, cueRate: command.anticipatedRate)
      // Nothing runs along a line that stands.
      case .play where command.rate == 0: .rest(at: command.itemTime, cueRate: 0)
      case .play: .run(Line(at: command.itemTime, rate: command.rate, since: command.hostTime ?? now))
      }
  }

  /// Returns what brings the renderer to a stand by the goal, and gets it ready there.
  ///
  /// - Parameter mayBeStanding: one that stands already is not told to.
  func standing(
    from renderer: RendererState, mayBeStanding: Bool, abilities: RendererAbilities, at now: HostTime
  ) -> Standing {
    guard case .rest(let target, let cueRate) = goal else { return Standing(pauses: false, way: nil) }
    let here = renderer.position(at: now)
    func moves(to target: ItemTime) -> Bool {
      // On its way elsewhere it is not where it was last known to be.
      guard let here, renderer.seek == nil else { return true }
      return here.subtracting(target).absolute > PlayerParameters.samePosition
    }
    // Stopped in between two frames it would stand where no seek brings the others.
    let isBetweenFrames = renderer.isRunning && !abilities.startsExactly
    let pauses = renderer.isRunning || !mayBeStanding || isAnswering
    if cueRate != 0, abilities.cues {
      let place = target ?? here ?? 0
      return Standing(pauses: pauses, way: .cue(at: place, rate: cueRate, moves: moves(to: place)))
    }
    guard let target, moves(to: target) || isBetweenFrames else { return Standing(pauses: pauses, way: nil) }
    return Standing(pauses: pauses, way: .seek(to: target))
  }

  /// The line begins later, with the player.
  mutating func postpone(to line: Line) { goal = .run(line) }

  /// It is to stand where it is: it has ended, or cannot do what it was told.
  mutating func rest() { goal = .rest(at: nil, cueRate: 0) }

  // MARK: Steps

  /// The renderer was told something, and is to answer.
  mutating func await(_ request: UInt64) {
    step = .answering(request: request)
    isGivenUp = false
  }

  /// The renderer is told to play once it is time.
  mutating func wait(until: HostTime, for instant: HostTime) { step = .waiting(until: until, instant: instant) }

  /// Host time at which the renderer is told to play; nil: it does not wait.
  var waitsUntil: HostTime? {
    if case .waiting(let until, _) = step { until } else { nil }
  }

  /// The start that has been waited for, if it is time.
  func dueStart(at now: HostTime) -> (line: Line, instant: HostTime)? {
    guard case .waiting(let until, let instant) = step, case .run(let line) = goal, now >= until else { return nil }
    return (line, instant)
  }

  /// The line changed while the renderer was busy: it is looked at again once that is done.
  mutating func reviseAfterAnswer() { isChanged = true }
  mutating func endRevision() { isChanged = false }

  /// Ends what was under way.
  mutating func settle() { step = .settled }

  /// Returns the command that is over by that; nil: none was open.
  mutating func endCommand() -> UInt64? {
    defer { command = nil }
    return command
  }

  /// The group goes on without this player: one whose renderer does not answer is shown as doing nothing.
  mutating func giveUpAnswer() { isGivenUp = isAnswering }

  /// It moves although it is to stand: it is stopped, but not fought with. False: it was stopped already.
  mutating func stopOnce(_ renderer: RendererState) -> Bool {
    guard !wasStopped, !renderer.hasEnded else { return false }
    wasStopped = true
    return true
  }

  /// A live item played fast comes to its edge: there is no more to play than what is being made, and nobody could follow a line
  /// that runs into the future. True: it has come there.
  mutating func reachEdge(_ renderer: RendererState, at now: HostTime) -> Bool {
    guard let line, line.rate > 1, step == .settled, !isAtEdge, let edge = renderer.seekable?.upperBound,
      let here = renderer.position(at: now), here >= edge.subtracting(PlayerParameters.end)
    else { return false }
    isAtEdge = true
    return true
  }

  // MARK: As people see it

  /// Whether the current item plays.
  func timeControl(
    _ renderer: RendererState, in group: GroupState, playsInterstitial: Bool, at now: HostTime
  ) -> TimeControl {
    if playsInterstitial { return TimeControl(.waiting, .interstitial) }
    guard wantedRate != 0 else { return TimeControl(.paused) }
    if commandBeforeLoad != nil { return TimeControl(.waiting, .evaluatingBufferingRate) }
    if !renderer.isRunning, group.hasGivenUpWaiting { return TimeControl(.waiting, .toMinimizeStalls) }
    switch goal {
    case .rest:
      return TimeControl(.waiting, .coordinatedPlayback)
    case .run(let line):
      if renderer.haltedSince != nil { return TimeControl(.waiting, .toMinimizeStalls) }
      if renderer.isRunning, renderer.seek == nil { return TimeControl(.playing) }
      // It is played to its end, where nothing is to happen: what comes next is for the group to say.
      if renderer.hasEnded { return TimeControl(.waiting, .coordinatedPlayback) }
      // A start on its way is the group's; a seek that the player makes for itself is its own affair.
      let isStarting = line.since > now || renderer.seek == nil
      return TimeControl(.waiting, isStarting ? .coordinatedPlayback : .toMinimizeStalls)
    }
  }

  /// Host time at which `timeControl` changes by time alone: people are shown when waiting ends, which is when the line begins.
  func timeControlWake(after now: HostTime) -> HostTime? { line.flatMap { $0.since > now ? $0.since : nil } }

  /// The rules that hold after each turn.
  func judge(_ rules: inout Invariants, item: ItemID?, load: RendererState.Load) {
    if let commandBeforeLoad {
      rules.expect(commandBeforeLoad.item == item, "a command that waits for the item is of the item")
      rules.expect(load != .ready, "a command waits only for an item that is not loaded")
    }
    if case .waiting = step { rules.expect(line != nil, "only a start waits for its instant") }
    rules.expect(command == nil || step != .settled, "a command that is open is under way")
  }
}
