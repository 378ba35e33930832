import UnisonoCore

/// What came of one run.
public struct RandomOutcome: Sendable {
  public var script: Script
  /// What coordinations took in.
  public var events: Int
  /// True time the run took, ns.
  public var duration: Nanoseconds
  /// How long each participant was shown as waiting, each time, ns.
  public var waits: [Nanoseconds]
  /// The longest that anybody waited without anything new happening, ns.
  public var longestWait: Nanoseconds
  /// What each host was told per thing that a person did.
  public var commandsPerAction: [Double]
  /// Messages sent, heartbeats and exchanges left out, per thing that a person did and per participant.
  public var messagesPerAction: Double
  /// The largest distance in the end between two players that play one item, ns; nil: no two do.
  public var skew: Nanoseconds?
  public var violations: [Violation]
  /// Empty unless asked for.
  public var log: [String]
  /// nil unless asked for.
  public var fingerprint: Fingerprint?

  public var seed: UInt64 { script.seed }
  public var profile: Profile { script.profile }

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
