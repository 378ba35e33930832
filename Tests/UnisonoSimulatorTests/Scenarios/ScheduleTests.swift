import Testing
import UnisonoBase
import UnisonoSimulator

/// "At 20:15": a start at a time that the group agreed on (coordination 2.7).
@Suite struct ScheduleTests {
  private func starts(of room: SimulatedSession, since time: Nanoseconds) -> [PlayerView.Start] {
    room.players.flatMap { $0.starts(since: time) }
  }

  @Test("G59: everybody begins at the scheduled instant, and not before", arguments: Setting.all)
  func atTheInstant(_ setting: Setting) {
    let room = setting.paused()
    let before = room.now
    room.a.schedulesStart(of: "X", in: .seconds(20))
    room.run(until: before + .milliseconds(19_900))
    #expect(room.nonePlays)
    room.run(until: before + .seconds(22))
    #expect(room.allPlay)
    #expect(room.spread <= inStep)
    let starts = starts(of: room, since: before)
    #expect(starts.count == room.people.count)
    for start in starts { #expect((start.at - before - .seconds(20)).length <= .milliseconds(5)) }
    #expect(room.violations.isEmpty)
  }

  @Test("G59: it is told as it comes nearer: once each, to everybody", arguments: Setting.all)
  func countdown(_ setting: Setting) {
    let room = setting.paused()
    room.a.schedulesStart(of: "X", in: .seconds(45))
    room.run(for: .seconds(60))
    for person in room.people {
      let told = person.history.schedules.map(\.value)
      #expect(told.map(\.kind) == [.set] + Array(repeating: .remaining, count: 11) + [.due])
      let left = told.dropFirst().map { Int(($0.remaining + .milliseconds(500)) / .seconds(1)) }
      #expect(left == [30, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0])
      #expect(person.view.schedule == nil)
    }
  }

  @Test("G59: who scheduled it has left: it starts all the same", arguments: Setting.all.filter { $0.participants > 2 })
  func authorLeaves(_ setting: Setting) {
    let room = setting.paused()
    let before = room.now
    room.a.schedulesStart(of: "X", in: .seconds(20))
    room.run(for: .seconds(5))
    room.a.leave()
    room.run(until: before + .seconds(23))
    for name in room.names where name != "A" {
      let start = room.player(name).starts(since: before).first
      #expect(((start?.at ?? 0) - before - .seconds(20)).length <= .milliseconds(5), "\(name)")
    }
  }

  @Test("G59: called off, put off, or decided otherwise by a pause in the last moment", arguments: Setting.all)
  func changes(_ setting: Setting) {
    let room = setting.paused()
    room.a.schedulesStart(of: "X", in: .seconds(10))
    room.run(for: .seconds(5))
    room.b.cancelsStart()
    room.run(for: .seconds(10))
    #expect(room.nonePlays)
    #expect(room.b.history.schedules.last?.value.kind == .canceled)
    let before = room.now
    room.a.schedulesStart(of: "X", in: .seconds(10))
    room.run(for: .seconds(5))
    room.b.schedulesStart(of: "X", in: .seconds(15))
    room.run(until: before + .milliseconds(19_500))
    #expect(room.nonePlays)
    room.run(until: before + .seconds(22))
    #expect(room.allPlay)
    room.a.pause()
    room.run(for: .seconds(2))
    room.a.schedulesStart(of: "X", in: .seconds(10))
    room.run(for: .milliseconds(8_500))
    room.b.pause()
    room.run(for: .seconds(20))
    #expect(room.nonePlays)
  }

  @Test("G59: who plays before it has decided so, and nothing starts again")
  func playsBefore() {
    let room = Setting.near.paused()
    room.a.schedulesStart(of: "X", in: .seconds(10))
    room.run(for: .seconds(2))
    room.b.play()
    room.run(for: .seconds(4))
    let before = room.now
    room.run(for: .seconds(20))
    #expect(room.allPlay)
    #expect(room.players.allSatisfy { $0.kinds(since: before).isEmpty })
  }
}
