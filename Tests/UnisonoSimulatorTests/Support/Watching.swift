import Testing
import UnisonoBase
import UnisonoPlayer
import UnisonoSimulator

extension Setting {
  /// A room whose participants have the player layer over renderers of these habits, all on item X, paused at 0.
  func watching(
    _ habits: RendererModel.Habits = .init(), abilities: RendererAbilities = .init(), duration: Nanoseconds? = nil
  ) -> SimulatedSession {
    let room = joined()
    for person in room.people {
      person.usesPlayer(over: RendererModel(habits, abilities: abilities))
      person.does(.insert(PlayerItem(id: "X", duration: duration), after: nil))
    }
    room.run(for: .seconds(2))
    return room
  }

  /// As above, and it plays for a while already.
  func watchingOn(
    _ habits: RendererModel.Habits = .init(), abilities: RendererAbilities = .init(),
    for duration: Nanoseconds = .seconds(5)
  ) -> SimulatedSession {
    let room = watching(habits, abilities: abilities)
    room.a.does(.play)
    room.run(for: duration)
    return room
  }
}

extension SimulatedSession {
  /// The largest distance between two renderers now, ns.
  var renderedSpread: Nanoseconds {
    let positions = people.map(\.renderedPosition)
    return (positions.max() ?? 0) - (positions.min() ?? 0)
  }

  /// Runs on and looks at something each 10 ms.
  func watch(for duration: Nanoseconds, every step: Nanoseconds = .milliseconds(10), _ look: (SimulatedSession) -> Void)
  {
    let end = now + duration
    while now < end {
      run(for: step)
      look(self)
    }
  }
}

extension Person {
  /// The greatest number of changes of speed within any stretch of this length.
  func mostNudges(in length: Nanoseconds, since time: Nanoseconds) -> Int {
    let times = rendered(.nudge, since: time).map(\.at)
    return times.map { first in times.filter { $0 >= first && $0 < first + length }.count }.max() ?? 0
  }
}

/// What two players in step may differ by: both dead bands, and what their clocks are off by.
let inBands = Nanoseconds.milliseconds(12)
