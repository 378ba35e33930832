import UnisonoBase
import UnisonoReplica

/// Lets people of a third of all scripts say that their copy of an entry is another cut, by how much, otherwise, and no more.
///
/// The list has entries of both items, the group is at one of them, and in some it goes to the other. Draws from a generator of its own, so
/// that what the seeds had before stays as it was.
struct CutWriter {
  private var draft: ScriptDraft

  static func equip(_ script: Script) -> Script {
    guard let draft = ScriptDraft(script, probability: 1.0 / 3, salt: 0xC07E_0000_0005) else { return script }
    var writer = CutWriter(draft: draft)
    return writer.equipped()
  }

  private mutating func equipped() -> Script {
    draft.addList(from: 1 << 40)
    for _ in 0..<draft.generator.number(in: 2...10) {
      draft.add(.stateCut(ahead: drawOffset()), by: draft.drawName(), at: draft.drawTime())
    }
    guard draft.generator.chance(0.4) else { return draft.finished() }
    for _ in 0..<draft.generator.number(in: 1...2) {
      let time = draft.drawTime()
      draft.add(.edit(.select(Int(draft.generator.number(in: 0...1)))), by: draft.drawName(), at: time)
      for name in draft.names where draft.generator.chance(0.9) {
        draft.add(.edit(.follow), by: name, at: time + draft.generator.number(in: .milliseconds(50)...(.seconds(2))))
      }
    }
    return draft.finished()
  }

  /// A logo, an opening, another release; 0 takes it back.
  private mutating func drawOffset() -> Nanoseconds {
    let length: Nanoseconds
    switch draft.generator.number(in: 0...7) {
    case 0, 1: return 0
    case 2, 3: length = draft.generator.number(in: .milliseconds(1)...(.seconds(5)))
    case 4, 5: length = draft.generator.number(in: .seconds(5)...(.seconds(120)))
    default: length = draft.generator.number(in: .seconds(120)...(.seconds(900)))
    }
    return draft.generator.chance(0.5) ? length : -length
  }
}
