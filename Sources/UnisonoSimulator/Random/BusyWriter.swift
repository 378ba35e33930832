import UnisonoBase

/// Lets machines of a third of all scripts have more to do than they can, some of them all evening: what comes to them within a third
/// of a second is read in one turn, in which a command, its confirmation and another policy may come together.
///
/// Draws from a generator of its own, so that what the seeds had before stays as it was.
struct BusyWriter {
  private var draft: ScriptDraft

  static func equip(_ script: Script) -> Script {
    guard let draft = ScriptDraft(script, probability: 1.0 / 3, salt: 0xB051_0000_000B) else { return script }
    var writer = BusyWriter(draft: draft)
    return writer.equipped()
  }

  private mutating func equipped() -> Script {
    if draft.generator.chance(0.3) {
      let action = ScriptAction.busyMachine(length: draft.length, turnEvery: drawInterval())
      draft.add(action, by: draft.drawName(), at: 0)
    }
    for _ in 0..<draft.generator.number(in: 1...6) {
      let length = draft.generator.number(in: .milliseconds(200)...(.seconds(8)))
      draft.add(.busyMachine(length: length, turnEvery: drawInterval()), by: draft.drawName(), at: draft.drawTime())
    }
    return draft.finished()
  }

  private mutating func drawInterval() -> Nanoseconds { draft.generator.number(in: .milliseconds(5)...(.milliseconds(330))) }
}
