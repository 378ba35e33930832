import Testing

@testable import UnisonoBase
@testable import UnisonoCoordination
@testable import UnisonoPlayer

@Suite struct DriftControllerTests {
  /// A player whose lead changes by itself and by the nudges it honours.
  struct Plant {
    var controller: DriftController
    var lead: Nanoseconds
    /// Parts of 1 by which it runs away.
    var drift = 0.0
    var honours = true
    /// Seeks land here.
    var landing: Nanoseconds = 0
    var now: HostTime = 1_000_000_000
    var nudge = 0.0
    var corrections: [(at: HostTime, what: DriftController.Correction)] = []

    init(lead: Nanoseconds, canNudge: Bool = true, limit: Double = 0.02) {
      controller = DriftController(canNudge: canNudge, nudgeLimit: limit, deadBand: .milliseconds(5))
      self.lead = lead
      controller.begin(nil, at: now)
    }

    mutating func run(for duration: Nanoseconds, measured: (Nanoseconds, Int) -> Nanoseconds = { lead, _ in lead }) {
      let step = Nanoseconds.milliseconds(100)
      for index in 0..<Int(duration / step) {
        now += step
        lead += step.scaled(by: drift + (honours ? nudge : 0))
        guard let what = controller.correct(lead: measured(lead, index), at: now) else { continue }
        corrections.append((now, what))
        switch what {
        case .nudge(let factor):
          nudge = factor - 1
        case .seek:
          controller.beginSeek(at: now)
          lead = landing
          nudge = 0
          controller.begin(.seek, at: now)
        }
      }
    }
  }

  @Test("F27: inside the dead band nothing is done")
  func deadBand() {
    var plant = Plant(lead: .microseconds(3_900))
    plant.run(for: .seconds(60))
    #expect(plant.corrections.isEmpty)
  }

  @Test("F27: a nudge is proportional, at most the limit, and ends at exactly 1", arguments: [8, -8, 30, 60, -65])
  func nudges(milliseconds: Int64) {
    var plant = Plant(lead: .milliseconds(milliseconds))
    plant.run(for: .seconds(40))
    #expect(plant.lead.absolute < .milliseconds(2))
    #expect(plant.corrections.last?.what == .nudge(1))
    for correction in plant.corrections {
      guard case .nudge(let factor) = correction.what else {
        Issue.record("a nudge would have done")
        continue
      }
      #expect(abs(factor - 1) <= 0.02 + 1e-12)
      #expect(factor == 1 || (factor < 1) == (milliseconds > 0))
    }
    #expect(plant.corrections.count <= 6)
  }

  @Test("F27: a host may allow a greater change of speed")
  func limit() {
    var plant = Plant(lead: .milliseconds(170), limit: 0.1)
    plant.run(for: .seconds(8))
    #expect(plant.lead.absolute < .milliseconds(5))
    #expect(plant.corrections.first?.what == .nudge(0.9))
    var farther = Plant(lead: .milliseconds(190), limit: 0.1)
    farther.run(for: .seconds(8))
    #expect(farther.corrections.map(\.what) == [.seek])
  }

  @Test("F27: corrections that tell nothing each, as positions come by frames of 40 ms, are judged together", arguments: [false, true])
  func judgedTogether(honours: Bool) {
    var trust = NudgeTrust()
    var (now, residual): (HostTime, Nanoseconds) = (0, 0)
    var verdicts: [NudgeTrust.Verdict] = []
    for _ in 0..<20 {
      trust.beginTrial(of: 0.02, residual: residual, rate: 0, at: now)
      now += .seconds(1)
      trust.passTime(.seconds(1))
      trust.closeTrial()
      // What the change should have done is taken out of it: it stands still while changes are honoured.
      if !honours { residual -= .milliseconds(20) }
      now += .milliseconds(700)
      verdicts.append(trust.judge(residual: residual, spread: .milliseconds(40), limit: 0.02, at: now))
    }
    #expect(verdicts.contains(.broken) == !honours && verdicts.contains(.honoured) == honours)
    #expect(trust.isTrusted(at: now) == honours)
  }

