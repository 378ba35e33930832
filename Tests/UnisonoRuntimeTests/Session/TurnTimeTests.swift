import Testing
import UnisonoBase

@testable import UnisonoRuntime

/// A turn reads the clock more than once, and time passes in between: what becomes due meanwhile must not be taken for done.
@Suite("What becomes due while a turn runs is not lost")
struct TurnTimeTests {
  @Test("K4: a hub dies while its clock is being approached, and the next one is far: two differ by no more than they state", arguments: 1...4)
  func approachCutOff(seed: UInt64) throws {
    let world = SessionWorld(seed: seed)
    let all = try world.playing(3, path: VirtualPath(delay: .milliseconds(1)))
    let (host, guests) = (all[0], all[1...])
    world.network.setPath(all[1].machine, all[2].machine, VirtualPath(delay: .milliseconds(100)))
    // The way there is longer than the way back for so long that nothing else is known, and then it is not.
    for guest in guests { world.network.setPath(from: guest.machine, to: host.machine, VirtualPath(delay: .milliseconds(31))) }
    world.network.run(for: .seconds(1_300))
    for guest in guests { world.network.setPath(from: guest.machine, to: host.machine, VirtualPath(delay: .milliseconds(1))) }
    let isApproaching = world.network.run(atMost: .seconds(30)) {
      guests.contains { $0.engine.groupClock.map { abs($0.rate - 1) > 2e-3 } ?? false }
    }
    #expect(isApproaching)
    world.network.run(for: .milliseconds(300 * Int64(seed)))
    host.kill()
    for _ in 0..<200 {
      world.network.run(for: .milliseconds(50))
      let read = try guests.map { guest in
        let (clock, here) = (try #require(guest.engine.groupClock), guest.machine.hostTime(at: world.network.trueTime))
        return (group: clock.remote(at: here), error: clock.error(at: here))
      }
      #expect(abs(read[0].group - read[1].group) <= read[0].error + read[1].error)
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
