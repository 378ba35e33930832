import Testing
import UnisonoSimulator

/// The verbs with which scenarios break things do what they say.
@Suite struct FaultVerbTests {
  private func playing(_ names: [String] = ["A", "B", "C"], hubs: Int = 2) -> SimulatedSession {
    let room = SimulatedSession(seed: 3, participants: names, delay: .milliseconds(20), hubs: hubs)
    room.join()
    room.gather(on: "X")
    room.a.play()
    room.run(for: .seconds(3))
    return room
  }

  @Test("J6: the hub dies: all move to the next, group time and playback go on without a jump over 40 ms")
  func hubDies() {
    let room = playing()
    let before = room.now
    room.hubDies()
    room.run(for: .seconds(6))
    #expect(room.members(ofHub: 0) == [])
    #expect(room.members(ofHub: 1) == ["A", "B", "C"])
    #expect(room.allPlay)
    #expect(room.spread <= inStep)
    for player in room.players { #expect(player.starts(since: before).isEmpty) }
    for person in room.people {
      let moved = person.groupPosition - room.player("A").position
      #expect(moved.length <= .milliseconds(40))
    }
    room.b.pause()
    room.converge()
    #expect(room.nonePlays)
  }

  @Test("2.1: a chain of three hubs: group time is continued twice, and a seek afterwards finds everybody")
  func hubChain() {
    let room = playing(hubs: 3)
    let line = room.a.groupPosition
    let began = room.now
    room.hubDies(0)
    room.run(for: .seconds(5))
    room.hubDies(1)
    room.run(for: .seconds(5))
    #expect(room.members(ofHub: 2) == ["A", "B", "C"])
    #expect((room.a.groupPosition - line - (room.now - began)).length <= .milliseconds(40))
    room.c.seek(to: .seconds(100))
    room.converge()
    #expect(room.allPlay)
    #expect(room.spread <= inStep)
    #expect(room.player("A").position >= .seconds(100))
  }

  @Test("2.1: the first hub comes back with another clock: group time is what it was")
  func firstHubReturns() {
    let room = playing()
    let before = (group: room.groupTime, true: room.now)
    room.hubDies()
    room.run(for: .seconds(3))
    room.hubReturns()
    room.run(for: .seconds(3))
    #expect(room.groupTime - before.group == room.now - before.true)
    for person in room.people { #expect(person.clockError.map { $0.error.length <= $0.bound } ?? false) }
  }

  @Test("2.10: a net in two halves goes on in two rooms, and becomes one room again when it is whole")
  func partition() {
    let room = playing(["A", "B", "C", "D"])
    room.partition(["A", "B"], ["C", "D"])
    room.run(for: .seconds(8))
    #expect(room.members(ofHub: 0) == ["A", "B"])
    #expect(room.members(ofHub: 1) == ["C", "D"])
    #expect(room.allPlay)
    room.heal()
    room.run(for: .seconds(12))
    #expect(room.members(ofHub: 0) == ["A", "B", "C", "D"])
    room.d.pause()
    room.converge()
    #expect(room.nonePlays)
  }

  @Test("2.10: who is in both parts of an overlapping partition is in one room at a time")
  func overlapping() {
    let room = playing()
    room.partition(["A", "B"], ["B", "C"])
    room.run(for: .seconds(8))
    #expect(room.members(ofHub: 0) == ["A", "B"])
    #expect(room.members(ofHub: 1) == ["C"])
  }

  @Test("4: a machine sleeps for 8 s: its clock stood; after waking and measuring it is where the group is")
  func sleep() {
    let room = playing()
    room.b.sleep(for: .seconds(8))
    let before = room.player("B").position
    room.run(for: .seconds(7))
    #expect(room.player("B").position == before)
    room.run(for: .seconds(4))
    #expect(room.allPlay)
    #expect(room.spread <= inStep)
  }

  @Test("a stalled link holds back what is sent, and then brings everything")
  func stall() {
    let room = playing()
    room.c.stallLink(for: .seconds(2))
    room.a.pause()
    room.run(for: .milliseconds(1_500))
    #expect(room.player("C").isPlaying)
    room.run(for: .milliseconds(800))
    #expect(room.nonePlays)
  }

  @Test("copies and messages out of order change nothing")
  func copies() {
    let room = playing()
    for person in room.people {
      person.changeLink {
        $0.duplicates = 0.5
        $0.reorders = 0.5
      }
    }
    for index in Int64(1)...10 {
      room.a.seek(to: .seconds(index * 10))
      room.b.play(rate: index % 2 == 0 ? 1 : 1.5)
      room.run(for: .milliseconds(50))
    }
    room.run(for: .seconds(4))
    #expect(room.allPlay)
    #expect(room.spread <= inStep)
    for player in room.players { #expect(player.position >= .seconds(100)) }
  }

  @Test("sixteen participants start in step")
  func sixteen() {
    let room = playing(SimulatedSession.names(16))
    #expect(room.allPlay)
    #expect(room.spread <= inStep)
  }

  @Test("clocks that are 30 ms off, and say so, start within that")
  func badClocks() {
    let room = playing(["A", "B"])
    room.a.clockIsOff(by: .milliseconds(30))
    room.b.clockIsOff(by: -.milliseconds(30))
    room.run(for: .milliseconds(100))
    room.a.seek(to: .seconds(50))
    room.run(for: .seconds(2))
    #expect(room.allPlay)
    #expect(room.spread <= .milliseconds(60) + inStep)
  }
}
