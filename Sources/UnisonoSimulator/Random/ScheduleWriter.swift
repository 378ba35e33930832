import UnisonoBase
import UnisonoCoordination
import UnisonoReplica

/// Lets people of a quarter of all scripts schedule starts, and take them back.
///
/// Draws from a generator of its own, so that what the seeds had before stays as it was.
struct ScheduleWriter {
  private var draft: ScriptDraft

  static func equip(_ script: Script) -> Script {
    guard let draft = ScriptDraft(script, probability: 0.25, salt: 0x5CED_0000_0008) else { return script }
    var writer = ScheduleWriter(draft: draft)
    return writer.equipped()
  }

  private mutating func equipped() -> Script {
    for _ in 0..<draft.generator.number(in: 1...4) {
      let time = draft.drawTime()
      let delay = draft.generator.number(in: .milliseconds(500)...(.seconds(20)))
      draft.add(.scheduleStart(of: draft.generator.chance(0.8) ? "X" : "Y", in: delay), by: draft.drawName(), at: time)
      // A scheduled start is one of a pause.
      if draft.generator.chance(0.6) { draft.add(.pause, by: draft.drawName(), at: time + .milliseconds(200)) }
      if draft.generator.chance(0.3) {
        draft.add(.cancelStart, by: draft.drawName(), at: time + draft.generator.number(in: 0...(delay + .seconds(1))))
      }
    }
    return draft.finished()
  }
}

extension InvariantCheck {
  /// (s): all scheduled starts of a run are past in the end; nobody's host is left counting down to one.
  func checkCountdown(of participant: Participant) {
    guard let last = participant.history.schedules.last?.value, last.kind != .due, last.kind != .canceled else { return }
    room.violate("s", "\(participant.name) still counts down to a start of \(last.start.item) that is past")
  }
}
