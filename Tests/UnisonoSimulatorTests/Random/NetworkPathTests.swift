import Testing
import UnisonoSimulator

@Suite struct NetworkPathTests {
  @Test("K1: a clock measured over each kind of path is within the bound that is stated", arguments: NetworkPath.all)
  func measured(_ path: NetworkPath) throws {
    let room = SimulatedSession(seed: 9, participants: ["A", "B"], delay: .milliseconds(5))
    for person in room.people {
      person.changeLink { $0 = LinkQuality(path) }
      person.measuresClock()
    }
    room.join()
    room.run(for: .seconds(30))
    for person in room.people {
      let clock = try #require(person.clockError)
      #expect(clock.error.length <= clock.bound, "\(person.name) over \(path.name)")
      #expect(clock.bound <= path.up.base + path.down.base + .milliseconds(10))
    }
  }

  @Test("two start in step over each kind of path, as far as its two directions are alike", arguments: NetworkPath.all)
  func starts(_ path: NetworkPath) {
    let room = SimulatedSession(seed: 9, participants: ["A", "B"])
    for person in room.people {
      person.changeLink { $0 = LinkQuality(path) }
      person.measuresClock()
    }
    room.join()
    room.run(for: .seconds(20))
    room.gather(on: "X")
    room.a.play()
    room.run(for: .seconds(10))
    #expect(room.allPlay)
    #expect(room.spread <= .milliseconds(20))
  }
}
