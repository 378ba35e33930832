import Testing

@testable import UnisonoBase
@testable import UnisonoCoordination
@testable import UnisonoPlayer

@Suite struct MediaPlayerTests {
  private var player = MediaPlayer(renderer: RendererAbilities())

  private mutating func feed(_ event: PlayerEvent, at now: HostTime = 1) -> [PlayerEffect] {
    player.handle(event, now: now)
  }

  private func rendered(_ effects: [PlayerEffect]) -> [RendererCommand] {
    effects.compactMap { if case .render(let command) = $0 { command } else { nil } }
  }

  private func refused(_ effects: [PlayerEffect]) -> [Operation] {
    effects.compactMap { if case .refuse(let operation, _) = $0 { operation } else { nil } }
  }

  /// The item is loaded, and the player stands at 0.
  private mutating func load() {
    let load = rendered(feed(.insert(PlayerItem(id: "X"), after: nil)))
    #expect(load.map(\.kind) == [.load])
    _ = feed(.report(RendererReport(.ready, request: load.first?.request ?? 0)))
  }

  private func play(id: UInt64, from: ItemTime = 0, at host: HostTime) -> PlayerEvent {
    .command(
      PlaybackCommand(
        kind: .play, id: id, originator: .none, item: "X", rate: 1, itemTime: from, hostTime: host, isLocal: true,
        cause: .play))
  }

