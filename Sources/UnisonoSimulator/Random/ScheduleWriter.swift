import UnisonoBase
import UnisonoCoordination
import UnisonoReplica

/// Lets people of a quarter of all scripts schedule starts, and take them back.
///
/// Draws from a generator of its own, so that what the seeds had before stays as it was.
struct ScheduleWriter {
  private var generator: Xoshiro256
  private var script: Script

  static func equip(_ script: Script) -> Script {
    var writer = ScheduleWriter(generator: Xoshiro256(seed: script.seed ^ 0x5CED_0000_0008), script: script)
    guard writer.generator.chance(0.25) else { return script }
    writer.equip()
    return writer.script
  }

  private mutating func equip() {
    let length = script.steps.map { $0.at }.max() ?? 0
    let names = script.specs.map { $0.name }
    for _ in 0..<generator.number(in: 1...4) {
      let time = generator.number(in: 0...length)
      let delay = generator.number(in: .milliseconds(500)...(.seconds(20)))
      add(.scheduleStart(of: generator.chance(0.8) ? "X" : "Y", in: delay), by: generator.pick(names), at: time)
      // A scheduled start is one of a pause.
      if generator.chance(0.6) { add(.pause, by: generator.pick(names), at: time + .milliseconds(200)) }
      if generator.chance(0.3) {
        add(.cancelStart, by: generator.pick(names), at: time + generator.number(in: 0...(delay + .seconds(1))))
      }
    }
    script.sortSteps()
  }

  private mutating func add(_ action: ScriptAction, by name: String, at time: Nanoseconds) {
    script.steps.append(Script.Step(at: time, who: name, action: action))
  }
}

extension InvariantCheck {
  /// (s): all scheduled starts of a run are past in the end; nobody's host is left counting down to one.
  func checkCountdown(of participant: Participant) {
    guard let last = participant.history.schedules.last?.value, last.kind != .due, last.kind != .canceled else { return }
    room.violate("s", "\(participant.name) still counts down to a start of \(last.start.item) that is past")
  }
}
