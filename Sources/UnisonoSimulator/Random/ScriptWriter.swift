import UnisonoBase
import UnisonoCoordination

/// Draws a script from a seed.
struct ScriptWriter {
  private var generator: Xoshiro256
  private var script: Script
  private let items: [ItemID] = ["X", "Y"]
  /// From when the net is whole and no hub is about to die: one at a time.
  private var calmFrom: Nanoseconds = 0

  static func write(seed: UInt64, profile: Profile? = nil) -> Script {
    var writer = ScriptWriter(seed: seed, profile: profile)
    writer.writeSteps()
    // Roles make owners, whom nobody puts out: here all but the founder are members.
    if writer.script.profile == .byzantine { return LiarWriter.equip(CoordinatorWriter.equip(writer.script)) }
    let script = PlaylistWriter.equip(PersonWriter.equip(PlayerWriter.equip(WiderWriter.widen(writer.script))))
    let offered = AttachmentWriter.equip(SkipWriter.equip(ScheduleWriter.equip(CutWriter.equip(script))))
    let busy = BusyWriter.equip(InterstitialWriter.equip(CueWriter.equip(ChatWriter.equip(offered))))
    return LatecomerWriter.equip(CopyWriter.equip(CoordinatorWriter.equip(StandByWriter.equip(busy))))
  }

  private init(seed: UInt64, profile wanted: Profile?) {
    generator = Xoshiro256(seed: seed ^ 0x5EED)
    // Large rooms take as long as ten others, so there are fewer.
    let kinds: [Profile] = [
      .mixed, .mixed, .mixed, .contention, .contention, .contention, .faulty, .faulty, .faulty, .large,
    ]
    let drawn = generator.pick(kinds)
    let profile = wanted ?? drawn
    script = Script(seed: seed, profile: profile, specs: [], steps: [])
    let count = profile == .large ? generator.number(in: 6...16) : generator.number(in: 2...5)
    script.hubs = profile == .faulty ? Int(generator.number(in: 1...3)) : Int(generator.number(in: 1...2))
    script.dropsUnreadable = generator.chance(0.5)
    script.clockError = generator.pick([
      .microseconds(500), .milliseconds(1), .milliseconds(1), .milliseconds(5), .milliseconds(30),
    ])
    script.hubDrift = generator.chance(0.3) ? 20 : 0
    script.waitsForStalls = generator.chance(0.5)
    let traits = Traits(
      forgets: profile == .faulty || generator.chance(0.3), measures: generator.chance(0.25),
      paths: generator.chance(0.5), copies: generator.chance(profile == .faulty ? 0.5 : 0.1))
    for name in SimulatedSession.names(Int(count)) { script.specs.append(drawSpec(name, traits)) }
  }

  private struct Traits {
    var forgets: Bool
    var measures: Bool
    var paths: Bool
    var copies: Bool
  }

  private mutating func drawSpec(_ name: String, _ traits: Traits) -> ParticipantSpec {
    var spec = ParticipantSpec(name: name, link: drawLink(traits), abilities: PlayerAbilities())
    let speed = generator.number(in: .milliseconds(5)...(.milliseconds(600)))
    spec.abilities.buffer = speed
    spec.abilities.seek = speed
    spec.abilities.start = .milliseconds(1)
    spec.abilities.forgets = traits.forgets ? 0.04 : 0
    spec.abilities.completesSuperseded = speed % 2 == 0
    spec.turnDelay = generator.number(in: 0...(.milliseconds(3)))
    spec.snapsPauses = generator.chance(0.5)
    spec.waitsForScrubbing = generator.chance(0.3)
    if generator.chance(0.1) { spec.outputOffset = generator.number(in: -.milliseconds(400)...(.milliseconds(400))) }
    spec.measuresClock = traits.measures
    return spec
  }

  private mutating func drawLink(_ traits: Traits) -> LinkQuality {
    var link: LinkQuality
    if traits.paths {
      link = LinkQuality(generator.pick([.lan, .lan, .wifi, .wifi, .wan, .busyWan, .lte, .asymmetric, .satellite]))
    } else {
      let delay = Nanoseconds.milliseconds(generator.number(in: 3...150))
      let skew = generator.number(in: 0...(delay / 3))
      link = LinkQuality(up: delay + skew, down: delay - skew, jitter: generator.number(in: 0...(.milliseconds(20))))
    }
    if traits.copies {
      link.duplicates = 0.05
      link.reorders = 0.05
    }
    return link
  }

