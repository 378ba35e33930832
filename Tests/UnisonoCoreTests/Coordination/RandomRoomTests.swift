import Testing

@testable import UnisonoBase
@testable import UnisonoCoordination
@testable import UnisonoReplica

/// Random people, hosts and links; after quiet everybody must agree, and every host must have been told so.
@Suite struct RandomRoomTests {
  @Test("whatever people do at once: after quiet all registers are equal and all hosts follow", arguments: 0..<16)
  func quiet(seed: Int) {
    var random = SplitMix64(seed: UInt64(seed))
    let count = Int.random(in: 2...5, using: &random)
    var room = RuleHarness.joined(count)
    room.delay = .milliseconds(Int64.random(in: 1...80, using: &random))
    room.hostLatency = (0..<count).map { _ in
      Int.random(in: 0..<12, using: &random) == 0 ? nil : .milliseconds(Int64.random(in: 5...900, using: &random))
    }
    room.jitter = .milliseconds(Int64.random(in: 0...300, using: &random))
    room.random = SplitMix64(seed: UInt64(seed) + 1_000)
    // Every other room is contended.
    let pace: Nanoseconds = .milliseconds(seed.isMultiple(of: 2) ? 900 : 120)
    var open: [[UInt64]] = Array(repeating: [], count: count)
    var nextSuspension: UInt64 = 1
    for _ in 0..<30 {
      act(on: &room, open: &open, next: &nextSuspension, random: &random)
      room.run(Int64.random(in: 0...pace, using: &random))
    }
    for index in 0..<count {
      if !room.linked.contains(index) { room.link(index) }
      for id in open[index] { room.give(.endSuspension(id: id, proposing: nil), to: index) }
      room.give(.transition(to: "X", proposal: nil), to: index)
    }
    room.run(.seconds(40))
    let reference = transport(room.nodes[0])
    for node in room.nodes { #expect(transport(node) == reference) }
    for index in room.nodes.indices where room.nodes[index].view.suspensionReasons.isEmpty {
      check(room, index)
    }
    let before = room.commands.map(\.count)
    room.run(.seconds(10))
    let after = room.commands.map(\.count)
    #expect(before == after)
  }

  private func act(
    on room: inout RuleHarness, open: inout [[UInt64]], next: inout UInt64, random: inout SplitMix64
  ) {
    let who = room.nodes.indices.randomElement(using: &random) ?? 0
    let position = Nanoseconds.seconds(Int64.random(in: 0...900, using: &random))
    switch Int.random(in: 0..<16, using: &random) {
    case 0...2: room.give(.rateChange(rate: 1, immediately: Bool.random(using: &random)), to: who)
    case 3...5: room.give(.rateChange(rate: 0, immediately: false), to: who)
    case 6: room.give(.rateChange(rate: 1.5, immediately: false), to: who)
    case 7...9: room.give(.seek(to: position, resumeImmediately: Bool.random(using: &random)), to: who)
    case 10:
      room.give(.beginSuspension(id: next, reason: "r"), to: who)
      open[who].append(next)
      next += 1
    case 11...12:
      guard let id = open[who].popLast() else { return }
      room.give(.endSuspension(id: id, proposing: Bool.random(using: &random) ? position : nil), to: who)
    case 13: room.give(.transition(to: Bool.random(using: &random) ? "X" : "Y", proposal: nil), to: who)
    case 14: if room.linked.contains(who) { room.unlink(who) }
    default: if !room.linked.contains(who) { room.link(who) }
    }
  }

  private func transport(_ node: Coordination) -> [RegisterKey: Statement] {
    node.facts.registers.statements.filter { $0.key.item == "X" && !node.facts.registers.isStale($0.value) }
  }

  /// What the host was told last is where the group is.
  private func check(_ room: RuleHarness, _ index: Int) {
    let timing = room.nodes[index].view.timing
    guard let last = room.commands[index].last else {
      #expect(timing.status == .paused)
      return
    }
    switch timing.status {
    case .playing:
      #expect(last.kind == .play)
      let line = Line(at: last.itemTime, rate: last.rate, since: last.hostTime ?? 0)
      #expect(abs(line.position(at: room.now) - room.position(of: index)) <= .milliseconds(2))
    case .paused:
      #expect(last.kind == .pause || last.kind == .seek)
      #expect(abs(last.itemTime - room.position(of: index)) <= .milliseconds(2))
    default:
      Issue.record("\(timing.status) after quiet")
    }
  }
}
