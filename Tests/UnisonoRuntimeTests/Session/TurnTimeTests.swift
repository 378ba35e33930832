import Testing
import UnisonoBase

@testable import UnisonoRuntime

/// A turn reads the clock more than once, and time passes in between: what becomes due meanwhile must not be taken for done.
@Suite("What becomes due while a turn runs is not lost")
struct TurnTimeTests {
  @Test("K4: a hub dies while its clock is being approached, and the next one is far: all stay within the bounds they state", arguments: 1...8)
  func approachCutOff(seed: UInt64) throws {
    let world = SessionWorld(seed: seed)
    let all = try world.playing(3, path: VirtualPath(delay: .microseconds(100), jitter: .microseconds(60)))
    let (host, guests) = (all[0], all[1...])
    world.network.setPath(all[1].machine, all[2].machine, VirtualPath(delay: .milliseconds(100)))
    world.network.run(for: .seconds(60))
    let isApproaching = world.network.run(atMost: .seconds(120)) {
      guests.contains { $0.engine.groupClock.map { abs($0.rate - 1) > 300e-6 } ?? false }
    }
    #expect(isApproaching)
    let truth = try #require(host.engine.groupClock)
    host.kill()
    for _ in 0..<100 {
      world.network.run(for: .milliseconds(50))
      let now = world.network.trueTime
      let group = truth.remote(at: host.machine.hostTime(at: now))
      for guest in guests {
        let (clock, here) = (try #require(guest.engine.groupClock), guest.machine.hostTime(at: now))
        #expect(abs(clock.remote(at: here) - group) <= clock.error(at: here))
      }
    }
  }

  @Test("K3: a message that its pace held back goes at that time, though it had come before the turn was over")
  func messages() throws {
    var messenger = Messenger()
    for number in 0...Int(Messenger.burst) {
      messenger.enqueue(Messenger.Outgoing([UInt8(truncatingIfNeeded: number)], isReliable: true, to: nil))
    }
    for _ in 0..<Int(Messenger.burst) { #expect(messenger.next(audience: [], now: 0) != nil) }
    #expect(messenger.next(audience: [], now: 0) == nil)
    let due = try #require(messenger.nextWake)
    #expect(due > 0 && due < .milliseconds(10))
    // The link may be full then: it is the link's draining that it waits for.
    messenger.tick(now: due)
    #expect(messenger.nextWake == nil)
    #expect(messenger.next(audience: [], now: due) != nil && messenger.nextWake == nil)
  }
}
