import Testing
import UnisonoReplica
import UnisonoSimulator

/// (e) judges a start by what was prepared for that start.
@Suite struct PreparedRuleTests {
  private func missed(_ room: SimulatedSession) -> [String] {
    room.violations.filter { $0.invariant == "e" }.map(\.what)
  }

  @Test(
    "(e) A prepared and stood still while the others began, were held and began again: it was not prepared for that start",
    arguments: Array(stride(from: 8_000, to: 9_000, by: 20)))
  func heldMeanwhile(milliseconds: Int) {
    let room = SimulatedSession(participants: ["A", "B", "C"], delay: .milliseconds(40))
    room.join()
    room.gather(on: "X")
    room.b.setStallPolicy(StallPolicy(waits: true))
    room.run(for: .seconds(1))
    room.b.play()
    room.run(atMost: .seconds(1)) { $0.player("A").commands(since: 0).last?.completedAt != nil }
    room.a.stopProcess(for: .milliseconds(Int64(milliseconds)))
    room.run(for: .seconds(5))
    #expect(room.player("B").isPlaying)
    room.b.stalls(for: .milliseconds(3_200))
    room.run(for: .seconds(8))
    #expect(room.allPlay)
    #expect(missed(room) == [])
  }

  @Test("(e) A was prepared for this start, and is told to begin elsewhere: it misses that")
  func elsewhere() {
    let room = SimulatedSession(participants: ["A", "B"], delay: .milliseconds(40))
    room.join()
    room.gather(on: "X")
    room.b.changePlayer { $0.buffer = .milliseconds(600) }
    room.b.play()
    room.run(for: .milliseconds(500))
    room.a.delaysOutput(by: .seconds(5))
    room.run(for: .seconds(3))
    #expect(missed(room).count == 1)
  }
}
