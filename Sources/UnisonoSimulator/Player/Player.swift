import UnisonoBase
import UnisonoCoordination

/// A host's player: driven by the four commands alone, with latencies of its own, remembering all it did.
package struct Player: Sendable {
  package internal(set) var abilities: PlayerAbilities
  package internal(set) var item: ItemID?
  /// Everything it was told, oldest first.
  package internal(set) var commands: [ReceivedCommand] = []
  /// Motion in host time: each holds from its `since` until the next one's.
  private var motions: [Line]
  /// Counts what made it change course; what was put in motion before is void.
  private(set) var course: UInt64 = 0
  /// Host time until which it lacks data: it neither runs nor becomes ready before; nil: it does not stall.
  private(set) var stalledUntil: HostTime?
  /// nil: everything.
  var reach: PlayerReach?

  init(abilities: PlayerAbilities, at host: HostTime) {
    self.abilities = abilities
    motions = [Line(at: 0, rate: 0, since: host)]
  }

  /// The motion in force at a host time.
  func motion(at host: HostTime) -> Line {
    let motion = motions.last { $0.since <= host } ?? motions[0]
    guard let reach, motion.rate > 0 else { return motion }
    let end = reach.range(at: host).upperBound
    return motion.position(at: host) < end ? motion : Line(at: end, rate: reach.rateAtEnd, since: host)
  }

  /// Host time at which what it does now, or is about to do, comes to the end of its item; nil: never.
  var endsAt: HostTime? {
    guard case .cut(let end)? = reach, let motion = motions.last, motion.rate > 0 else { return nil }
    return motion.since + max(0, (end - motion.at).scaled(by: 1 / motion.rate)) + 1
  }

  /// Motions that follow a stand.
  var starts: [Line] {
    zip(motions, motions.dropFirst()).filter { $0.rate == 0 && $1.rate != 0 }.map { $0.1 }
  }

  func position(at host: HostTime) -> ItemTime { motion(at: host).position(at: host) }

  func report(at host: HostTime, stalled: Bool = false) -> PlaybackReport {
    PlaybackReport(
      stalled: stalled || isStalled(at: host), rate: motion(at: host).rate,
      position: .init(itemTime: position(at: host), hostTime: host), range: reach?.range(at: host))
  }

  /// Another item is loaded, at the position that the person chose.
  mutating func load(_ item: ItemID?, line: Line, at host: HostTime) {
    self.item = item
    course += 1
    motions.removeAll { $0.since >= host }
    move(line)
  }

  /// Stops or goes on without having been told: a route change, a stall, a person at the renderer itself.
  mutating func wander(to line: Line) {
    course += 1
    move(line)
  }

  func isStalled(at host: HostTime) -> Bool { stalledUntil.map { host < $0 } ?? false }

  /// Runs out of data and stands; if nothing else comes, it runs on from there as soon as there is some.
  mutating func stall(from host: HostTime, until end: HostTime) -> PlayerPlan {
    let before = motion(at: host)
    course += 1
    stalledUntil = end
    let here = before.position(at: host)
    move(Line(at: here, rate: 0, since: host))
    move(Line(at: here, rate: before.rate, since: end))
    return PlayerPlan(course: course, completes: end, reports: [end])
  }

  /// The first host time from `host` on at which it has data.
  private func supplied(_ host: HostTime) -> HostTime { max(host, stalledUntil ?? host) }

  private mutating func move(_ line: Line) {
    motions.removeAll { $0.since >= line.since }
    motions.append(line)
  }

  /// Carries a command out, as far as it can be foreseen; a newer command changes the rest.
  mutating func carryOut(_ command: PlaybackCommand, at host: HostTime) -> PlayerPlan {
    course += 1
    let before = motion(at: host)
    let here = before.position(at: host)
    motions.removeAll { $0.since > host }
    switch command.kind {
    case .buffer:
      move(Line(at: here, rate: 0, since: host))
      return PlayerPlan(course: course, completes: supplied(host) + abilities.buffer, reports: [])
    case .pause:
      move(Line(at: here, rate: 0, since: host))
      var done = host
      if command.snap, command.itemTime != here {
        done += abilities.seek
        move(Line(at: command.itemTime, rate: 0, since: done))
      }
      let ready = command.buffersInAnticipation ? supplied(done) + abilities.buffer : done
      return PlayerPlan(course: course, completes: ready, reports: done == host ? [host] : [host, done])
    case .seek:
      // Without a start to prepare for, what ran runs on from there.
      let rate = command.anticipatedRate == 0 ? before.rate : 0
      let done = host + abilities.seek
      move(Line(at: here, rate: 0, since: host))
      move(Line(at: command.itemTime, rate: rate, since: done))
      let ready = command.anticipatedRate == 0 ? done : supplied(done) + abilities.buffer
      return PlayerPlan(course: course, completes: ready, reports: [host, done])
    case .play:
      let line = Line(at: command.itemTime, rate: command.rate, since: command.hostTime ?? host)
      let begins = begin(line, from: here, moving: before.rate != 0, at: host)
      return PlayerPlan(course: course, completes: begins, reports: [begins])
    }
  }

  /// Gets onto `line` as early as it can and says when that is.
  private mutating func begin(_ line: Line, from here: ItemTime, moving: Bool, at host: HostTime) -> HostTime {
    let near = Nanoseconds.milliseconds(40)
    if moving {
      let begins = supplied(max(line.since, host))
      let away = motion(at: host).position(at: begins).subtracting(line.position(at: begins)).absolute
      if away <= near {
        move(Line(at: line.position(at: begins), rate: line.rate, since: begins))
        return begins
      }
    } else {
      let begins = supplied(max(line.since, host + abilities.start))
      if here.subtracting(line.position(at: begins)).absolute <= near {
        move(Line(at: line.position(at: begins), rate: line.rate, since: begins))
        return begins
      }
    }
    // It has to jump: stop, seek to where the line will be by then.
    move(Line(at: here, rate: 0, since: host))
    let begins = supplied(max(line.since, host + abilities.seek + abilities.start))
    move(Line(at: line.position(at: begins), rate: line.rate, since: begins))
    return begins
  }
}
