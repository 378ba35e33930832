import UnisonoBase
import UnisonoPlayer

/// Gives some participants of a script the library's player over a renderer with habits, and lets things happen that only such a
/// player knows.
///
/// Only scripts of the profile `players` have any; it draws from a generator of its own, so that what a seed had before stays.
struct PlayerWriter {
  private var generator: Xoshiro256
  private var script: Script

  static func equip(_ script: Script) -> Script {
    guard script.profile == .players else { return script }
    var writer = PlayerWriter(generator: Xoshiro256(seed: script.seed ^ 0x91A7_0000_0002), script: script)
    writer.equip()
    return writer.script
  }

  private mutating func equip() {
    let length = script.steps.map { $0.at }.max() ?? 0
    // A model of a renderer has all of its item, and none of them is live.
    for index in script.specs.indices { script.specs[index].reach = nil }
    for index in script.specs.indices where index == 0 || generator.chance(0.7) {
      script.specs[index].renderer = drawRenderer()
      let name = script.specs[index].name
      for _ in 0..<generator.number(in: 1...4) {
        let step = Script.Step(at: generator.number(in: 0...length), who: name, action: .atPlayer(drawAction()))
        script.steps.append(step)
      }
    }
    script.sortSteps()
  }

  private mutating func drawRenderer() -> RendererModel {
    let isExact = generator.chance(0.2)
    let nudges = generator.chance(0.75)
    let cues = generator.chance(0.6)
    var habits = RendererModel.Habits()
    habits.load = .milliseconds(generator.number(in: 20...800))
    habits.buffer = .milliseconds(generator.number(in: 5...150))
    habits.seek = .milliseconds(generator.number(in: 20...600))
    habits.start = .milliseconds(generator.number(in: 1...300))
    habits.drift = Double(generator.number(in: -150...150))
    habits.frame = generator.pick([0, 0, .microseconds(16_683), .milliseconds(40)])
    habits.grid = generator.chance(0.2) ? .milliseconds(40) : 0
    habits.noise = .microseconds(generator.number(in: 0...3_000))
    habits.rateQuantum = generator.chance(0.1) ? 0.01 : 0
    habits.honoursNudges = generator.chance(0.85)
    habits.isNoisy = generator.chance(0.3)
    habits.resumesAfterSeek = generator.chance(0.15)
    habits.saysSoEarly = !isExact && generator.chance(0.2)
    return RendererModel(habits, abilities: RendererAbilities(startsExactly: isExact, nudges: nudges, cues: cues))
  }

  private mutating func drawAction() -> PlayerAction {
    let length = generator.number(in: .milliseconds(100)...(.seconds(6)))
    switch generator.number(in: 0...8) {
    case 0: return .replay(back: length)
    case 1: return .interrupt(length: length, resumes: generator.chance(0.8))
    case 2: return .interstitial(length: length)
    case 3: return .hide(length: length)
    case 4: return .hearOthers(length: length)
    case 5, 6:
      let places = (0..<generator.number(in: 1...6)).map { _ in generator.number(in: 0...(.seconds(3_000))) }
      return .scrub(places, commit: generator.chance(0.6))
    case 7: return .starve(length: length)
    default: return .stopByItself(length: length)
    }
  }
}
