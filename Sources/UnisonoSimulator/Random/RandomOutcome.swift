import UnisonoBase

/// What came of one run.
package struct RandomOutcome: Sendable {
  package var script: Script
  /// What coordinations took in.
  package var events: Int
  /// True time the run took, ns.
  package var duration: Nanoseconds
  /// How long each participant was shown as waiting, each time, ns.
  package var waits: [Nanoseconds]
  /// The longest that anybody waited without anything new happening, ns.
  package var longestWait: Nanoseconds
  /// What each host was told per thing that a person did.
  package var commandsPerAction: [Double]
  /// Messages sent, heartbeats and exchanges left out, per thing that a person did and per participant.
  package var messagesPerAction: Double
  /// The largest distance in the end between two players that play one item, ns; nil: no two do.
  package var skew: Nanoseconds?
  package var violations: [Violation]
  /// Empty unless asked for.
  package var log: [String]
  /// nil unless asked for.
  package var fingerprint: Fingerprint?

  package var seed: UInt64 { script.seed }
  package var profile: Profile { script.profile }

  init(script: Script, room: SimulatedSession) {
    self.script = script
    events = room.eventCount
    duration = room.now
    waits = room.participants.flatMap { $0.history.waits.map { ($0.to ?? room.now) - $0.from } }
    longestWait = InvariantCheck(room: room, script: script).longestWait
    let actions = Double(max(1, script.actions))
    commandsPerAction = room.participants.map { Double($0.player.commands.count) / actions }
    messagesPerAction = Double(room.messageCount) / actions / Double(room.participants.count)
    skew = room.skew
    violations = room.violations
    log = room.log.lines
    fingerprint = room.fingerprint
  }
}