  @Test("F20: without an item every request is refused, and names the call")
  mutating func nothingToPlay() {
    let requests: [(PlayerEvent, Operation)] = [
      (.play, .play), (.pause, .pause), (.setRate(2), .setRate),
      (.playImmediately(rate: 1), .setRate), (.playImmediately(rate: nil), .play),
      (.seek(id: 1, to: 5, before: 0, after: 0), .seek), (.scrubBegin, .beginScrub),
      (.scrubTo(1), .scrubTo), (.scrubEnd(commit: true), .endScrub),
      (.replay(back: 1, rate: 2), .replay),
      (.interruptionEnd(resume: true), .endInterruption), (.interstitialEnd, .endInterstitial),
      (.insert(PlayerItem(id: "Y"), after: "X"), .insertItem),
    ]
    for (event, operation) in requests { #expect(refused(feed(event)) == [operation]) }
  }

  @Test("F20: a start is told to the renderer at its instant, and completes when it plays")
  mutating func start() {
    load()
    #expect(rendered(feed(play(id: 9, at: 1_000), at: 10)).isEmpty)
    #expect(player.nextWake == 1_000)
    let told = rendered(feed(.tick, at: 1_000))
    #expect(told.map(\.kind) == [.play])
    #expect(told.first?.hostTime == 1_000)
    let effects = feed(.report(RendererReport(.playing, request: told.first?.request ?? 0)), at: 1_001)
    let completed = effects.contains { if case .coordinate(.completed(command: 9)) = $0 { true } else { false } }
    #expect(completed)
    #expect(player.view.timeControl == TimeControl(.playing))
  }

  @Test("F20: a start at no speed lets the renderer stand at its place")
  mutating func startAtNoSpeed() {
    load()
    let command = PlaybackCommand(
      kind: .play, id: 1, originator: .none, item: "X", rate: 0, itemTime: .seconds(5), hostTime: 10, isLocal: true, cause: .play)
    let told = rendered(feed(.command(command), at: 10))
    #expect(told.map(\.kind) == [.seek] && told.first?.itemTime == .seconds(5))
    let done = feed(.report(RendererReport(.seeked, request: told.first?.request ?? 0)), at: 11)
    #expect(rendered(done).isEmpty && done.contains { if case .coordinate(.completed(command: 1)) = $0 { true } else { false } })
  }

  @Test("F20: a newer command replaces one whose answer is still out; the answer is not taken for its own")
  mutating func replaced() {
    load()
    let seek = PlaybackCommand(
      kind: .seek, id: 1, originator: .none, item: "X", itemTime: .seconds(5), cause: .seek)
    var other = seek
    other.id = 2
    other.itemTime = .seconds(9)
    let first = rendered(feed(.command(seek))).last
    let second = rendered(feed(.command(other))).last
    #expect(first?.kind == .seek && second?.itemTime == .seconds(9))
    let late = feed(.report(RendererReport(.seeked, request: first?.request ?? 0)))
    #expect(!late.contains { if case .coordinate(.completed) = $0 { true } else { false } })
    let done = feed(.report(RendererReport(.seeked, request: second?.request ?? 0)))
    #expect(done.contains { if case .coordinate(.completed(command: 2)) = $0 { true } else { false } })
  }

  @Test("F20: a rate that comes while the renderer is starting is played, and the command done only then")
  mutating func rateWhileStarting() {
    load()
    _ = feed(play(id: 1, at: 1_000), at: 10)
    let start = rendered(feed(.tick, at: 1_000)).last
    #expect(start?.kind == .play && start?.rate == 1)
    let faster = PlaybackCommand(
      kind: .play, id: 2, originator: .none, item: "X", rate: 1.5, itemTime: 0, hostTime: 2_000, isLocal: true,
      cause: .rate)
    #expect(rendered(feed(.command(faster), at: 1_500)).isEmpty)
    let effects = feed(.report(RendererReport(.playing, request: start?.request ?? 0)), at: 3_000)
    #expect(!effects.contains { if case .coordinate(.completed) = $0 { true } else { false } })
    let changed = rendered(effects).last
    #expect(changed?.kind == .play && changed?.rate == 1.5)
    let done = feed(.report(RendererReport(.playing, request: changed?.request ?? 0)), at: 4_000)
    #expect(done.contains { if case .coordinate(.completed(command: 2)) = $0 { true } else { false } })
  }

  @Test("F20: the late answer to a pause does not complete the seek that replaced it")
  mutating func lateAnswer() {
    load()
    let first = rendered(feed(play(id: 1, at: 1))).last
    _ = feed(.report(RendererReport(.playing, request: first?.request ?? 0)))
    let stop = PlaybackCommand(kind: .pause, id: 2, originator: .none, item: "X", itemTime: 0, cause: .pause)
    let pause = rendered(feed(.command(stop), at: 2)).last
    #expect(pause?.kind == .pause)
    let seek = PlaybackCommand(kind: .seek, id: 3, originator: .none, item: "X", itemTime: .seconds(5), cause: .seek)
    let last = rendered(feed(.command(seek), at: 3)).last
    #expect(last?.kind == .seek)
    let late = feed(.report(RendererReport(.paused, request: pause?.request ?? 0)), at: 4)
    #expect(!late.contains { if case .coordinate(.completed) = $0 { true } else { false } })
    let done = feed(.report(RendererReport(.seeked, request: last?.request ?? 0)), at: 5)
    #expect(done.contains { if case .coordinate(.completed(command: 3)) = $0 { true } else { false } })
  }

  @Test("F20: a pause that replaces a seek sends the renderer back to where it is to stand, though it was there before")
  mutating func pauseReplacesSeek() {
    load()
    let seek = PlaybackCommand(kind: .seek, id: 1, originator: .none, item: "X", itemTime: .seconds(5), cause: .seek)
    #expect(rendered(feed(.command(seek), at: 2)).map(\.kind) == [.seek])
    let stop = PlaybackCommand(
      kind: .pause, id: 2, originator: .none, item: "X", itemTime: 0, snap: true, cause: .seek)
    let told = rendered(feed(.command(stop), at: 3))
    #expect(told.map(\.kind) == [.pause, .seek])
    #expect(told.last?.itemTime == 0)
  }

  @Test("F20: who plays after a pause that replaced a seek is shown as playing, though the seek is never answered")
  mutating func unansweredSeek() {
    load()
    let seek = PlaybackCommand(kind: .seek, id: 1, originator: .none, item: "X", itemTime: .seconds(5), cause: .seek)
    _ = feed(.command(seek), at: 2)
    let stop = PlaybackCommand(kind: .pause, id: 2, originator: .none, item: "X", itemTime: 0, cause: .pause)
    let pause = rendered(feed(.command(stop), at: 3)).last
    _ = feed(.report(RendererReport(.paused, request: pause?.request ?? 0)), at: 4)
    _ = feed(play(id: 3, at: 1_000), at: 10)
    let start = rendered(feed(.tick, at: 1_000)).last
    #expect(start?.kind == .play)
    _ = feed(.report(RendererReport(.playing, request: start?.request ?? 0)), at: 1_001)
    #expect(player.view.timeControl == TimeControl(.playing))
  }

  @Test("F20: a pause that comes while an item loads is kept like a play: the newest counts")
  mutating func pauseWhileLoading() {
    let load = rendered(feed(.insert(PlayerItem(id: "X"), after: nil))).first
    #expect(rendered(feed(play(id: 1, at: 1))).isEmpty)
    #expect(player.view.timeControl == TimeControl(.waiting, .evaluatingBufferingRate))
    let stop = PlaybackCommand(kind: .pause, id: 2, originator: .none, item: "X", itemTime: 0, cause: .pause)
    #expect(rendered(feed(.command(stop), at: 2)).isEmpty)
    #expect(player.view.timeControl == TimeControl(.paused))
    let told = rendered(feed(.report(RendererReport(.ready, request: load?.request ?? 0)), at: 3))
    #expect(!told.contains { $0.kind == .play })
  }

  @Test("F20: a report of an older load is ignored")
  mutating func oldLoad() {
    let first = rendered(feed(.insert(PlayerItem(id: "X"), after: nil))).first
    _ = feed(.replaceCurrent(PlayerItem(id: "Y")))
    _ = feed(.report(RendererReport(.ready, request: first?.request ?? 0)))
    #expect(player.view.itemStatus == .unknown)
  }

  @Test("F20: a rate the renderer cannot play fails the command")
  mutating func backwards() {
    load()
    var command = PlaybackCommand(
      kind: .play, id: 3, originator: .none, item: "X", rate: -1, itemTime: .seconds(5), hostTime: 1, cause: .play)
    command.isLocal = true
    let effects = feed(.command(command))
    #expect(effects.contains { if case .coordinate(.failed(command: 3, status: -117)) = $0 { true } else { false } })
  }

  @Test("F22: a rate that this person may not set is told as failed; a refused seek is answered, not left open")
  mutating func refusals() {
    load()
    func notices(_ effects: [PlayerEffect]) -> [PlayerNotice] {
      effects.compactMap { if case .notify(let notice) = $0 { notice } else { nil } }
    }
    _ = feed(.play)
    let rate = notices(feed(.refused(operation: .coordinateRateChange, status: -103)))
    #expect(rate.map(\.rateReason) == [.setRateFailed])
    #expect(rate.map(\.rate) == [0])
    _ = feed(.seek(id: 4, to: .seconds(3), before: 0, after: 0))
    let seek = notices(feed(.refused(operation: .coordinateSeek, status: -103)))
    #expect(seek.map(\.outcome) == [.failed] && seek.map(\.status) == [-103] && seek.map(\.request) == [4])
  }

  @Test("F23: closing answers an open seek, and stops the renderer")
  mutating func close() {
    load()
    _ = feed(.seek(id: 4, to: .seconds(3), before: 0, after: 0))
    let effects = feed(.close)
    let answers = effects.compactMap {
      if case .notify(let notice) = $0, notice.kind == .seekDone { notice } else { nil }
    }
    #expect(answers.map(\.request) == [4] && answers.first?.outcome == .cancelled)
    #expect(rendered(effects).map(\.kind) == [.stop])
    #expect(player.nextWake == nil)
  }

  @Test("F26: a queue that runs dry while it plays waits for an item, and goes on with it")
  mutating func dryQueue() {
    load()
    _ = feed(play(id: 1, at: 1))
    #expect(player.view.rate == 1)
    _ = feed(.advance)
    #expect(player.view.timeControl == TimeControl(.waiting, .noItem))
    _ = feed(.insert(PlayerItem(id: "Y"), after: nil))
    let change = TimingChange(
      status: .paused, cause: .proposal, originator: .none, item: "Y", rate: 0, itemTime: 0)
    let effects = feed(.timingChanged(change))
    #expect(
      effects.contains {
        if case .coordinate(.rateChange(rate: 1, immediately: false, from: nil)) = $0 { true } else { false }
      })
  }

