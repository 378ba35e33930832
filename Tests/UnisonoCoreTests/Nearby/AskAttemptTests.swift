import Testing

@testable import UnisonoBase
@testable import UnisonoNearby

@Suite struct AskAttemptTests {
  private func comparing(_ intent: NearbyIntent = .join) -> Attempt {
    let attempt = Attempt(intent)
    #expect(attempt.handle(.connected, now: 0) == [.ask])
    #expect(attempt.handle(.offered, now: 0) == [.compare])
    return attempt
  }

  @Test("F51: it ends well only when both said yes, in either order", arguments: [true, false])
  func bothOrders(grantFirst: Bool) {
    let attempt = comparing()
    #expect(attempt.handle(grantFirst ? .granted : .confirmed, now: 1).isEmpty)
    #expect(!attempt.isOver)
    #expect(attempt.handle(grantFirst ? .confirmed : .granted, now: 2) == [.finish])
    #expect(attempt.isOver)
    #expect(attempt.deadline == nil)
  }

  @Test("F51: no is cancelled where that is still heard, and never becomes a yes")
  func no() {
    let early = comparing()
    #expect(early.handle(.declined, now: 1) == [.cancel, .fail(.canceled)])
    #expect(early.handle(.granted, now: 2).isEmpty)
    let late = comparing()
    _ = late.handle(.granted, now: 1)
    #expect(late.handle(.declined, now: 2) == [.fail(.canceled)])
    #expect(late.handle(.confirmed, now: 3).isEmpty)
  }

  @Test("F51: every other end has its reason")
  func failures() {
    func end(_ events: [(AskAttempt.Event, HostTime)], _ intent: NearbyIntent = .join) -> [AskAttempt.Effect] {
      let attempt = Attempt(intent)
      return events.flatMap { attempt.handle($0.0, now: $0.1) }.filter { if case .fail = $0 { true } else { false } }
    }
    let compared: [(AskAttempt.Event, HostTime)] = [(.connected, 0), (.offered, 0)]
    #expect(end([(.lost, 1)]) == [.fail(.unreachable)])
    #expect(end([(.tick, .seconds(10))]) == [.fail(.unreachable)])
    #expect(end([(.connected, 0), (.lost, 1)]) == [.fail(.busy)])
    #expect(end([(.connected, 0), (.tick, .seconds(10))]) == [.fail(.timedOut)])
    #expect(end([(.connected, 0), (.broken, 1)]) == [.fail(.malformed)])
    #expect(end([(.connected, 0), (.granted, 1)]) == [.fail(.malformed)])
    #expect(end(compared + [(.lost, .seconds(5))]) == [.fail(.vanished)])
    #expect(end(compared + [(.lost, .seconds(60))]) == [.fail(.timedOut)])
    #expect(end(compared + [(.tick, .seconds(62))]) == [.fail(.timedOut)])
    #expect(end(compared + [(.forged, 1)]) == [.fail(.forged)])
    #expect(end(compared + [(.granted, 1), (.lost, 2)]).isEmpty)
    #expect(end(compared + [(.granted, 1), (.lost, 2), (.tick, .seconds(62))]) == [.fail(.timedOut)])
    #expect(end(compared + [(.granted, 1), (.lost, 2)], .invite) == [.fail(.vanished)])
  }
}

/// An attempt in one place, so that expectations can call what changes it.
private final class Attempt {
  private var attempt: AskAttempt
  init(_ intent: NearbyIntent) { attempt = AskAttempt(intent, now: 0) }
  var deadline: HostTime? { attempt.deadline }
  var isOver: Bool { attempt.isOver }
  func handle(_ event: AskAttempt.Event, now: HostTime) -> [AskAttempt.Effect] { attempt.handle(event, now: now) }
}
