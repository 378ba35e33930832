import Testing

@testable import UnisonoKit

@Suite("UnisonoKit: contexts, errors and events", .timeLimit(.minutes(1))) struct ContextTests {
  /// An actor of a host that lives on the context's thread.
  actor Guest {
    let context: Context
    init(_ context: Context) { self.context = context }
    nonisolated var unownedExecutor: UnownedSerialExecutor { context.unownedExecutor }
    func isOnItsThread() -> Bool { context.loop.isCurrent }
  }

  @Test("F79: an actor of the host runs on the context's thread, also after the context was closed") func executor() async throws {
    let context = try Context()
    let guest = Guest(context)
    #expect(await guest.isOnItsThread())
    #expect(!context.loop.isCurrent)
    await context.close()
    await context.close()
    #expect(await guest.isOnItsThread())
  }

  @Test("F79: closing a context ends every sequence, and calls say that it is closed") func closing() async throws {
    let context = try Context()
    let session = try Session.host(on: context, loopback)
    let sequences = (context.events, session.events)
    let (one, other) = (Task { for await _ in sequences.0 {} }, Task { for await _ in sequences.1 {} })
    await context.close()
    await one.value
    await other.value
    for await _ in session.events { Issue.record("nothing happens any more") }
    let error = #expect(throws: UnisonoError.self) { try session.join() }
    #expect(error?.status == .closed)
  }

  @Test("F79: wrong arguments are refused by a typed error that names what is wrong") func errors() async throws {
    let context = try Context()
    let coordinator = try Coordinator(on: context, delegate: Deck())
    func status(_ body: () throws -> Void) -> UnisonoError.Status? {
      let error = #expect(throws: UnisonoError.self, performing: body)
      #expect(error?.message.isEmpty == false)
      return error?.status
    }
    #expect(status { try coordinator.coordinateRateChange(to: 1) } == .wrongState)
    #expect(status { try coordinator.transition(toItem: "a\0b") } == .invalidArgument, "a NUL would cut it")
    #expect(status { try coordinator.transition(toItem: "") } == .invalidArgument)
    #expect(status { try coordinator.setWaitLimit(.seconds(1_000_000_000_000)) } == .invalidArgument)
    #expect(status { try coordinator.setWaitLimit(.seconds(-1)) } == .invalidArgument)
    try coordinator.transition(toItem: "film", proposing: Timing(itemTime: .seconds(2)))
    #expect(status { try coordinator.coordinateRateChange(to: 17) } == .invalidArgument)
    #expect(status { try coordinator.coordinateSeek(to: .indefinite) } == .invalidArgument)
    #expect(status { _ = try Session(on: context, invite: "no invite") } == .invalidArgument)
    var options = Context.Options()
    options.person = [1, 2, 3]
    #expect(status { _ = try Context(options) } == .invalidArgument)
    options = Context.Options(storagePath: "/dev/null")
    #expect(status { _ = try Context(options) } == .inputOutput)
    do {
      try coordinator.coordinateRateChange(to: .nan)
    } catch {
      #expect(error.message.contains("unisono_coordinator_coordinate_rate_change"), "\(error)")
    }
    let other = try Context()
    let elsewhere = try Session.host(on: other, loopback)
    #expect(status { try coordinator.coordinate(with: elsewhere) } == .invalidArgument)
    await context.close()
    await other.close()
  }

  @Test("F79: a task that iterates events ends when it is cancelled") func cancelling() async throws {
    let context = try Context()
    let session = try Session.host(on: context, loopback)
    let events = session.events
    let reader = Task {
      for await _ in events {}
      return Task.isCancelled
    }
    reader.cancel()
    #expect(await reader.value)
    let others = session.events
    try session.join()
    _ = try await others.first { _ in true }
    await context.close()
  }

  @Test("F79: a reader that does not keep up is told how many it missed, and where") func overflow() async {
    let inbox = Inbox<ContextEvent>()
    for number in 0..<1500 { inbox.put(.log(.info, "\(number)")) }
    for number in 0..<1000 { #expect(await text(inbox) == "\(number)") }
    inbox.put(.log(.info, "later"))
    inbox.finish()
    for number in 1000..<1024 { #expect(await text(inbox) == "\(number)") }
    #expect(await text(inbox) == "476 lost")
    #expect(await text(inbox) == "later")
    #expect(await inbox.next() == nil)
    let full = Inbox<ContextEvent>()
    for number in 0..<1025 { full.put(.log(.info, "\(number)")) }
    for _ in 0..<1024 { _ = await full.next() }
    #expect(await text(full) == "1 lost", "also where nothing comes after it")
  }

  @Test("F79: item and host times are counted in nanoseconds and never become one of the two that are no time") func times() throws {
    #expect(ItemTime.seconds(1.5).nanoseconds == 1_500_000_000)
    #expect(ItemTime.zero + .seconds(2) - .milliseconds(500) == .milliseconds(1500))
    #expect(ItemTime.seconds(3) - ItemTime.seconds(1) == .seconds(2))
    #expect(ItemTime(nanoseconds: .max - 1).advanced(by: .seconds(1)).nanoseconds == .max - 1)
    #expect(ItemTime(nanoseconds: .min + 1).advanced(by: .seconds(-1)).nanoseconds == .min + 1)
    #expect(ItemTime.zero.advanced(by: .seconds(1_000_000_000_000)).nanoseconds == .max - 1)
    #expect(ItemTime.zero.advanced(by: .seconds(-1_000_000_000_000)).nanoseconds == .min + 1)
    #expect(ItemTime(nanoseconds: .min).duration(to: ItemTime(nanoseconds: .max)) > .seconds(18_000_000_000))
    let line = Timing(itemTime: .seconds(10), rate: 2, hostTime: HostTime(nanoseconds: 0))
    #expect(line.itemTime(at: HostTime(nanoseconds: 500_000_000)) == .seconds(11))
    #expect(HostTime.now <= .now)
  }

  @Test("F79: the context's clock sleeps until an instant, not until one that is past") func sleeping() async throws {
    let context = try Context()
    let clock = context.clock
    let instant = clock.now + .milliseconds(20)
    try await clock.sleep(until: instant)
    #expect(try context.hostTime >= instant)
    try await clock.sleep(until: instant)
    try await clock.sleep(until: HostTime(nanoseconds: 0))
    let error = await #expect(throws: UnisonoError.self) { try await clock.sleep(until: HostTime(nanoseconds: .min)) }
    #expect(error?.status == .invalidArgument)
    await context.close()
  }

  @Test("F79: who sleeps by the context's clock is woken when cancelled, and when the context closes") func woken() async throws {
    let context = try Context()
    let clock = context.clock
    let (one, other) = (Task { try await clock.sleep(for: .seconds(3600)) }, Task { try await clock.sleep(for: .seconds(3600)) })
    one.cancel()
    await #expect(throws: CancellationError.self) { try await one.value }
    await context.close()
    let woken = await #expect(throws: UnisonoError.self) { try await other.value }
    let refused = await #expect(throws: UnisonoError.self) { try await clock.sleep(for: .zero) }
    #expect(woken?.status == .closed && refused?.status == .closed)
    #expect(clock.now <= .now)
  }

  @Test("F79: times that were asked for before any are nil, not a number") func unknown() async throws {
    let context = try Context()
    let coordinator = try Coordinator(on: context, delegate: Deck())
    #expect(coordinator.expectedItemTime(at: .now) == nil)
    #expect(coordinator.timing == nil)
    #expect(try coordinator.currentItem == nil)
    let session = try Session.host(on: context, loopback)
    #expect(try session.activity == nil)
    #expect(try Context.reach(ofInvite: session.invite) == .thisMachine)
    #expect(try context.hostTime <= .now)
    await context.close()
  }

  private func text(_ inbox: Inbox<ContextEvent>) async -> String {
    switch await inbox.next() {
    case .log(_, let text): text
    case .overflow(let count): "\(count) lost"
    default: "?"
    }
  }

  private var loopback: Session.Options {
    var options = Session.Options(displayName: "Ann")
    options.hubOptions.listen = ["127.0.0.1:0"]
    return options
  }
}