  @Test("F28: the ramp takes 200 ms down and 800 ms up, and turns round where it is")
  func ramp() {
    var ramp = DuckingRamp()
    ramp.duck(true, at: 0)
    #expect(ramp.gain(at: .milliseconds(100)) == 0.65)
    #expect(ramp.gain(at: .milliseconds(200)) == DuckingRamp.ducked)
    #expect(!ramp.isMoving(at: .milliseconds(200)))
    ramp.duck(false, at: .milliseconds(300))
    #expect((ramp.gain(at: .milliseconds(700)) - 0.65).magnitude < 1e-9)
    ramp.duck(true, at: .milliseconds(700))
    #expect((ramp.gain(at: .milliseconds(750)) - 0.475).magnitude < 1e-9)
    #expect(ramp.gain(at: .milliseconds(800)) == DuckingRamp.ducked)
  }

  @Test("F20: no input traps: absurd times, rates and answers out of the blue")
  mutating func absurd() {
    load()
    let times: [Int64] = [.min, .max, 0, -1]
    for time in times {
      _ = feed(.seek(id: 1, to: time, before: .max, after: .max))
      _ = feed(play(id: 5, from: time, at: time), at: 50)
      for state in [RendererReport.State.position, .ready, .seeked, .playing, .paused, .stalled, .recovered, .ended] {
        let position = PlaybackReport.Position(itemTime: time, hostTime: time)
        _ = feed(.report(RendererReport(state, request: 3, position: position, duration: time)), at: 60)
        _ = feed(.report(RendererReport(state, position: position)), at: 60)
      }
      _ = feed(.timing(PublishedTiming(status: .playing, line: Line(at: time, rate: 1, since: time))))
      _ = feed(.tick, at: .max)
      _ = feed(.replay(back: time, rate: 2), at: .max)
      _ = feed(.scrubBegin)
      _ = feed(.scrubTo(time))
      _ = feed(.scrubEnd(commit: true))
    }
    for rate in [Double.nan, .infinity, 1e300, -0.0] { _ = feed(.setRate(rate)) }
  }
}
