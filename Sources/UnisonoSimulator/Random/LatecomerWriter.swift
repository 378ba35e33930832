import UnisonoBase
import UnisonoReplica

/// Lets the last one of a fifth of all scripts of three or more come only after the others have begun.
///
/// Draws from a generator of its own, so that what the seeds had before stays as it was.
struct LatecomerWriter {
  static func equip(_ script: Script) -> Script {
    guard script.specs.count > 2, var draft = ScriptDraft(script, probability: 0.2, salt: 0x1A7E_0000_0012) else { return script }
    let (time, name) = (draft.drawTime(), draft.names.last ?? "")
    draft.add(.enter, by: name, at: time)
    draft.add(.move(to: "X", proposing: nil), by: name, at: time + draft.generator.number(in: .seconds(1)...(.seconds(4))))
    return draft.finished()
  }
}
