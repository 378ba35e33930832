import UnisonoBase
import UnisonoCoordination

/// The way onto a line: at the right instant from a stand, in place or by a seek where the renderer runs already.
///
/// It reads how things are and returns what is to be done, in order.
struct StartScheduler: Sendable {
  /// State of the player when the way is chosen.
  struct Facts: Sendable {
    let now: HostTime
    let abilities: RendererAbilities
    let renderer: RendererState
    /// Latency of a start and cost of a seek here, ns.
    let startLatency: Nanoseconds
    let seekCost: Nanoseconds
    /// Distance that is left to nudges, ns.
    let tolerance: Nanoseconds
    /// ns; `.max`: live; nil: unknown.
    let duration: Nanoseconds?
    /// A command is open; what goes on otherwise is the player's own correction.
    let hasCommand: Bool
    /// That command is a seek of the own person's.
    let isPersonsSeek: Bool
    /// The renderer is busy with what it was told before.
    let isBusy: Bool
  }

  enum Intent: Equatable, Sendable {
    /// Nothing is left to do.
    case finish
    /// The line is where the item has ended here, and the renderer stands at its end. `isNews`: it was not there before.
    case end(isNews: Bool)
    /// The renderer cannot play this.
    case fail(status: Int32)
    /// The line is looked at again once the renderer has answered.
    case revise
    /// The line begins so much later, ns.
    case postpone(to: Line, by: Nanoseconds)
    /// Changes of speed end before the renderer is told anything else.
    case stopNudging
    case seek(to: ItemTime)
    /// The renderer is told to play at `until`, so that it does at `instant`.
    case wait(until: HostTime, instant: HostTime)
    case play(Line, from: ItemTime, at: HostTime)
    /// One seek of the running renderer, aimed at where the line will be when it is over.
    case jump(Line)
  }

  /// A start from a stand, as far as it is known beforehand.
  enum Start: Equatable, Sendable {
    /// At its instant, by a renderer that keeps those.
    case exact
    /// By a renderer that was told as much earlier as it is known to need, and which comes that far behind its line, host ns,
    /// if it needs no more.
    case early(behind: Nanoseconds)
  }

  /// Seeks to where the line will be since the command: next time it starts, however late.
  private var seekAttempts = 0
  /// Nobody else plays by the line of the open command: it begins when this player does.
  private var mayBeginLater = false
  /// The command leads back to where the group is already, and commands nothing new. What leads out of a range of the own copy is none:
  /// the range took the player away as it should.
  private(set) var isReturn = false
  /// The renderer stood at the end of its item when the command came.
  private var hadEnded = false
  /// The start that the renderer was told last; nil: it ran already.
  private(set) var start: Start?
  /// The rate that the renderer was told last; 0: it was not told to play this item yet.
  private(set) var rate = 0.0

  /// A command replaces what was under way.
  mutating func begin(_ command: PlaybackCommand, hasEnded: Bool, leavesRange: Bool) {
    seekAttempts = 0
    hadEnded = hasEnded
    mayBeginLater = command.mayBeginLater
    isReturn = !leavesRange && (command.cause == .rejoin || command.cause == .reapply)
  }

  /// The line of the command being carried out is this player's alone: it begins when the player does, at the line's place.
  func beginsWithPlayer(hasCommand: Bool) -> Bool { mayBeginLater && hasCommand }

  private func beginsWithPlayer(_ facts: Facts) -> Bool { beginsWithPlayer(hasCommand: facts.hasCommand) }

  /// Gets the renderer onto a line, whatever it does now.
  mutating func enter(_ line: Line, _ facts: Facts) -> [Intent] {
    guard !endsBefore(line, facts) else { return end(beyond: line, facts) }
    if line.rate < 0, !facts.abilities.playsBackwards { return [.fail(status: PlayerStatus.notSupported)] }
    if facts.isBusy {
      guard isSentElsewhere(than: line, facts) else { return [.revise] }
      guard facts.renderer.isRunning else { return seek(ahead: line, facts) }
      // It may have been told another rate on its way.
      return rate == 0 || rate == line.rate ? [.jump(line)] : jump(on: line, withRateFrom: facts.now)
    }
    return facts.renderer.isRunning ? follow(line, facts) : start(on: line, facts)
  }

  /// A seek is under way that leads away from the line.
  private func isSentElsewhere(than line: Line, _ facts: Facts) -> Bool {
    guard let seek = facts.renderer.seek else { return false }
    let arrival = line.position(at: max(line.since, seek.sent.adding(facts.seekCost)))
    return seek.target.subtracting(arrival).absolute > PlayerParameters.elsewhere
  }

  /// The line has passed the end of the item: there is nothing left to play.
  private func endsBefore(_ line: Line, _ facts: Facts) -> Bool {
    guard let duration = facts.duration, duration != .max, line.rate > 0 else { return false }
    return line.position(at: beginsWithPlayer(facts) ? line.since : max(facts.now, line.since)) >= duration
  }

  /// The renderer goes to the end of its item, and stands there; one that cannot go so far has ended all the same.
  private mutating func end(beyond line: Line, _ facts: Facts) -> [Intent] {
    guard let duration = facts.duration, seekAttempts == 0,
      facts.renderer.isRunning || facts.renderer.seek != nil
        || facts.renderer.position.map({ $0.itemTime < duration.subtracting(PlayerParameters.end) }) ?? true
    else { return [.end(isNews: !hadEnded)] }
    seekAttempts += 1
    return [.stopNudging, .seek(to: duration)]
  }

