/// Getting onto a line: at the right instant from a stand, in place where the player runs already.
extension MediaPlayer {
  mutating func run(along line: Line) {
    guard !endsBefore(line) else { return settle() }
    if line.rate < 0, !abilities.playsBackwards { return giveUp(status: PlayerStatus.notSupported) }
    if course.isAnswering, !course.isGivenUp {
      if isSoughtElsewhere(than: line) {
        if renderer.isRunning { jump(on: line) } else { aim(at: line) }
      } else {
        // It is looked at again once the renderer is where it is being sent.
        course.isChanged = true
      }
    } else if renderer.isRunning {
      follow(line)
    } else {
      start(on: line)
    }
  }

  /// A seek is under way that leads away from the line.
  private func isSoughtElsewhere(than line: Line) -> Bool {
    guard let sought = renderer.sought else { return false }
    let arrival = line.position(at: max(line.since, sought.sent.adding(drift.seekCost.value)))
    return sought.target.subtracting(arrival).absolute > PlayerParameters.elsewhere
  }

  /// The line has passed the end of the item: there is nothing left to play.
  private func endsBefore(_ line: Line) -> Bool {
    guard let duration, duration != .max, line.rate > 0 else { return false }
    return line.position(at: beginsWithPlayer ? line.since : max(now, line.since)) >= duration
  }

  /// The line of the command being carried out is this player's alone: it begins when the player does, at the line's place.
  var beginsWithPlayer: Bool { course.mayBeginLater && course.command != nil }

  /// The line that passes `place` at `instant` where it is this player's alone to say; else the line as it is.
  private mutating func putOff(_ line: Line, toPass place: ItemTime, at instant: HostTime) -> Line {
    let reached = line.instant(of: place)
    let delay = instant.subtracting(reached)
    guard beginsWithPlayer, delay > 0, let command = course.command else { return line }
    let later = Line(at: line.at, rate: line.rate, since: line.since.adding(delay))
    course.goal = .run(later)
    coordinate(.beginsLater(command: command, by: delay))
    return later
  }

  /// The running player has come to where it was sent: the line that is its own begins there.
  mutating func putOffToHere(sought target: ItemTime) {
    guard case .run(let line) = course.goal, let here = renderer.position(at: now) else { return }
    let (before, after) = tolerances(of: course.command)
    let slack = PlayerParameters.lateStart
    // Some renderers still say where they were before.
    let isThere =
      here >= target.subtracting(before).subtracting(slack) && here <= target.adding(after).adding(slack)
    _ = putOff(line, toPass: isThere ? here : target, at: now)
  }

  // MARK: From a stand

  /// The renderer stands: lets it go when the line passes by, or sends it to where the line will be.
  mutating func start(on line: Line) {
    let earliest = now.adding(abilities.startsExactly ? PlayerParameters.aimMargin : drift.startLatency.value)
    guard let here = renderer.position?.itemTime else { return aim(at: line) }
    var line = line
    if beginsWithPlayer {
      if here.subtracting(line.at).absolute > PlayerParameters.sameFrame, course.aims == 0 { return aim(at: line) }
      line = putOff(line, toPass: here, at: earliest)
    }
    let reached = line.instant(of: here)
    let isTooEarly = reached > max(earliest, line.since).adding(PlayerParameters.earlyStart)
    let isBeforeLine = reached < line.since.subtracting(PlayerParameters.sameFrame)
    let isTooLate = reached < earliest.subtracting(PlayerParameters.lateStart)
    if isTooEarly || isBeforeLine, course.aims < 3 { return aim(at: line) }
    if isTooLate, course.aims == 0 { return aim(at: line) }
    // A renderer that starts exactly makes the most of what is left until then: to begin later would cut more.
    let instant = abilities.startsExactly && reached >= now ? reached : max(reached, earliest)
    if abilities.startsExactly {
      play(line, from: line.position(at: instant), at: instant)
    } else {
      course.step = .waiting(until: instant.subtracting(drift.startLatency.value), instant: instant)
      startIfDue()
    }
  }

  private mutating func aim(at line: Line) {
    course.aims += 1
    let arrival = now.adding(drift.seekCost.value).adding(drift.startLatency.value).adding(PlayerParameters.aimMargin)
    let target = beginsWithPlayer ? line.at : line.position(at: max(arrival, line.since))
    course.await(seek(to: target))
  }

  mutating func startIfDue() {
    guard case .waiting(let until, let instant) = course.step, case .run(let line) = course.goal, now >= until else {
      return
    }
    let from = renderer.isRunning ? line.position(at: instant) : renderer.position?.itemTime ?? line.at
    play(line, from: from, at: instant)
  }

  private mutating func play(_ line: Line, from here: ItemTime, at instant: HostTime) {
    stopNudging()
    course.start = renderer.isRunning ? nil : start(on: line, from: here)
    let request = render(.play) {
      $0.rate = line.rate
      $0.itemTime = here
      $0.hostTime = instant
    }
    course.await(request)
  }

  /// What is to come of a start that is told to the renderer now. That it is told late, by a timer that fires after its
  /// instant or as there was no time left, is no latency of the renderer: it was to be that far behind.
  private func start(on line: Line, from here: ItemTime) -> Course.Start {
    // One that starts exactly is told early, and has no other latency than what it takes it to do so.
    guard !abilities.startsExactly else { return .exact }
    return .early(behind: now.adding(drift.startLatency.value).subtracting(line.instant(of: here)))
  }

  // MARK: While it runs

  /// The renderer runs: small distances are the drift controller's, large ones are jumped over.
  private mutating func follow(_ line: Line) {
    let instant = max(now, line.since)
    // A person who seeks by a little wants to be there.
    let isSought = pendingSeek != nil && pendingSeek?.command == course.command
    let isNear = renderer.position(at: instant).map {
      let lead = $0.subtracting(line.position(at: instant)).scaled(by: 1 / line.rate)
      return lead.absolute <= (isSought ? PlayerParameters.sameFrame : drift.tolerance(at: now))
    }
    if line.rate != renderer.rate {
      if isNear == true {
        // What runs already has nothing to get going.
        course.step = .waiting(until: instant, instant: instant)
        startIfDue()
      } else {
        play(line, from: line.position(at: instant), at: instant)
        jump(on: line)
      }
    } else if isNear == true {
      settle()
    } else {
      jump(on: line)
    }
  }

  /// One seek, aimed at where the line will be when it is over.
  mutating func jump(on line: Line) {
    drift.noteSeek(at: now)
    counters.seeks += 1
    let arrival = now.adding(drift.seekCost.value)
    // Where the line waits for it the renderer takes its time: nobody knows beforehand how much.
    if abilities.startsExactly, !beginsWithPlayer || line.rate != renderer.rate {
      let instant = max(arrival.adding(PlayerParameters.aimMargin), line.since)
      let line = putOff(line, toPass: line.at, at: instant)
      return play(line, from: line.position(at: instant), at: instant)
    }
    stopNudging()
    let target = beginsWithPlayer ? line.at : line.position(at: max(arrival, line.since))
    course.await(seek(to: target))
  }
}
