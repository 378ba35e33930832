import UnisonoBase
import UnisonoReplica

/// Makes people of a third of all scripts say that they are ready, or not, go on without others, and change the session's start
/// policy; in some of these two devices are one person's.
///
/// Draws from a generator of its own, so that what the seeds had before stays as it was.
struct PersonWriter {
  private var draft: ScriptDraft

  static func equip(_ script: Script) -> Script {
    guard let draft = ScriptDraft(script, probability: 1.0 / 3, salt: 0x6E7A_0000_0001) else { return script }
    var writer = PersonWriter(draft: draft)
    return writer.equipped()
  }

  private mutating func equipped() -> Script {
    if draft.names.count > 2, draft.generator.chance(0.4) { draft.script.onePerson = Array(draft.names.suffix(2)) }
    draft.add(.setStartPolicy(drawPolicy()), by: draft.names[0], at: 0)
    for _ in 0..<draft.generator.number(in: 3...12) {
      let action: ScriptAction
      switch draft.generator.number(in: 0...9) {
      case 0..<5: action = .say(.ready)
      case 5..<6: action = .say(.notReady)
      case 6..<7: action = .say(.notSaid)
      case 7..<9:
        let others = draft.names.filter { _ in draft.generator.chance(0.4) }
        action = .startWithout(draft.generator.chance(0.4) ? [] : others)
      default: action = .setStartPolicy(drawPolicy())
      }
      draft.add(action, by: draft.drawName(), at: draft.drawTime())
    }
    return draft.finished()
  }

  private mutating func drawPolicy() -> StartPolicy {
    StartPolicy(
      waiting: draft.generator.pick([.none, .first, .every, .every]),
      limit: draft.generator.number(in: .milliseconds(500)...(.seconds(20))), leaving: draft.generator.pick([.goOn, .pause]))
  }
}
