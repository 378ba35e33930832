import UnisonoBase
import UnisonoReplica

/// Makes people of a third of all scripts say that they are ready, or not, go on without others, and change the session's start
/// policy; in some of these two devices are one person's.
///
/// Draws from a generator of its own, so that what the seeds had before stays as it was.
struct PersonWriter {
  private var generator: Xoshiro256
  private var script: Script

  static func equip(_ script: Script) -> Script {
    var writer = PersonWriter(generator: Xoshiro256(seed: script.seed ^ 0x6E7A_0000_0001), script: script)
    guard writer.generator.chance(1.0 / 3) else { return script }
    writer.equip()
    return writer.script
  }

  private mutating func equip() {
    let names = script.specs.map { $0.name }
    if names.count > 2, generator.chance(0.4) { script.onePerson = Array(names.suffix(2)) }
    let last = script.steps.map { $0.at }.max() ?? 0
    add(.setStartPolicy(drawPolicy()), by: names[0], at: 0)
    for _ in 0..<generator.number(in: 3...12) {
      let action: ScriptAction
      switch generator.number(in: 0...9) {
      case 0..<5: action = .say(.ready)
      case 5..<6: action = .say(.notReady)
      case 6..<7: action = .say(.notSaid)
      case 7..<9:
        let others = names.filter { _ in generator.chance(0.4) }
        action = .startWithout(generator.chance(0.4) ? [] : others)
      default: action = .setStartPolicy(drawPolicy())
      }
      add(action, by: generator.pick(names), at: generator.number(in: 0...last))
    }
    script.sortSteps()
  }

  private mutating func drawPolicy() -> StartPolicy {
    StartPolicy(
      waiting: generator.pick([.none, .first, .every, .every]),
      limit: generator.number(in: .milliseconds(500)...(.seconds(20))), leaving: generator.pick([.goOn, .pause]))
  }

  private mutating func add(_ action: ScriptAction, by name: String, at time: Nanoseconds) {
    script.steps.append(Script.Step(at: time, who: name, action: action))
  }
}
