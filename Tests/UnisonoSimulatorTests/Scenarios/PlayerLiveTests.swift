import Testing
import UnisonoBase
import UnisonoPlayer
import UnisonoSimulator

@Suite struct PlayerLiveTests {
  private static let window = Nanoseconds.seconds(120)

  /// Everybody stands a minute behind the edge of a live item. B's edge is two seconds behind A's.
  private func watchingLive(from behind: Nanoseconds = .seconds(60)) -> SimulatedSession {
    let room = Setting.near.joined()
    let edge = RendererModel.Habits().liveEpoch + room.now
    for person in room.people {
      let habits = RendererModel.Habits {
        $0.liveWindow = Self.window
        if person.name == room.b.name { $0.liveEpoch -= .seconds(2) }
      }
      person.usesPlayer(over: RendererModel(habits))
      person.does(.insert(PlayerItem(id: "L", isLive: true, startTime: edge - behind), after: nil))
    }
    room.run(for: .seconds(2))
    return room
  }

  @Test("F13, F20: a live item: dates of the content for everybody, in step, and no end")
  func inStep() {
    let room = watchingLive()
    room.a.does(.play)
    room.run(for: .seconds(30))
    for person in room.people {
      #expect(person.renderedRate > 0.9)
      #expect(person.media.duration == .max)
      #expect(person.renderedPosition > RendererModel.Habits().liveEpoch - .seconds(60))
      #expect(person.skew.length <= inBands)
      #expect(person.notices(.itemEnded).isEmpty)
    }
    #expect(room.renderedSpread <= inBands)
    // Fixed in the content: a pause falls behind the edge, and goes on where it was.
    room.b.does(.pause)
    room.run(for: .seconds(5))
    let stood = room.a.renderedPosition
    room.a.does(.play)
    room.run(for: .seconds(3))
    for person in room.people { #expect(person.renderedPosition < stood + .seconds(4)) }
    #expect(room.renderedSpread <= inBands)
    #expect(room.violations.isEmpty)
  }

  @Test("F13, F23: nobody is sent past the edge, nor to what is gone from the window")
  func window() {
    let room = watchingLive()
    room.a.does(.play)
    room.run(for: .seconds(3))
    let edge = RendererModel.Habits().liveEpoch + room.now
    let late = room.a.seeks(to: edge + .seconds(100))
    room.run(for: .seconds(3))
    #expect(room.a.notices(.seekDone).map(\.request) == [late])
    for person in room.people {
      #expect(person.renderedRate > 0.9)
      let limit = person.media.seekable?.upperBound ?? 0
      #expect(person.renderedPosition <= limit + .seconds(1))
    }
    room.a.seeks(to: edge - .seconds(1_000))
    room.run(for: .seconds(3))
    for person in room.people {
      #expect(person.renderedPosition >= edge - Self.window)
      #expect(person.renderedPosition <= edge - Self.window + .seconds(15))
    }
  }

  @Test("F22: fast play of a live item comes to its edge: the usual rate for everybody, and the reason is told")
  func liveEdge() {
    let room = watchingLive(from: .seconds(20))
    room.a.does(.setRate(2))
    room.run(for: .seconds(12))
    for person in room.people { #expect(person.media.rate == 2) }
    room.run(for: .seconds(18))
    for person in room.people {
      #expect(person.media.rate == 1)
      #expect((person.renderedRate - 1).magnitude < 0.03)
    }
    // B's edge is the nearer one.
    #expect(room.b.notices(.rate).last?.rateReason == .liveEdge)
    #expect(room.b.notices(.rate).last?.rate == 1)
    #expect(room.b.notices(.rate).last?.originator == ParticipantID.none)
    #expect(room.a.notices(.rate).last?.rateReason == .participant)
    #expect(room.renderedSpread <= inBands)
    // Where it was once is no rule for ever.
    room.a.seeks(to: room.a.renderedPosition - .seconds(60))
    room.run(for: .seconds(2))
    room.a.does(.setRate(2))
    room.run(for: .seconds(5))
    for person in room.people { #expect(person.media.rate == 2) }
  }
}
