import UnisonoBase
import UnisonoReplica

/// Lets people of a third of all scripts say that their copy of an entry is another cut, by how much, otherwise, and no more.
///
/// The list has entries of both items, the group is at one of them, and in some it goes to the other. Draws from a generator of its own, so
/// that what the seeds had before stays as it was.
struct CutWriter {
  private var generator: Xoshiro256
  private var script: Script

  static func equip(_ script: Script) -> Script {
    var writer = CutWriter(generator: Xoshiro256(seed: script.seed ^ 0xC07E_0000_0005), script: script)
    guard writer.generator.chance(1.0 / 3) else { return script }
    writer.equip()
    return writer.script
  }

  private mutating func equip() {
    let length = script.steps.map { $0.at }.max() ?? 0
    let names = script.specs.map { $0.name }
    add(.edit(.add("X", number: 1 << 40, before: nil)), by: names[0], at: 0)
    add(.edit(.add("Y", number: 1 << 40 + 1, before: nil)), by: names[0], at: 0)
    add(.edit(.select(0)), by: names[0], at: .milliseconds(300))
    for _ in 0..<generator.number(in: 2...10) {
      add(.stateCut(ahead: drawOffset()), by: generator.pick(names), at: generator.number(in: 0...length))
    }
    guard generator.chance(0.4) else { return script.sortSteps() }
    for _ in 0..<generator.number(in: 1...2) {
      let time = generator.number(in: 0...length)
      add(.edit(.select(Int(generator.number(in: 0...1)))), by: generator.pick(names), at: time)
      for name in names where generator.chance(0.9) {
        add(.edit(.follow), by: name, at: time + generator.number(in: .milliseconds(50)...(.seconds(2))))
      }
    }
    script.sortSteps()
  }

  /// A logo, an opening, another release; 0 takes it back.
  private mutating func drawOffset() -> Nanoseconds {
    let length: Nanoseconds
    switch generator.number(in: 0...7) {
    case 0, 1: return 0
    case 2, 3: length = generator.number(in: .milliseconds(1)...(.seconds(5)))
    case 4, 5: length = generator.number(in: .seconds(5)...(.seconds(120)))
    default: length = generator.number(in: .seconds(120)...(.seconds(900)))
    }
    return generator.chance(0.5) ? length : -length
  }

  private mutating func add(_ action: ScriptAction, by name: String, at time: Nanoseconds) {
    script.steps.append(Script.Step(at: time, who: name, action: action))
  }
}
