import UnisonoBase

/// Lets hosts get ready while the group pauses: in two thirds of all scripts, and there most of the hosts. Those that the library's
/// player drives always do.
///
/// Draws from a generator of its own, so that what the seeds had before stays as it was.
struct StandByWriter {
  static func equip(_ script: Script) -> Script {
    guard var draft = ScriptDraft(script, probability: 2.0 / 3, salt: 0x57B1_0000_000E) else { return script }
    for index in draft.script.specs.indices { draft.script.specs[index].preparesAhead = draft.generator.chance(0.85) }
    return draft.finished()
  }
}