  /// Returns the line that passes `place` at `instant` where it is this player's alone to say; else the line as it is.
  private func postponed(
    _ line: Line, toPass place: ItemTime, at instant: HostTime, _ facts: Facts
  ) -> (line: Line, intents: [Intent]) {
    let reached = line.instant(of: place)
    let delay = instant.subtracting(reached)
    guard beginsWithPlayer(facts), delay > 0 else { return (line, []) }
    let later = Line(at: line.at, rate: line.rate, since: line.since.adding(delay))
    return (later, [.postpone(to: later, by: delay)])
  }

  /// The running player has come to where it was sent: the line that is its own begins there.
  func postpone(
    _ line: Line, arrivedAt target: ItemTime, tolerances: (before: Nanoseconds, after: Nanoseconds), _ facts: Facts
  ) -> [Intent] {
    guard let here = facts.renderer.position(at: facts.now) else { return [] }
    let slack = PlayerParameters.lateStart
    // Some renderers still say where they were before.
    let isThere =
      here >= target.subtracting(tolerances.before).subtracting(slack)
      && here <= target.adding(tolerances.after).adding(slack)
    return postponed(line, toPass: isThere ? here : target, at: facts.now, facts).intents
  }

  // MARK: From a stand

  /// The renderer stands: lets it go when the line passes by, or sends it to where the line will be.
  mutating func start(on line: Line, _ facts: Facts) -> [Intent] {
    guard !endsBefore(line, facts) else { return end(beyond: line, facts) }
    let isExact = facts.abilities.startsExactly
    let earliest = facts.now.adding(isExact ? PlayerParameters.aimMargin : facts.startLatency)
    guard let here = facts.renderer.position?.itemTime else { return seek(ahead: line, facts) }
    var line = line
    var intents: [Intent] = []
    if beginsWithPlayer(facts) {
      if here.subtracting(line.at).absolute > PlayerParameters.sameFrame, seekAttempts == 0 {
        return seek(ahead: line, facts)
      }
      (line, intents) = postponed(line, toPass: here, at: earliest, facts)
    }
    let reached = line.instant(of: here)
    let isTooEarly = reached > max(earliest, line.since).adding(PlayerParameters.earlyStart)
    let isBeforeLine = reached < line.since.subtracting(PlayerParameters.sameFrame)
    let isTooLate = reached < earliest.subtracting(PlayerParameters.lateStart)
    if isTooEarly || isBeforeLine, seekAttempts < 3 { return intents + seek(ahead: line, facts) }
    if isTooLate, seekAttempts == 0 { return intents + seek(ahead: line, facts) }
    // A renderer that starts exactly makes the most of what is left until then: to begin later would cut more.
    let instant = isExact && reached >= facts.now ? reached : max(reached, earliest)
    if isExact {
      intents.append(.play(line, from: line.position(at: instant), at: instant))
    } else {
      intents.append(.wait(until: instant.subtracting(facts.startLatency), instant: instant))
    }
    return intents
  }

  /// Sends the standing renderer to where the line will be.
  private mutating func seek(ahead line: Line, _ facts: Facts) -> [Intent] {
    seekAttempts += 1
    let arrival = facts.now.adding(facts.seekCost).adding(facts.startLatency).adding(PlayerParameters.aimMargin)
    return [.seek(to: beginsWithPlayer(facts) ? line.at : line.position(at: max(arrival, line.since)))]
  }

  /// The renderer is told to play now. That it is told late, by a timer that fires after its instant or as there was no time
  /// left, is no latency of the renderer: it was to be that far behind.
  mutating func begin(_ line: Line, from here: ItemTime, _ facts: Facts) {
    rate = line.rate
    start = facts.renderer.isRunning ? nil : self.start(along: line, from: here, facts)
  }

  private func start(along line: Line, from here: ItemTime, _ facts: Facts) -> Start {
    // One that starts exactly is told early, and has no other latency than what it takes it to do so.
    guard !facts.abilities.startsExactly else { return .exact }
    return .early(behind: facts.now.adding(facts.startLatency).subtracting(line.instant(of: here)))
  }

  // MARK: While it runs

  /// The renderer runs: small distances are the drift correction's, large ones are jumped over.
  private func follow(_ line: Line, _ facts: Facts) -> [Intent] {
    let instant = max(facts.now, line.since)
    let isNear = facts.renderer.position(at: instant).map {
      let lead = $0.subtracting(line.position(at: instant)).scaled(by: 1 / line.rate)
      // A person who seeks by a little wants to be there.
      return lead.absolute <= (facts.isPersonsSeek ? PlayerParameters.sameFrame : facts.tolerance)
    }
    if line.rate != facts.renderer.rate {
      // What runs already has nothing to get going.
      if isNear == true { return [.wait(until: instant, instant: instant)] }
      return jump(on: line, withRateFrom: facts.now)
    }
    return isNear == true ? [.finish] : [.jump(line)]
  }

  /// The line's rate first, then its place.
  private func jump(on line: Line, withRateFrom now: HostTime) -> [Intent] {
    let instant = max(now, line.since)
    return [.play(line, from: line.position(at: instant), at: instant), .jump(line)]
  }

  /// One seek, aimed at where the line will be when it is over.
  func jump(on line: Line, _ facts: Facts) -> [Intent] {
    let arrival = facts.now.adding(facts.seekCost)
    // Where the line waits for it the renderer takes its time: nobody knows beforehand how much.
    if facts.abilities.startsExactly, !beginsWithPlayer(facts) || line.rate != facts.renderer.rate {
      let instant = max(arrival.adding(PlayerParameters.aimMargin), line.since)
      let (line, intents) = postponed(line, toPass: line.at, at: instant, facts)
      return intents + [.play(line, from: line.position(at: instant), at: instant)]
    }
    return [.stopNudging, .seek(to: beginsWithPlayer(facts) ? line.at : line.position(at: max(arrival, line.since)))]
  }
}
