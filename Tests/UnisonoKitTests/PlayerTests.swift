import Testing
import UnisonoKit

@Suite("UnisonoKit: the player layer", .timeLimit(.minutes(2))) struct PlayerTests {
  @Test("F79: two players whose renderers are async functions start together, and seek together") func together() async throws {
    let (ann, ben) = (try Viewer("Ann"), try Viewer("Ben"))
    try await ann.join(nil)
    try await ben.join(ann.session.invite)
    for viewer in [ann, ben] { try await viewer.load("film") }
    let events = (ann.player.events, ben.player.events)
    try ben.player.play()
    for events in [events.0, events.1] {
      _ = try await events.first { if case .timeControl(.playing, _) = $0 { true } else { false } }
    }
    // A renderer that was late by the machine's fault is moved to where the group is.
    var isTogether = false
    while !isTogether {
      let instant = HostTime.now
      let positions = [await ann.tape.line.itemTime(at: instant), await ben.tape.line.itemTime(at: instant)]
      isTogether = distance(positions[0], positions[1]) < .milliseconds(250)
      try await ann.context.clock.sleep(for: .milliseconds(20))
    }
    #expect(try await ann.player.seek(to: .seconds(60)))
    await ben.tape.hears("seek or cue 60.0")
    #expect(try ben.player.itemState == .readyToPlay)
    #expect(ann.player.currentTime != nil)
    await ann.context.close()
    await ben.context.close()
    await ann.tape.hears("stop")
  }

  @Test("F79: a renderer that throws fails its item, and the host hears why") func fails() async throws {
    let viewer = try Viewer("Ann")
    let events = viewer.player.events
    try viewer.player.insert(.init("missing"))
    let event = try await events.first { if case .itemState(.failed, _, _) = $0 { true } else { false } }
    guard case .itemState(_, let item, let error) = event else { return }
    #expect(item == "missing" && error?.status == .notFound)
    await viewer.context.close()
  }

  @Test("F79: who lets go of a player has its renderer stopped, and the context goes on") func letGo() async throws {
    let context = try Context()
    let tape = Tape()
    do {
      let player = try Player(on: context, renderer: tape)
      let events = player.events
      try player.insert(.init("film"))
      _ = try await events.first { if case .itemState(.readyToPlay, _, _) = $0 { true } else { false } }
    }
    await tape.hears("stop")
    #expect(try context.hostTime <= .now)
    await context.close()
  }

  @Test("F79: a player says how far it was from the group, and counts its stalls") func statistics() async throws {
    let viewer = try Viewer("Ann")
    let first = try viewer.player.statistics
    #expect(first.lastSkew == nil && first.medianSkew == nil && first.p95Skew == nil && first.maximumSkew == nil)
    #expect(first.stalls == 0 && first.nudges == 0)
    try await viewer.load("film")
    let events = viewer.player.events
    try viewer.player.play()
    _ = try await events.first { if case .timeControl(.playing, _) = $0 { true } else { false } }
    let suspensions = viewer.player.playbackCoordinator.events
    try viewer.player.report(.stalled)
    _ = try await events.first { if case .timeControl(.waitingToPlay, .toMinimizeStalls) = $0 { true } else { false } }
    _ = try await suspensions.first { if case .suspensions([.stallRecovery]) = $0 { true } else { false } }
    #expect(try viewer.player.statistics.stalls == 1)
    await viewer.context.close()
  }

  @Test("F79: picture in picture controls and shows the player as its window does") func surfaces() async throws {
    let viewer = try Viewer("Ann")
    let (window, small) = (try Surface(of: viewer.player, kind: .inline), try Surface(of: viewer.player, kind: .pictureInPicture))
    let changes = window.events
    #expect(try small.timeRange == nil)
    let empty = #expect(throws: UnisonoError.self) { try small.setPlaying(true) }
    #expect(empty?.status == .wrongState)
    try await viewer.load("film")
    let range = try #require(try small.timeRange)
    #expect(range.start == .zero && range.duration == .seconds(3600) && !range.isLive)
    #expect(try small.isPaused)
    try small.setPlaying(true)
    _ = try await changes.first { if case .changed(false, range, _, _) = $0 { true } else { false } }
    #expect(try !small.isPaused)
    #expect(try await small.skip(by: .seconds(600)))
    #expect(try #require(viewer.player.currentTime).itemTime >= .seconds(600))
    try small.setRenderSize(width: 320, height: 180)
    await viewer.tape.hears("size 320 180")
    for wrong in [-1, 65_536, .max] {
      let error = #expect(throws: UnisonoError.self) { try small.setRenderSize(width: wrong, height: 1) }
      #expect(error?.status == .invalidArgument)
    }
    let unknown = #expect(throws: UnisonoError.self) { try Surface(of: viewer.player, kind: .init(rawValue: 9)) }
    #expect(unknown?.status == .invalidArgument)
    await viewer.context.close()
    let closed = #expect(throws: UnisonoError.self) { try small.isPaused }
    #expect(closed?.status == .closed)
  }

  @Test("F79: a surface goes when the window is back, or could not be brought back", arguments: [nil, true, false])
  func restoring(_ works: Bool?) async throws {
    let viewer = try Viewer("Ann")
    let tape = viewer.tape
    let restore: (@Sendable () async throws -> Void)? = works.map { works in
      { @Sendable in
        await tape.setVolume(0.5)
        if !works { throw UnisonoError(.inputOutput) }
      }
    }
    let full = try Surface(of: viewer.player, kind: .fullScreen, restoreUserInterface: restore)
    let events = full.events
    #expect(throws: UnisonoError.self) { try full.end() }
    try full.begin()
    _ = try await events.first { if case .willBegin = $0 { true } else { false } }
    #expect(throws: UnisonoError.self) { try full.begin() }
    try full.end()
    let end = try await events.first { if case .willEnd = $0 { true } else { false } }
    guard case .willEnd(let reason) = end else { return }
    #expect(reason?.status == (works == true ? nil : .canceled))
    if works != nil { await tape.hears("volume 0.5") }
    await viewer.context.close()
  }

  @Test("F79: a player lives as long as a surface of it is held") func held() async throws {
    let context = try Context()
    let tape = Tape()
    var surface: Surface?
    do {
      let player = try Player(on: context, renderer: tape)
      surface = try Surface(of: player, kind: .remote)
      let events = player.events
      try player.insert(.init("film"))
      _ = try await events.first { if case .itemState(.readyToPlay, _, _) = $0 { true } else { false } }
    }
    #expect(try surface?.isPaused == true)
    surface = nil
    await tape.hears("stop")
    await context.close()
  }

  @Test("F79: capabilities out of their limits are refused") func capabilities() async throws {
    let context = try Context()
    let error = #expect(throws: UnisonoError.self) { try Player(on: context, renderer: Tape(nudgeLimit: 2)) }
    #expect(error?.status == .invalidArgument)
    await context.close()
  }
}

