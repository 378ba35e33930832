import Testing
import UnisonoBase
import UnisonoSimulator

@Suite struct RandomRunTests {
  /// The wide run is that of the release build: `make test-seeds`.
  @Test(
    "invariants (a) to (k) hold after quiet for random people, nets, machines and hosts",
    arguments: Profile.allCases)
  func invariants(_ profile: Profile) {
    for seed in UInt64(1)...(profile == .large ? 4 : profile == .byzantine ? 20 : 24) {
      let outcome = RandomRun.run(seed: seed, profile: profile)
      let report = outcome.violations.map(\.description).joined(separator: "; ")
      #expect(
        outcome.violations.isEmpty, "unisono-sim --seeds 1 --seed \(seed) --profile \(profile.rawValue): \(report)")
    }
  }

  @Test("a seed is a run: the same log each time, another one for another seed")
  func replay() {
    let first = RandomRun.run(seed: 11, logs: true)
    #expect(first.log == RandomRun.run(seed: 11, logs: true).log)
    #expect(first.log.count > 100)
    #expect(first.log != RandomRun.run(seed: 12, logs: true).log)
  }

  @Test("a fingerprint is of what was decided: the same each time, another for another seed or one press less")
  func fingerprint() {
    let first = RandomRun.run(seed: 11, hasFingerprint: true).fingerprint
    #expect(first != nil)
    #expect(first == RandomRun.run(seed: 11, hasFingerprint: true).fingerprint)
    #expect(first != RandomRun.run(seed: 12, hasFingerprint: true).fingerprint)
    var script = RandomRun.script(seed: 11)
    script.steps.removeLast()
    #expect(first != RandomRun.run(script, hasFingerprint: true).fingerprint)
    #expect(RandomRun.run(seed: 11).fingerprint == nil)
  }

  @Test("some seeds measure their clocks with the library's filter, and all that may befall somebody does in some")
  func variety() {
    let scripts = (UInt64(1)...300).map { RandomRun.script(seed: $0) }
    #expect(scripts.contains { $0.specs.contains(where: \.measuresClock) })
    #expect(scripts.contains { $0.specs.count > 5 })
    #expect(scripts.contains { $0.clockError == .milliseconds(30) })
    for path in NetworkPath.all { #expect(scripts.contains { $0.specs.contains { $0.link.path == path } }) }
    var seen: Set<String> = []
    for step in scripts.flatMap(\.steps) { seen.insert(step.action.kind) }
    #expect(seen.count == 35, "seen: \(seen.sorted())")
  }

  @Test("a third of all seeds has each of what goes on beside playing, and a quarter has scheduled starts")
  func beside() {
    let scripts = (UInt64(1)...300).map { RandomRun.script(seed: $0) }
    func count(_ kind: String) -> Int { scripts.count { $0.steps.contains { $0.action.kind == kind } } }
    for kind in ["stateCut", "attachment", "chat", "setSkipPolicy", "sendAt", "setInterstitials", "busyMachine", "coordinator", "stateCopy"] {
      #expect((75...125).contains(count(kind)), "\(count(kind)) with \(kind)")
    }
    #expect((50...100).contains(count("scheduleStart")))
    #expect((25...60).contains(count("enter")), "\(count("enter")) with somebody who comes late")
    let own = (UInt64(1)...40).map { RandomRun.script(seed: $0, profile: .interstitials) }
    #expect(own.allSatisfy { $0.steps.contains { $0.action.kind == "setInterstitials" } })
    #expect(scripts.contains { $0.steps.contains { if case .attachment(.giveOtherBytes) = $0.action { true } else { false } } })
    // Some write more than is kept.
    let lines = scripts.map { $0.steps.reduce(0) { if case .chat(.write(let count, _)) = $1.action { $0 + count } else { $0 } } }
    #expect(lines.contains { $0 > 300 })
  }

  @Test(
    "some seeds have roles, items that end, live items, people without an item, deaths: a third of all has any of it")
  func wider() {
    let scripts = (UInt64(1)...300).map { RandomRun.script(seed: $0) }
    #expect(scripts.contains { $0.control == .hostsOnly })
    #expect(scripts.contains { $0.joinerRole == .viewer })
    let reaches = scripts.flatMap(\.specs).compactMap(\.reach)
    #expect(reaches.contains { $0.range(at: 0) == $0.range(at: .seconds(1)) })
    #expect(reaches.contains { $0.range(at: 0) != $0.range(at: .seconds(1)) })
    #expect(scripts.contains { $0.specs.contains(where: \.comesWithoutItem) })
    let wider = scripts.count { script in
      script.control != .everyone || script.joinerRole != .member
        || script.specs.contains { $0.reach != nil || $0.comesWithoutItem }
        || script.steps.contains { ["setRole", "setControl", "vanish"].contains($0.action.kind) }
    }
    #expect((60...110).contains(wider), "\(wider) of 300")
  }

  @Test(
    "a player that has an item to its end only stands there, says so, and the group is paused there when all have ended"
  )
  func ends() {
    let room = SimulatedSession(participants: ["A", "B"], delay: .milliseconds(20))
    room.a.has(.cut(end: .seconds(10)))
    room.b.has(.cut(end: .seconds(12)))
    room.join()
    room.gather(on: "X")
    room.a.play()
    room.run(for: .seconds(11))
    #expect(room.player("A").position == .seconds(10))
    #expect(room.player("A").rate == 0)
    #expect(room.player("B").isPlaying)
    room.run(for: .seconds(4))
    #expect(room.player("B").position == .seconds(12))
    for person in room.people { #expect(person.status == .paused) }
  }

  @Test(
    "a live player cannot go beyond its edge, which moves on, and is where the group is once the edge has come there")
  func liveEdge() {
    let room = SimulatedSession(participants: ["A", "B"], delay: .milliseconds(20))
    let edge = Nanoseconds.seconds(60_000)
    for person in room.people { person.has(.live(edge: edge, window: .seconds(100_000))) }
    room.b.reports(every: .seconds(4))
    room.join()
    room.gather(on: "X")
    let timing = room.player("B").range?.upperBound ?? 0
    room.b.seek(to: timing + .seconds(20))
    room.run(for: .seconds(5))
    #expect(room.player("B").position <= timing + .seconds(6))
    room.run(for: .seconds(25))
    #expect(room.player("B").position == timing + .seconds(20))
  }

  @Test("who may not command and tries to is where the group is in the end, and no command of it is sent")
  func viewer() {
    var script = RandomRun.script(seed: 5, profile: .large)
    script.control = .perRole
    script.joinerRole = .viewer
    script.hubs = 1
    script.specs = Array(script.specs.prefix(3))
    for index in script.specs.indices {
      script.specs[index].link = LinkQuality(up: .milliseconds(20), down: .milliseconds(20))
      script.specs[index].abilities = PlayerAbilities()
      script.specs[index].reach = nil
      script.specs[index].comesWithoutItem = false
    }
    let actions: [(at: Nanoseconds, who: String, action: ScriptAction)] = [
      (0, "A", .play(rate: 1, immediately: false)), (.seconds(2), "B", .seek(to: .seconds(900), immediately: false)),
      (.seconds(3), "B", .pause), (.seconds(4), "C", .setRole(of: "B", .host)),
    ]
    let step = script.steps[0]
    script.steps = actions.map { action in
      var step = step
      (step.at, step.who, step.action) = action
      return step
    }
    let judge: RandomRun.Judge = { room in
      room.written.filter { $0.author != "A" }.map { Violation(invariant: "p", at: $0.at, what: "\($0.author) wrote") }
        + (room.allPlay ? [] : [Violation(invariant: "b", at: room.now, what: "somebody does not play")])
    }
    #expect(RandomRun.run(script, judge: judge).violations.map(\.description) == [])
  }
}
