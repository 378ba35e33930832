import CUnisono
import Testing

@testable import UnisonoKit

@Suite("UnisonoKit: hosts on virtual time", .timeLimit(.minutes(5))) struct SimulationTests {
  /// Joined, or on its way in, at an item.
  private func member(_ name: String, on context: Context, invite: String? = nil, hub: String? = nil) throws -> Member {
    let member = try Member(name, on: context, invite: invite, hub: hub)
    try member.session.join()
    try member.coordinator.transition(toItem: "film")
    return member
  }

  private func position(of member: Member) -> ItemTime? { member.coordinator.expectedItemTime(at: member.context.clock.now) }

  @Test("F88: ten minutes of two participants 60 ms apart pass without waiting, in step") func minutes() async throws {
    let began = ContinuousClock.now
    let simulation = try Simulation(seed: 7)
    let contexts = (try simulation.context(), try simulation.context(clockOffset: .seconds(5), clockDrift: 20))
    try simulation.setLink(of: contexts.1, SimulatedLink(delay: .milliseconds(60), loss: 0.02))
    #expect(try contexts.0.hostTime.duration(to: contexts.1.hostTime) == .seconds(5))
    let ann = try member("Ann", on: contexts.0)
    let ben = try member("Ben", on: contexts.1, invite: ann.session.invite)
    try simulation.advance(by: .seconds(20))
    #expect(try ben.session.state == .joined && ann.session.activeParticipants.count == 2)
    try ben.coordinator.coordinateRateChange(to: 1)
    try simulation.advance(by: .seconds(2))
    #expect(ann.coordinator.timing?.state == .playing && ben.coordinator.timing?.state == .playing)
    let plays = (await ann.deck.plays, await ben.deck.plays)
    #expect(plays.0.count == 1 && plays.1.count == 1)
    try simulation.advance(by: .seconds(600), step: .seconds(1))
    let (mine, yours) = (try #require(position(of: ann)), try #require(position(of: ben)))
    #expect(mine > .seconds(600) && mine < .seconds(603))
    #expect(distance(mine, yours) < .milliseconds(5))
    #expect(try ann.coordinator.statistics.commandsOverdue == 0, "virtual time waits for delegates")
    #expect(ContinuousClock.now - began < .seconds(300))
  }

  @Test("F88: a renderer of a player lives on virtual time, too, and an actor on the context's executor") func renderer() async throws {
    /// A film that is a line by its context's clock.
    actor Reel: Renderer {
      nonisolated let capabilities = RendererCapabilities(nudges: true)
      nonisolated let clock: ContextClock
      private var line: Timing
      private(set) var asked = 0
      nonisolated var unownedExecutor: UnownedSerialExecutor { clock.context.unownedExecutor }

      init(_ context: Context) {
        clock = context.clock
        line = Timing(hostTime: context.clock.now)
      }
      func load(_ item: String, uri: String, at itemTime: ItemTime) async throws -> Duration? {
        try await clock.sleep(for: .milliseconds(300))
        return .seconds(7200)
      }
      func cue(at itemTime: ItemTime, rate: Double) async throws { line = Timing(itemTime: itemTime, hostTime: clock.now) }
      func play(at rate: Double, itemTime: ItemTime, hostTime: HostTime) async throws {
        line = Timing(itemTime: line.itemTime, rate: rate, hostTime: clock.now)
      }
      func pause() async throws { line = Timing(itemTime: line.itemTime(at: clock.now), hostTime: clock.now) }
      func seek(to itemTime: ItemTime, toleranceBefore: Duration?, toleranceAfter: Duration?) async throws {
        line = Timing(itemTime: itemTime, rate: line.rate, hostTime: clock.now)
      }
      func nudge(by factor: Double) async {
        line = Timing(itemTime: line.itemTime(at: clock.now), rate: factor, hostTime: clock.now)
      }
      func setVolume(_ volume: Double) async {}
      func setRenderSize(width: Int, height: Int) async {}
      func stop() async {}
      func position() async -> (itemTime: ItemTime, hostTime: HostTime)? {
        asked += 1
        return (line.itemTime(at: clock.now), clock.now)
      }
    }
    let simulation = try Simulation(seed: 11)
    var reels: [Reel] = [], players: [Player] = [], sessions: [Session] = []
    for name in ["Ann", "Ben"] {
      let context = try simulation.context()
      let invite = try sessions.first?.invite
      let session = try invite.map { try Session(on: context, invite: $0) } ?? .host(on: context, .init(displayName: name))
      let reel = Reel(context)
      let player = try Player(on: context, renderer: reel)
      try player.playbackCoordinator.coordinate(with: session)
      try session.join()
      try player.insert(.init("film"))
      sessions.append(session)
      (reels, players) = (reels + [reel], players + [player])
    }
    try simulation.advance(by: .seconds(20))
    #expect(try players[1].itemState == .readyToPlay)
    try players[1].play()
    try simulation.advance(by: .seconds(60))
    let times = (try #require(players[0].currentTime?.itemTime), try #require(players[1].currentTime?.itemTime))
    #expect(times.0 > .seconds(58) && distance(times.0, times.1) < .milliseconds(50))
    simulation.close()
    #expect(await reels[0].asked > 500, "ten times a second by that clock; and what is asked of an actor whose context is closed is answered")
  }

  @Test("F88: a delegate waits by its context's clock, and a link that is down holds what is said") func waiting() async throws {
    actor Slow: PlaybackCoordinatorDelegate {
      let context: Context
      var asked: HostTime?, done: HostTime?
      init(_ context: Context) { self.context = context }
      func play(_ command: PlayCommand) async throws {}
      func pause(_ command: PauseCommand) async throws {}
      func seek(_ command: SeekCommand) async throws {}
      func buffer(_ command: BufferingCommand) async throws {
        asked = context.clock.now
        try await context.clock.sleep(until: context.clock.now + .seconds(2))
        done = context.clock.now
      }
    }
    let simulation = try Simulation()
    let ann = try member("Ann", on: simulation.context())
    let context = try simulation.context()
    let slow = Slow(context)
    let session = try Session(on: context, invite: ann.session.invite, .init(displayName: "Ben"))
    let coordinator = try Coordinator(on: context, delegate: slow)
    try coordinator.coordinate(with: session)
    try session.join()
    try coordinator.transition(toItem: "film")
    try simulation.advance(by: .seconds(20))
    try ann.coordinator.coordinateRateChange(to: 1)
    try simulation.advance(by: .seconds(1))
    #expect(ann.coordinator.timing?.state == .waiting, "all wait for the slow one")
    try simulation.advance(by: .seconds(3))
    #expect(ann.coordinator.timing?.state == .playing)
    let (asked, done) = (try #require(await slow.asked), try #require(await slow.done))
    #expect(asked.duration(to: done) >= .seconds(2) && asked.duration(to: done) < .milliseconds(2100))

    try simulation.setLink(of: context, SimulatedLink(isDown: true))
    let heard = ann.session.events
    try session.chat("well?")
    try simulation.advance(by: .seconds(1))
    #expect(try ann.session.chatHistory.isEmpty)
    try simulation.setLink(of: context, SimulatedLink(delay: .milliseconds(60)))
    try simulation.advance(by: .seconds(10))
    #expect(try ann.session.chatHistory.map(\.text) == ["well?"])
    _ = try await heard.first { if case .chat(let message, false, _) = $0 { message.text == "well?" } else { false } }
  }

  /// Two in a session, at an item; Ben's clock is five seconds ahead.
  private func pair(_ simulation: Simulation) throws -> (Member, Member) {
    let ann = try member("Ann", on: simulation.context())
    let ben = try member("Ben", on: simulation.context(clockOffset: .seconds(5)), invite: ann.session.invite)
    try simulation.advance(by: .seconds(20))
    try #require(try ben.session.state == .joined && ann.session.activeParticipants.count == 2)
    return (ann, ben)
  }

  /// What `events` had, after the simulation was closed: before that they would be waited for, with a clock that stands.
  private func all<Found>(_ events: Events<SessionEvent>, _ find: (SessionEvent) -> Found?) async -> [Found] {
    var found: [Found] = []
    for await event in events { if let one = find(event) { found.append(one) } }
    return found
  }

  @Test("F92: a message at a place comes when the receiver is there, once, and not by a jump over it")
  func messageAtPlace() async throws {
    let simulation = try Simulation(seed: 5)
    let (ann, ben) = try pair(simulation)
    let (own, heard) = (ann.session.events, ben.session.events)
    try ann.session.send([7, 8], whenAt: .seconds(42), of: "film", type: "org.example.card", version: 3)
    try ann.session.send([9], whenAt: .seconds(50), of: "film", to: [ben.session.localParticipant])
    try ann.session.send([1], whenAt: .seconds(44), of: "another film")
    try ann.session.send([2], whenAt: .seconds(44), of: "film", to: [])
    func word(_ bytes: [UInt8], at place: ItemTime = .seconds(44), of item: String = "film") -> UnisonoError.Status? {
      #expect(throws: UnisonoError.self) { try ann.session.send(bytes, whenAt: place, of: item) }?.status
    }
    #expect(word([1], of: "") == .invalidArgument && word([], of: "a\0b") == .invalidArgument)
    #expect(word([UInt8](repeating: 0, count: 65_537)) == .tooBig)
    try ann.coordinator.coordinateRateChange(to: 1)
    try simulation.advance(by: .seconds(41))
    try ben.session.chat("before")
    try simulation.advance(by: .seconds(5))
    try ben.coordinator.coordinateSeek(to: .seconds(100))
    try simulation.advance(by: .seconds(10))
    try ben.session.chat("beyond")
    try simulation.advance(by: .seconds(1))
    try ben.coordinator.coordinateSeek(to: .seconds(40))
    try simulation.advance(by: .seconds(20))
    let sender = try ann.session.localParticipant
    simulation.close()
    let told = await all(heard) { event in
      switch event {
      case .message(let message):
        #expect(message.sender == sender && message.item == "film" && message.delivery == .reliable)
        #expect(message.type == (message.version == 3 ? "org.example.card" : nil))
        return "\(message.bytes) at \(message.itemTime.seconds)"
      case .chat(let message, _, _): return message.text
      default: return nil
      }
    }
    #expect(told == ["before", "[7, 8] at 42.0", "beyond", "[9] at 50.0"])
    let back = await all(own) { if case .message(let message) = $0 { message } else { nil } }
    #expect(back.isEmpty, "who sends it does not get it")
  }

  @Test("F93: both begin at the time that one of them scheduled, with a countdown; it can be called off")
  func scheduledStart() async throws {
    let simulation = try Simulation(seed: 3)
    let (ann, ben) = try pair(simulation)
    let heard = ben.session.events
    #expect(try ben.session.scheduledStart() == nil)
    try ann.session.scheduleStart(of: "film", at: ann.context.hostTime + .seconds(20))
    try simulation.advance(by: .seconds(1))
    #expect(try ben.session.scheduledStart()?.calendarTime == nil && ben.session.scheduledStart()?.item == "film")
    try ben.session.cancelStart()
    try simulation.advance(by: .seconds(1))
    #expect(try ann.session.scheduledStart() == nil)

    let (start, calendar) = (try ann.context.hostTime + .seconds(12), Int64(1_800_000_000_000_000_000))
    try ann.session.scheduleStart(of: "film", at: start, calendarTime: calendar)
    try simulation.advance(by: .seconds(1))
    let (mine, yours) = (try #require(try ann.session.scheduledStart()), try #require(try ben.session.scheduledStart()))
    #expect(try mine.originator == nil && yours.originator == ann.session.localParticipant)
    #expect(yours.item == "film" && yours.calendarTime == calendar && yours.errorBound > .zero)
    let apart = start.duration(to: yours.hostTime) - .seconds(5)
    #expect(max(apart, .zero - apart) < .milliseconds(1), "one instant on two clocks")
    try simulation.advance(by: .seconds(7))
    #expect(ann.coordinator.timing?.state == .paused && ben.coordinator.timing?.state == .paused, "it is not time yet")
    try simulation.advance(by: .seconds(9))
    for member in [ann, ben] {
      #expect(distance(try #require(position(of: member)), .seconds(5)) < .milliseconds(5))
    }
    #expect(try ann.session.scheduledStart() == nil)
    func refused(_ time: HostTime, of item: String = "film") -> UnisonoError.Status? {
      #expect(throws: UnisonoError.self) { try ann.session.scheduleStart(of: item, at: time) }?.status
    }
    let now = try ann.context.hostTime
    #expect(refused(now - .nanoseconds(1)) == .invalidArgument && refused(now + .seconds(8 * 86_400)) == .invalidArgument)
    #expect(refused(now + .seconds(9), of: "") == .invalidArgument)
    simulation.close()
    let news = await all(heard) { event -> String? in
      guard case .schedule(let change) = event else { return nil }
      #expect(change.start.item == "film")
      let left = Int64((change.remaining / .seconds(1)).rounded())
      return switch change.kind {
      case .set: "set \(left)"
      case .canceled: "canceled"
      case .remaining: "\(left)"
      case .due: "due"
      default: "?"
      }
    }
    #expect(news == ["set 20", "canceled", "set 12"] + (1...10).reversed().map { "\($0)" } + ["due"])
  }

  @Test("F88: what a simulation cannot do is refused, and its contexts end with it") func refusals() async throws {
    let simulation = try Simulation()
    let context = try simulation.context()
    func status(_ body: () throws -> Void) -> UnisonoError.Status? {
      #expect(throws: UnisonoError.self, performing: body)?.status
    }
    #expect(status { try simulation.advance(by: .seconds(-1)) } == .invalidArgument)
    #expect(status { try simulation.advance(by: .seconds(1), step: .zero) } == .invalidArgument)
    #expect(status { _ = try simulation.context(clockDrift: 501) } == .invalidArgument)
    #expect(status { try simulation.setLink(of: context, SimulatedLink(loss: 2)) } == .invalidArgument)
    let real = try Context()
    #expect(status { try simulation.setLink(of: real, SimulatedLink()) } == .invalidArgument)
    await real.close()
    let events = context.events
    let closed = try simulation.context()
    await closed.close()
    #expect(status { _ = try closed.hostTime } == .closed)
    try simulation.advance(by: .seconds(1))
    simulation.close()
    simulation.close()
    for await _ in events { Issue.record("nothing happens any more") }
    #expect(status { try simulation.advance(by: .zero) } == .closed)
    #expect(status { _ = try context.hostTime } == .closed)
  }

  @Test("F83: a hub that is another one at the same address is in doubt, and the host is told why") func hubDoubt() async throws {
    let simulation = try Simulation(seed: 3)
    let machine = try simulation.context()
    var hub: Hub? = try Hub(on: machine, .init(listen: ["10.0.0.1:7400"]))
    let line = try #require(try hub?.lines.first)
    let ann = try member("Ann", on: simulation.context(), hub: line)
    try simulation.advance(by: .seconds(10))
    #expect(try ann.session.state == .joined)
    let events = ann.session.events
    hub = nil
    let other = try Hub(on: machine, .init(listen: ["10.0.0.1:7400"]))
    try simulation.advance(by: .seconds(30))
    guard case .hubDoubt(let doubt) = try await events.first({ if case .hubDoubt = $0 { true } else { false } }) else { return }
    #expect(doubt.reason == .identity && doubt.hub == "10.0.0.1:7400" && !doubt.isOver)
    #expect(!doubt.message.isEmpty)
    withExtendedLifetime(other) {}
  }

  @Test("F49: a split is a value with whom it concerns, which way it is, since when and at which hub") func split() throws {
    var c = unisono_split_event()
    c.base.size = UInt32(MemoryLayout<unisono_split_event>.size)
    c.base.type = .UNISONO_EVENT_SESSION_SPLIT
    c.kind = .UNISONO_SPLIT_DEAF
    (c.since, c.over) = (5_000_000_000, 1)
    withUnsafeMutableBytes(of: &c.participant) { $0[15] = 7 }
    let event = try "hub:7400".withCString { hub in
      try "they do not hear".withCString { message in
        (c.hub, c.message) = (hub, message)
        return try withUnsafePointer(to: &c) { raw in
          try raw.withMemoryRebound(to: unisono_context_event.self, capacity: 1) { try #require(SessionEvent($0)) }
        }
      }
    }
    guard case .split(let split) = event else {
      Issue.record("\(event) is no split")
      return
    }
    #expect(split.kind == .deaf && split.isOver && split.since == HostTime(nanoseconds: 5_000_000_000))
    #expect(split.hub == "hub:7400" && split.message == "they do not hear")
    #expect(split.participant == ParticipantID(c.participant))
  }
}
