import UnisonoBase
import UnisonoReplica

/// A script to which more is added, and a generator of its own for that, so that what its seed had before stays as it was.
struct ScriptDraft {
  var generator: Xoshiro256
  var script: Script
  /// Of all participants.
  let names: [String]
  /// When the last thing happened before anything was added.
  let length: Nanoseconds

  /// nil: a script gets something of this kind with that probability, and this one does not. `salt`: another one for each kind.
  init?(_ script: Script, probability: Double, salt: UInt64) {
    generator = Xoshiro256(seed: script.seed ^ salt)
    guard generator.chance(probability) else { return nil }
    self.script = script
    names = script.specs.map { $0.name }
    length = script.steps.map { $0.at }.max() ?? 0
  }

  mutating func drawTime() -> Nanoseconds { generator.number(in: 0...length) }

  mutating func drawName() -> String { generator.pick(names) }

  mutating func add(_ action: ScriptAction, by name: String, at time: Nanoseconds) {
    script.steps.append(Script.Step(at: time, who: name, action: action))
  }

  /// From the beginning the list has an entry of each item, and the group is at the one of X. `number`: of the first of the two.
  mutating func addList(from number: UInt64) {
    add(.edit(.add("X", number: number, before: nil)), by: names[0], at: 0)
    add(.edit(.add("Y", number: number + 1, before: nil)), by: names[0], at: 0)
    add(.edit(.select(0)), by: names[0], at: .milliseconds(300))
  }

  /// The script with all that was added, in the order of time.
  func finished() -> Script {
    var script = script
    script.sortSteps()
    return script
  }
}
