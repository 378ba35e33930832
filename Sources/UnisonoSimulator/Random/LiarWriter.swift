import UnisonoBase

/// Makes one or two members of a script liars: they also do what people do, and send whatever they can sign.
struct LiarWriter {
  private var generator: Xoshiro256
  private var script: Script

  static func equip(_ script: Script) -> Script {
    var writer = LiarWriter(generator: Xoshiro256(seed: script.seed ^ 0xB12A_0000_0004), script: script)
    writer.equip()
    return writer.script
  }

  /// Never the first, who founded the session and puts them out; and at least two are honest.
  private mutating func equip() {
    let names = script.specs.map { $0.name }
    let length = script.steps.map { $0.at }.max() ?? 0
    script.liars = Array(names.suffix(names.count > 4 ? Int(generator.number(in: 1...2)) : 1))
    let coordinators = script.coordinators
    // What the honest do is not to leave nobody whom a lie could harm.
    script.steps.removeAll { if case .leave = $0.action { true } else { false } }
    for _ in 0..<generator.number(in: 8...40) {
      // Some at once, as a flood, and some close together.
      let count = generator.chance(0.1) ? Int(generator.number(in: 20...200)) : 1
      var lie = Lie(kind: generator.pick(Lie.Kind.allCases), seed: generator.next(), count: count)
      if !coordinators.isEmpty, generator.chance(0.4) { lie.coordinator = generator.pick(coordinators) }
      script.steps.append(
        Script.Step(at: generator.number(in: 0...length), who: generator.pick(script.liars), action: .lie(lie)))
    }
    script.sortSteps()
  }
}
