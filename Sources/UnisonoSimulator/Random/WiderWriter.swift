import UnisonoBase
import UnisonoReplica

/// Makes a third of all scripts wider: roles, items that end or are live, who comes without one, who dies for good.
///
/// Draws from a generator of its own, so that what the seeds had before stays as it was.
struct WiderWriter {
  private var generator: Xoshiro256
  private var script: Script

  static func widen(_ script: Script) -> Script {
    var writer = WiderWriter(script)
    guard writer.generator.chance(1.0 / 3) else { return script }
    writer.widen()
    return writer.script
  }

  private init(_ script: Script) {
    generator = Xoshiro256(seed: script.seed ^ 0x3317_0000_0001)
    self.script = script
  }

  private mutating func widen() {
    if generator.chance(0.5) {
      addRoles()
      addSuccession()
    }
    switch generator.number(in: 0...9) {
    case 0..<3: addEnds()
    case 3..<5: addLiveRanges()
    default: break
    }
    if generator.chance(0.2) { addLateComers() }
    if generator.chance(0.3) { addDeath() }
    script.steps.sort { $0.at < $1.at }
  }

  private mutating func drawTime() -> Nanoseconds { generator.number(in: 0...(script.steps.last?.at ?? 0)) }

  private mutating func add(_ action: ScriptAction, by name: String, at time: Nanoseconds) {
    script.steps.append(Script.Step(at: time, who: name, action: action))
  }

  /// Mostly the first owner decides; now and then somebody tries who may not, or has become one.
  private mutating func addRoles() {
    script.control = generator.pick([.everyone, .hostsOnly, .perRole, .perRole])
    script.joinerRole = generator.pick([.member, .member, .viewer])
    let names = script.specs.map { $0.name }
    let times = (0..<generator.number(in: 2...6)).map { _ in drawTime() }
    for time in times {
      let author = generator.chance(0.75) ? names[0] : generator.pick(names)
      if generator.chance(0.3) {
        add(.setControl(generator.pick(ControlPolicy.allCases)), by: author, at: time)
      } else {
        add(
          .setRole(of: generator.pick(names), generator.pick([.viewer, .member, .host, .owner])), by: author, at: time)
      }
    }
  }

  /// Somebody stands in for the owner, who is gone for a while, or for good. Draws from a generator of its own, too.
  private mutating func addSuccession() {
    var generator = Xoshiro256(seed: script.seed ^ 0x3317_0000_0002)
    guard generator.chance(0.7), let last = script.steps.last?.at else { return }
    let names = script.specs.map { $0.name }
    script.succession = SuccessionTerms(
      rule: .bySeniority, patience: generator.pick([.seconds(5), .seconds(6), .seconds(8)]))
    if generator.chance(0.4) {
      var deputies = names.dropFirst().filter { _ in generator.chance(0.5) }
      if generator.chance(0.5) { deputies.reverse() }
      add(.setDeputies(deputies), by: names[0], at: generator.number(in: 0...last))
    }
    let time = generator.number(in: 0...last)
    let length = generator.number(in: .seconds(6)...(.seconds(40)))
    switch generator.number(in: 0...5) {
    case 0, 1: add(.loseLink(length: length, noticedAfter: 0, hubNoticesAfter: length / 8), by: names[0], at: time)
    case 2: add(.sleep(length: length), by: names[0], at: time)
    case 3: add(.stopProcess(length: length), by: names[0], at: time)
    case 4 where names.count > 2: add(.vanish(hubNoticesAfter: length / 8), by: names[0], at: time)
    default: break
    }
  }

  /// Cuts of the same film, some shorter; the group is sent to just before an end, too.
  private mutating func addEnds() {
    let end = generator.number(in: .seconds(200)...(.seconds(3_000)))
    for index in script.specs.indices {
      let isShorter = generator.chance(0.3)
      script.specs[index].reach = .cut(end: end - (isShorter ? generator.number(in: 0...(.seconds(100))) : 0))
    }
    for _ in 0..<generator.number(in: 1...2) {
      let time = drawTime()
      let who = generator.pick(script.specs.map { $0.name })
      let before = generator.number(in: .milliseconds(200)...(.seconds(6)))
      add(.seek(to: end - before, immediately: false), by: who, at: time)
      add(.play(rate: 1, immediately: false), by: who, at: time + .milliseconds(300))
    }
  }

  /// Edges differ by a few seconds, as deliveries do; some keep less of the past than others.
  private mutating func addLiveRanges() {
    let edge = generator.number(in: .seconds(200)...(.seconds(2_000)))
    for index in script.specs.indices {
      script.specs[index].reach = .live(
        edge: edge - generator.number(in: 0...(.seconds(8))), window: generator.pick([.seconds(60), .seconds(3_600)]))
    }
  }

  private mutating func addLateComers() {
    for index in script.specs.indices where generator.chance(0.5) {
      script.specs[index].comesWithoutItem = true
      add(.move(to: "X", proposing: nil), by: script.specs[index].name, at: drawTime())
    }
  }

  /// Never the owner: a session without anybody who may command stands still.
  private mutating func addDeath() {
    guard script.specs.count > 2 else { return }
    let name = script.specs[Int(generator.number(in: 1...Int64(script.specs.count - 1)))].name
    add(.vanish(hubNoticesAfter: generator.number(in: 0...(.seconds(10)))), by: name, at: drawTime())
  }
}