  private mutating func writeSteps() {
    var time: Nanoseconds = 0
    for _ in 0..<generator.number(in: script.profile == .large ? 6...12 : 8...25) {
      let who = script.specs[Int(generator.number(in: 0...Int64(script.specs.count - 1)))].name
      script.steps.append(Script.Step(at: time, who: who, action: drawAction(at: time)))
      time += drawPause()
    }
    script.steps.sort { $0.at < $1.at }
  }

  private mutating func drawPause() -> Nanoseconds {
    generator.chance(script.profile == .contention ? 0.8 : 0.4)
      ? generator.number(in: .milliseconds(5)...(.milliseconds(200)))
      : generator.number(in: .milliseconds(500)...(.seconds(6)))
  }

  private mutating func drawAction(at time: Nanoseconds) -> ScriptAction {
    if generator.chance(script.profile == .faulty ? 0.35 : 0.06) { return drawFault(at: time) }
    switch generator.number(in: 0...99) {
    case 0..<26: return .play(rate: generator.chance(0.2) ? 1.5 : 1, immediately: false)
    case 26..<48: return .pause
    case 48..<70: return .seek(to: drawPosition(), immediately: false)
    case 70..<76: return .play(rate: generator.pick([0.5, 1, 1.25, 2]), immediately: false)
    case 76..<80: return .play(rate: 1, immediately: true)
    case 80..<84: return .seek(to: drawPosition(), immediately: true)
    case 84..<91:
      return .suspend(
        reason: generator.pick(["scrubbing", "interstitial"]),
        length: generator.number(in: .milliseconds(100)...(.seconds(6))),
        local: generator.chance(0.4) ? drawPosition() : nil, proposing: generator.chance(0.5) ? drawPosition() : nil)
    case 91..<94: return .stallPlayer(length: generator.number(in: .milliseconds(100)...(.seconds(8))))
    default:
      // In contention all stay on one item, so that they do contend.
      if script.profile == .contention { return .pause }
      if generator.chance(0.1) { return .leave }
      let proposal: Proposal? =
        generator.chance(0.5) ? Proposal(rate: generator.chance(0.3) ? 1 : 0, itemTime: drawPosition()) : nil
      // Mostly to X: apart on items of their own, people have nothing to coordinate.
      return .move(to: generator.chance(0.7) ? items[0] : items[1], proposing: proposal)
    }
  }

  private mutating func drawPosition() -> ItemTime { generator.number(in: 0...(.seconds(3_000))) }

  private mutating func drawFault(at time: Nanoseconds) -> ScriptAction {
    let isCalm = time >= calmFrom && script.hubs > 1
    switch generator.number(in: 0...99) {
    case 0..<35:
      return .loseLink(
        length: generator.number(in: .milliseconds(300)...(.seconds(generator.chance(0.2) ? 20 : 5))),
        noticedAfter: generator.number(in: 0...(.seconds(1))), hubNoticesAfter: generator.number(in: 0...(.seconds(3))))
    case 35..<50: return .stallLink(length: generator.number(in: .milliseconds(300)...(.seconds(3))))
    case 50..<60: return .stopProcess(length: generator.number(in: .seconds(1)...(.seconds(12))))
    case 60..<68: return .stallPlayer(length: generator.number(in: .milliseconds(200)...(.seconds(4))))
    case 68..<78: return .sleep(length: generator.number(in: .seconds(1)...(.seconds(25))))
    case 78..<90 where isCalm: return drawHubDeath(at: time)
    case 90...99 where isCalm: return drawPartition(at: time)
    default: return .stallLink(length: generator.number(in: .milliseconds(300)...(.seconds(3))))
    }
  }

  /// A hub dies for good, or for a while; there is always another.
  private mutating func drawHubDeath(at time: Nanoseconds) -> ScriptAction {
    let hub = Int(generator.number(in: 0...Int64(script.hubs - 1)))
    let back = time + generator.number(in: .seconds(2)...(.seconds(15)))
    script.steps.append(Script.Step(at: back, who: script.specs[0].name, action: .hubReturns(hub)))
    calmFrom = back + .seconds(1)
    return .hubDies(hub, within: generator.number(in: 0...(.seconds(2))))
  }

  private mutating func drawPartition(at time: Nanoseconds) -> ScriptAction {
    var groups = [[String]](repeating: [], count: 2)
    for spec in script.specs {
      switch generator.number(in: 0...9) {
      case 0...4: groups[0].append(spec.name)
      case 5...8: groups[1].append(spec.name)
      default:
        // It reaches both: partitions overlap.
        groups[0].append(spec.name)
        groups[1].append(spec.name)
      }
    }
    let length = generator.number(in: .seconds(1)...(.seconds(20)))
    calmFrom = time + length + .seconds(1)
    return .partition(groups, length: length)
  }
}