private final class Viewer: Sendable {
  let context: Context
  let name: String
  let tape = Tape()
  let player: Player
  private let held = Held()
  var session: Session { get async throws { try #require(await held.session) } }

  private actor Held {
    var session: Session?
    func set(_ session: Session) { self.session = session }
  }

  init(_ name: String) throws {
    self.name = name
    context = try Context()
    player = try Player(on: context, renderer: tape)
  }

  func join(_ invite: String?) async throws {
    var options = Session.Options(displayName: name)
    options.hubOptions.listen = ["127.0.0.1:0"]
    let session =
      if let invite { try Session(on: context, invite: invite, options) } else { try Session.host(on: context, options) }
    await held.set(session)
    try player.playbackCoordinator.coordinate(with: session)
    let events = session.events
    try session.join()
    _ = try await events.first { if case .state(let change) = $0 { change.state == .joined } else { false } }
  }

  func load(_ item: String) async throws {
    let events = player.events
    try player.insert(.init(item))
    _ = try await events.first { if case .itemState(.readyToPlay, item, _) = $0 { true } else { false } }
  }
}

/// A renderer that is only a line.
private actor Tape: Renderer {
  nonisolated let capabilities: RendererCapabilities
  private(set) var line = Timing(hostTime: .now)
  private var heard: Set<String> = []
  private var waiting: [(String, CheckedContinuation<Void, Never>)] = []

  init(nudgeLimit: Double = 0) {
    var capabilities = RendererCapabilities(nudges: true)
    capabilities.nudgeLimit = nudgeLimit
    self.capabilities = capabilities
  }

  func hears(_ word: String) async {
    if heard.contains(word) { return }
    await withCheckedContinuation { waiting.append((word, $0)) }
  }

  func load(_ item: String, uri: String, at itemTime: ItemTime) async throws -> Duration? {
    guard item != "missing" else { throw UnisonoError(.notFound) }
    stand(itemTime)
    return .seconds(3600)
  }

  func cue(at itemTime: ItemTime, rate: Double) async throws {
    stand(itemTime)
    say("seek or cue \(itemTime.seconds)")
  }

  func play(at rate: Double, itemTime: ItemTime, hostTime: HostTime) async throws { go(rate) }
  func pause() async throws { stand(line.itemTime(at: .now)) }

  func seek(to itemTime: ItemTime, toleranceBefore: Duration?, toleranceAfter: Duration?) async throws {
    line = Timing(itemTime: itemTime, rate: line.rate, hostTime: .now)
    say("seek or cue \(itemTime.seconds)")
  }

  func nudge(by factor: Double) async { go(factor) }
  func setVolume(_ volume: Double) async { say("volume \(volume)") }
  func setRenderSize(width: Int, height: Int) async { say("size \(width) \(height)") }
  func position() async -> (itemTime: ItemTime, hostTime: HostTime)? {
    let now = HostTime.now
    return (line.itemTime(at: now), now)
  }

  func stop() async {
    stand(line.itemTime(at: .now))
    say("stop")
  }

  private func stand(_ itemTime: ItemTime) { line = Timing(itemTime: itemTime, hostTime: .now) }
  private func go(_ rate: Double) {
    let now = HostTime.now
    line = Timing(itemTime: line.itemTime(at: now), rate: rate, hostTime: now)
  }

  private func say(_ word: String) {
    heard.insert(word)
    for (wanted, continuation) in waiting where wanted == word { continuation.resume() }
    waiting.removeAll { $0.0 == word }
  }
}
