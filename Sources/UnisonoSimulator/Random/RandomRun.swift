import UnisonoBase
import UnisonoCoordination
import UnisonoPlayer
import UnisonoReplica

/// One random evening: people act, links break, hosts forget; then it is quiet, then the invariants are checked.
package struct RandomRun {
  /// What else has to hold at the end, for those who break rules on purpose.
  package typealias Judge = @Sendable (SimulatedSession) -> [Violation]

  /// From the last thing that happens until everybody is brought back, and from there to the verdict.
  private static let settling = Nanoseconds.seconds(8)
  private static let quiet = Nanoseconds.seconds(35)
  /// More of it, where who was lost may bring about a pause when it goes off the list.
  private static let afterLoss = Nanoseconds.seconds(45)
  /// From an item's end, which is news, until it is quiet again.
  fileprivate static let afterEnd = Nanoseconds.seconds(5)

  /// The script of a seed; nil: of a kind that is drawn, too.
  package static func script(seed: UInt64, profile: Profile? = nil) -> Script {
    ScriptWriter.write(seed: seed, profile: profile)
  }

  /// Runs a seed from its beginning to its verdict.
  package static func run(
    seed: UInt64, profile: Profile? = nil, logs: Bool = false, hasFingerprint: Bool = false
  ) -> RandomOutcome {
    run(script(seed: seed, profile: profile), logs: logs, hasFingerprint: hasFingerprint)
  }

  package static func run(
    _ script: Script, logs: Bool = false, hasFingerprint: Bool = false, judge: Judge? = nil
  ) -> RandomOutcome {
    let room = SimulatedSession(
      seed: script.seed, participants: script.specs.map { $0.name }, clockError: script.clockError, shufflesIDs: true,
      hubs: script.hubs, control: script.control, joinerRole: script.joinerRole,
      succession: script.succession, logs: logs, hasFingerprint: hasFingerprint)
    room.dropsUnreadable = script.dropsUnreadable
    if script.hubDrift > 0 { room.hubClocksDrift(by: script.hubDrift) }
    for spec in script.specs { spec.apply(to: room[spec.name]) }
    for name in script.liars { room[name].isKnownToLie() }
    if script.hasChat { room.opensChats() }
    if script.hasAttachments { room.opensShelves() }
    if script.hasCues { room.opensCues() }
    room.join(script.specs.map { $0.name }.filter { !script.latecomers.contains($0) })
    if !script.onePerson.isEmpty { room.areOnePerson(script.onePerson) }
    for spec in script.specs where !spec.comesWithoutItem && !script.latecomers.contains(spec.name) { room[spec.name].begins("X") }
    room.run(for: .seconds(2))
    if script.waitsForStalls { room.people.first?.setStallPolicy(StallPolicy(waits: true)) }
    let start = room.now
    for step in script.steps {
      room.run(until: start + step.at)
      let person = room[step.who]
      // Who sleeps or has left presses nothing.
      guard step.action.isOfTheWorld || person.canAct else { continue }
      room.log.note(room.now, step.who, "=== \(step.action)")
      step.action.happen(to: person, in: room)
    }
    let last = script.steps.map { $0.at + $0.action.length }.max() ?? 0
    room.run(until: start + last + settling)
    room.bringBack()
    room.run(for: script.pausesForLeavers ? quiet + afterLoss : quiet)
    for _ in room.people where room.hasJustEnded || room.hasJustSkipped || room.isJustOverdue { room.run(for: Self.afterEnd) }
    room.dismissUnanswered()
    if script.liars.isEmpty {
      let check = InvariantCheck(room: room, script: script)
      for one in check.all { one.check() }
      if script.hasChat || script.hasAttachments { check.checkSide() }
      check.checkApart()
    } else {
      let check = HonestCheck(room: room, script: script)
      check.putOutLiars()
      check.play()
      check.check()
    }
    if let judge { for violation in judge(room) { room.violate(violation.invariant, violation.what) } }
    return RandomOutcome(script: script, room: room)
  }
}

extension ScriptAction {
  /// It happens whether or not anybody in particular could do anything.
  fileprivate var isOfTheWorld: Bool {
    switch self {
    case .hubDies, .hubReturns, .partition, .enter: true
    default: false
    }
  }
}

extension Person {
  /// Its first item.
  fileprivate func begins(_ item: ItemID) {
    if participant.layer == nil { transition(to: item) } else { does(.insert(PlayerItem(id: item), after: nil)) }
  }
}

extension SimulatedSession {
  /// Somebody's item came to its end a moment ago: not everybody need know yet.
  fileprivate var hasJustEnded: Bool {
    participants.contains { participant in
      guard participant.isRunning, let ends = participant.player.endsAt else { return false }
      return (now - RandomRun.afterEnd...now).contains(participant.clock.time(at: ends))
    }
  }

  /// The group went on at the end of a range a moment ago: not everybody need be ready there yet.
  fileprivate var hasJustSkipped: Bool {
    participants.contains { participant in
      participant.player.commands.contains { $0.at > now - RandomRun.afterEnd && $0.command.cause == .range }
    }
  }

  /// Somebody's host was given up a moment ago, as it never did what it was told: not everybody need know yet.
  fileprivate var isJustOverdue: Bool {
    (participants + coordinators.values.flatMap { $0.participants }).contains { participant in
      participant.history.overdue.contains { $0.at > now - RandomRun.afterEnd }
    }
  }

  /// Who came when all others were gone is let in by nobody, and waits (J15).
  fileprivate func dismissUnanswered() {
    let running = people.filter { $0.participant.isRunning }
    guard running.count == 1, let last = running.first, !last.hasJoined else { return }
    last.vanish(hubNoticesAfter: 0)
  }

  /// Hubs, net and links are whole again.
  fileprivate func bringBack() {
    for hub in hubs.indices { hubReturns(hub) }
    if reach != nil { heal() }
    for person in people where !person.hasLink { person.reconnect() }
  }
}