  @Test("F27: beyond the tolerance one seek, and single outliers move nothing")
  func seek() {
    var plant = Plant(lead: .milliseconds(500))
    plant.run(for: .seconds(5))
    #expect(plant.corrections.map(\.what) == [.seek])
    var steady = Plant(lead: 0)
    steady.run(for: .seconds(30)) { lead, index in index % 7 == 3 ? lead + .milliseconds(900) : lead }
    #expect(steady.corrections.isEmpty)
  }

  @Test("F27: thrashing doubles the tolerance, and never two seeks within 1.5 s")
  func thrashing() {
    var plant = Plant(lead: 0, canNudge: false)
    plant.drift = -0.3
    plant.run(for: .seconds(120))
    let times = plant.corrections.map(\.at)
    for (one, other) in zip(times, times.dropFirst()) { #expect(other - one >= .milliseconds(1_500)) }
    let early = times.filter { $0 < .seconds(11) }.count
    let late = times.filter { $0 > .seconds(111) }.count
    #expect(late <= 1)
    #expect(early > late)
  }

  @Test("F27: nudges that have no effect are made larger, then given up, and tried again after two minutes")
  func trust() {
    var plant = Plant(lead: .milliseconds(60))
    plant.honours = false
    plant.run(for: .seconds(30))
    let factors = plant.corrections.compactMap { correction -> Double? in
      if case .nudge(let factor) = correction.what { factor } else { nil }
    }
    #expect(factors.last == 1)
    #expect(factors.contains { abs($0 - 1) > 0.019 })
    // 60 ms are less than what is worth a seek, and nudges are not tried meanwhile.
    let after = plant.corrections.count
    plant.run(for: .seconds(60))
    #expect(plant.corrections.count == after)
    plant.honours = true
    plant.run(for: .seconds(120))
    #expect(plant.lead.absolute < .milliseconds(2))
  }

  @Test("F27: a seek that mends a new start is no thrashing, one that follows another in the same run is")
  func startsAreNoThrashing() {
    var seeks = SeekGuard()
    for second in [Int64(10), 15, 20] {
      seeks.beginRun()
      seeks.beginSeek(at: .seconds(second))
    }
    #expect(seeks.widened(.milliseconds(100), at: .seconds(21)) == .milliseconds(100))
    seeks.beginSeek(at: .seconds(24))
    #expect(seeks.widened(.milliseconds(100), at: .seconds(25)) == .milliseconds(200))
  }

  @Test("F27: what was sought in vain widens the tolerance half as much after each quiet minute")
  func calm() {
    var seeks = SeekGuard()
    for second in [Int64(10), 13, 16] { seeks.beginSeek(at: .seconds(second)) }
    let tolerances = [17, 75, 77, 137].map { seeks.widened(.milliseconds(100), at: .seconds($0)) / .milliseconds(1) }
    #expect(tolerances == [400, 400, 200, 100])
    seeks.beginSeek(at: .seconds(200))
    #expect(seeks.widened(.milliseconds(100), at: .seconds(201)) == .milliseconds(100))
  }

  @Test("F27: samples far off the others count once they agree: not single ones, and not while the player stands")
  func blows() {
    var watch = BlowWatch()
    var now: HostTime = 0
    func see(_ residuals: [Int64]) -> [BlowWatch.Sight] {
      residuals.map { residual in
        now += .milliseconds(35)
        return watch.observe(.milliseconds(residual), center: 0, scatter: .milliseconds(4), at: now)
      }
    }
    #expect(see([2, -90, 3, -91, -92, 1]) == [.usual, .stray, .usual, .stray, .stray, .usual])
    // It stands, and falls behind; then it runs on.
    let samples = [Int64(-101), -100, -103].map { Nanoseconds.milliseconds($0) }
    #expect(see([-30, -65, -101, -100, -103]) == [.stray, .stray, .stray, .stray, .thrown(samples)])
    #expect(see([-90, 90, -90]) == [.stray, .stray, .stray])
    // What never agrees counts after a second.
    watch.clear()
    let late = see((1...40).map { -30 * $0 })
    #expect(late.firstIndex { if case .thrown = $0 { true } else { false } } == 29)
  }

  @Test("F27: three corrective seeks in 30 s and no more, each 2 s after the one before and 1 s after any")
  func seekRow() {
    var seeks = SeekGuard()
    for second in [Int64(10), 12, 14] {
      #expect(seeks.allows(at: .seconds(second)))
      seeks.beginSeek(at: .seconds(second))
      #expect(!seeks.allows(at: .seconds(second) + .milliseconds(1_999)))
    }
    #expect(!seeks.allows(at: .seconds(39)) && seeks.allows(at: .seconds(40)))
    seeks.endSeek(at: .seconds(40))
    #expect(!seeks.allows(at: .milliseconds(40_999)) && seeks.allows(at: .seconds(41)))
  }

  @Test("F27: what is left to nudges grows with what a seek costs and misses, and with the speed that may be changed")
  func wayBack() {
    func tolerance(_ limit: Double, cost: Int64 = 50, miss: Int64 = 0) -> Nanoseconds {
      WayBack(nudgeLimit: limit, seekCost: .milliseconds(cost), seekMiss: .milliseconds(miss)).tolerance
    }
    #expect(tolerance(0.02) == .milliseconds(68))
    #expect(tolerance(0.02, cost: 3_000) == .milliseconds(106))
    #expect(tolerance(0.1) == .milliseconds(180))
    #expect(tolerance(0) == .milliseconds(40))
    #expect(tolerance(0, miss: 15) == .milliseconds(40))
    #expect(tolerance(0, miss: 50) == .milliseconds(100))
  }

  @Test("F27: a renderer whose seeks land anywhere is nudged for longer", arguments: [false, true])
  func inexact(isInexact: Bool) {
    var plant = Plant(lead: 0)
    for sign in [Int64(1), -1, 1, -1, 1, -1] {
      plant.landing = isInexact ? .milliseconds(400 * sign) : 0
      plant.lead = .milliseconds(900)
      plant.controller.begin(.recovery, at: plant.now)
      plant.run(for: .seconds(12))
    }
    plant.run(for: .seconds(60))
    let tolerance = plant.controller.tolerance(at: plant.now)
    #expect(isInexact ? tolerance > .milliseconds(300) : tolerance < .milliseconds(150))
  }

  @Test("F27: what the first seek while it runs takes beyond those of the standing is learnt as cost, and is no miss")
  func firstRunningSeek() {
    var plant = Plant(lead: -.milliseconds(900), canNudge: false)
    plant.controller.observeSeek(taking: .milliseconds(100))
    plant.landing = -.milliseconds(400)
    plant.run(for: .seconds(1))
    #expect(plant.corrections.map(\.what) == [.seek] && plant.controller.seekCost.value == .milliseconds(300))
    plant.landing = 0
    plant.run(for: .seconds(10))
    #expect(plant.corrections.map(\.what) == [.seek, .seek] && plant.lead == 0)
  }

  @Test("F27: stalls apart from each other are sought back each, and widen nothing")
  func newStalls() {
    var plant = Plant(lead: 0)
    for _ in 0..<3 {
      plant.lead = -.milliseconds(120)
      plant.nudge = plant.controller.constant
      plant.controller.begin(.recovery, at: plant.now)
      plant.run(for: .seconds(5))
    }
    #expect(plant.corrections.map(\.what) == [.seek, .seek, .seek])
  }

  @Test("F27: costs are learnt: the first time in full, later ones by half, held at the limit")
  func latency() {
    var latency = LearntLatency(initially: .milliseconds(50), limit: .seconds(10))
    latency.observe(.seconds(3))
    #expect(latency.value == .seconds(3))
    latency.missed(by: -.seconds(1))
    #expect(latency.value == .milliseconds(3_500))
    latency.missed(by: .seconds(100))
    #expect(latency.value == .milliseconds(1_750))
    latency.observe(.max)
    #expect(latency.value <= .seconds(10))
  }

  @Test("F27: statistics of the skew: last, median, what 95 of 100 stay within, greatest")
  func statistics() {
    var statistics = SkewStatistics()
    #expect(statistics.last == nil && statistics.percentile95 == nil && statistics.median == nil)
    for value in 1...100 { statistics.add(value % 2 == 0 ? Int64(value) : -Int64(value)) }
    #expect(statistics.last == 100)
    #expect(statistics.percentile95 == 95)
    #expect(statistics.maximum == 100)
    for _ in 0..<600 { statistics.add(7) }
    #expect(statistics.maximum == 7 && statistics.median == 7)
  }
}
