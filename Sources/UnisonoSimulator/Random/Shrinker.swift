import UnisonoBase
import UnisonoPlayer
import UnisonoReplica

/// Makes a script that fails shorter, as long as it fails in the same way.
package struct Shrinker: Sendable {
  /// What a run costs is known; how many it takes is not.
  private static let mostRuns = 600

  private let judge: RandomRun.Judge?
  private let invariants: Set<String>
  private var runs = 0
  private var best: RandomOutcome

  /// nil: the script does not fail.
  package static func shrink(_ script: Script, judge: RandomRun.Judge? = nil) -> RandomOutcome? {
    let first = RandomRun.run(script, judge: judge)
    guard !first.violations.isEmpty else { return nil }
    var shrinker = Shrinker(first, judge: judge)
    shrinker.shrink()
    return RandomRun.run(shrinker.best.script, logs: true, judge: judge)
  }

  private init(_ outcome: RandomOutcome, judge: RandomRun.Judge?) {
    self.judge = judge
    best = outcome
    invariants = Set(outcome.violations.map { $0.invariant })
  }

  private mutating func shrink() {
    var before = -1
    // What one kind of step leaves over may go once another has been taken.
    while weight != before, runs < Self.mostRuns {
      before = weight
      dropSteps()
      dropParticipants()
      simplifyWorld()
      simplifyCast()
    }
  }

  private var weight: Int { best.script.steps.count * 100 + best.script.specs.count * 10 + best.script.hubs }

  /// Whether a script still fails in one of the ways of the first; then it is the best from now on.
  @discardableResult
  private mutating func accept(_ script: Script) -> Bool {
    guard runs < Self.mostRuns else { return false }
    runs += 1
    let outcome = RandomRun.run(script, judge: judge)
    guard outcome.violations.contains(where: { invariants.contains($0.invariant) }) else { return false }
    best = outcome
    return true
  }

  /// Halves, quarters and so on, down to single steps.
  private mutating func dropSteps() {
    var length = max(1, best.script.steps.count / 2)
    while true {
      var start = 0
      while start < best.script.steps.count {
        var script = best.script
        script.steps.removeSubrange(start..<min(start + length, script.steps.count))
        if !accept(script) { start += length }
      }
      if length == 1 { return }
      length /= 2
    }
  }

  private mutating func dropParticipants() {
    for name in best.script.specs.map({ $0.name }).reversed() where best.script.specs.count > 1 {
      var script = best.script
      script.specs.removeAll { $0.name == name }
      script.onePerson.removeAll { $0 == name }
      script.liars.removeAll { $0 == name }
      script.steps.removeAll { $0.who == name }
      script.steps.removeAll { $0.action.isAbout(name) }
      for index in script.steps.indices { script.steps[index].action.forget(name) }
      accept(script)
    }
  }

  private mutating func simplifyWorld() {
    change { $0.clockError = .microseconds(500) }
    change { $0.hubDrift = 0 }
    change { $0.dropsUnreadable = false }
    change { $0.waitsForStalls = false }
    change { $0.control = .everyone }
    change { $0.joinerRole = .member }
    change { $0.succession = nil }
    let usesHubs = best.script.steps.contains { step in
      switch step.action {
      case .hubDies, .hubReturns, .partition: true
      default: false
      }
    }
    if !usesHubs, best.script.hubs > 1 { change { $0.hubs = 1 } }
  }

  private mutating func simplifyCast() {
    for index in best.script.specs.indices {
      change { $0.specs[index].link = LinkQuality(up: .milliseconds(20), down: .milliseconds(20)) }
      change { $0.specs[index].abilities = PlayerAbilities() }
      change { $0.specs[index].measuresClock = false }
      change { $0.specs[index].outputOffset = 0 }
      change { $0.specs[index].waitsForScrubbing = false }
      change { $0.specs[index].preparesAhead = false }
      change { $0.specs[index].turnDelay = 0 }
      change { $0.specs[index].reach = nil }
      change { $0.specs[index].comesWithoutItem = false }
      if best.script.specs[index].renderer != nil { simplifyRenderer(index) }
    }
  }

  private mutating func simplifyRenderer(_ index: Int) {
    let abilities = best.script.specs[index].renderer?.abilities ?? RendererAbilities()
    change { $0.specs[index].renderer = RendererModel(abilities: RendererAbilities()) }
    change { $0.specs[index].renderer = RendererModel(abilities: abilities) }
    for habit in RendererModel.Habits.plainer {
      change { script in
        guard let renderer = script.specs[index].renderer else { return }
        script.specs[index].renderer = RendererModel(habit(renderer.habits), abilities: abilities)
      }
    }
  }

  private mutating func change(_ edit: (inout Script) -> Void) {
    var script = best.script
    edit(&script)
    if script.lines != best.script.lines { accept(script) }
  }
}

extension ScriptAction {
  /// It makes no sense without somebody.
  fileprivate func isAbout(_ name: String) -> Bool {
    switch self {
    case .setRole(of: name, _): true
    // Nobody named would be everybody.
    case .startWithout(let names): names == [name]
    default: false
    }
  }

  /// Somebody is no longer there.
  fileprivate mutating func forget(_ name: String) {
    if case .startWithout(let names) = self { self = .startWithout(names.filter { $0 != name }) }
    if case .setDeputies(let names) = self { self = .setDeputies(names.filter { $0 != name }) }
    guard case .partition(let groups, let length) = self else { return }
    self = .partition(groups.map { $0.filter { $0 != name } }, length: length)
  }
}
