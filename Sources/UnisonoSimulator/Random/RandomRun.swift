import UnisonoCore

/// One random evening: people act, links break, hosts forget; then 35 s of quiet, then the invariants are checked.
public struct RandomRun {
  let room: Room
  let profile: Profile
  private var generator: SeededGenerator
  private var actions = 0
  private let items: [ItemID] = ["X", "Y"]

  /// Runs a seed from its beginning to its verdict.
  public static func run(seed: UInt64, logs: Bool = false) -> RandomOutcome {
    var run = RandomRun(seed: seed, logs: logs)
    return run.outcome()
  }

  private init(seed: UInt64, logs: Bool) {
    var generator = SeededGenerator(seed: seed ^ 0x5EED)
    profile = generator.pick(Profile.allCases)
    let names = Array(["A", "B", "C", "D", "E"].prefix(Int(generator.number(in: 2...5))))
    room = Room(seed: seed, participants: names, clockError: .milliseconds(1), shufflesIDs: true, logs: logs)
    room.dropsUnreadable = generator.chance(0.5)
    let forgetful = profile == .faulty || generator.chance(0.3)
    for person in room.people {
      let delay = Nanoseconds.milliseconds(generator.number(in: 3...150))
      let skew = generator.number(in: 0...(delay / 3))
      let jitter = generator.number(in: 0...(.milliseconds(20)))
      person.changeLink { $0 = LinkQuality(up: delay + skew, down: delay - skew, jitter: jitter) }
      let speed = generator.number(in: .milliseconds(5)...(.milliseconds(600)))
      person.changePlayer {
        $0.buffer = speed
        $0.seek = speed
        $0.start = .milliseconds(1)
        $0.forgets = forgetful ? 0.04 : 0
        $0.completesSuperseded = speed % 2 == 0
      }
      person.readsTogether(within: generator.number(in: 0...(.milliseconds(3))))
      person.reports(every: .seconds(4))
      person.snapsPauses(generator.chance(0.5))
      if generator.chance(0.3) { person.waits(for: ["scrubbing"]) }
    }
    if generator.chance(0.5) { room.a.setStallPolicy(StallPolicy(waits: true)) }
    self.generator = generator
  }

  private mutating func outcome() -> RandomOutcome {
    room.join()
    room.gather(on: "X")
    for _ in 0..<generator.number(in: 8...25) {
      act(room.people[Int(generator.number(in: 0...Int64(room.people.count - 1)))])
      room.run(for: pause())
    }
    room.run(for: .seconds(8))
    for person in room.people where !person.hasLink { person.reconnect() }
    room.run(for: .seconds(35))
    InvariantCheck(room: room).check()
    return RandomOutcome(
      seed: room.seed, profile: profile, participants: room.people.count, actions: actions, events: room.eventCount,
      commands: room.players.map(\.commands.count).reduce(0, +), duration: room.now,
      longestWait: InvariantCheck(room: room).longestWait, violations: room.violations, log: room.log.lines)
  }

  private mutating func pause() -> Nanoseconds {
    let hurries = generator.chance(profile == .contention ? 0.8 : 0.4)
    return hurries
      ? generator.number(in: .milliseconds(5)...(.milliseconds(200)))
      : generator.number(in: .milliseconds(500)...(.seconds(6)))
  }

  private mutating func act(_ person: Person) {
    actions += 1
    if generator.chance(profile == .faulty ? 0.25 : 0.05) { return loseLink(person) }
    switch generator.number(in: 0...99) {
    case 0..<26: person.play(rate: generator.chance(0.2) ? 1.5 : 1)
    case 26..<48: person.pause()
    case 48..<70: person.seek(to: somewhere())
    case 70..<76: person.play(rate: generator.pick([0.5, 1, 1.25, 2]))
    case 76..<80: person.playImmediately()
    case 80..<84: person.seekImmediately(to: somewhere())
    case 84..<91: suspend(person)
    case 91..<94: stall(person)
    // In contention all stay on one item, so that they do contend.
    default: if profile == .contention { person.pause() } else { move(person) }
    }
  }

  private mutating func somewhere() -> ItemTime { generator.number(in: 0...(.seconds(3_000))) }

  private mutating func suspend(_ person: Person) {
    let suspension = person.suspend(generator.pick(["scrubbing", "interstitial"]))
    let proposal = generator.chance(0.5) ? somewhere() : nil
    let local = generator.chance(0.4) ? somewhere() : nil
    let length = generator.number(in: .milliseconds(100)...(.seconds(6)))
    if let local { room.after(length / 2) { _ in person.seek(to: local) } }
    room.after(length) { _ in person.end(suspension, proposing: proposal) }
  }

  /// Its player runs dry for a while; if nobody waited for it, it asks where to be afterwards.
  private mutating func stall(_ person: Person) {
    let length = generator.number(in: .milliseconds(100)...(.seconds(8)))
    person.stalls(for: length)
    room.after(length + .milliseconds(1)) { _ in person.reapply() }
  }

  private mutating func move(_ person: Person) {
    let proposal: Proposal? =
      generator.chance(0.5) ? Proposal(rate: generator.chance(0.3) ? 1 : 0, itemTime: somewhere()) : nil
    // Mostly to X: apart on items of their own, people have nothing to coordinate.
    person.transition(to: generator.chance(0.7) ? items[0] : items[1], proposing: proposal)
  }

  private mutating func loseLink(_ person: Person) {
    let length = generator.number(in: .milliseconds(300)...(.seconds(5)))
    person.loseLink(
      noticedAfter: generator.number(in: 0...(.seconds(1))), hubNoticesAfter: generator.number(in: 0...(.seconds(3))),
      backAfter: length)
  }
}
