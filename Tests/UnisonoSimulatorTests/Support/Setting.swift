import Testing
import UnisonoBase
import UnisonoSimulator

/// A network and a number of participants that a scenario is run under.
struct Setting: CustomTestStringConvertible, Sendable {
  var participants: Int
  /// One way between a participant and the hub, ms.
  var delay: Int64
  var jitter: Int64 = 0
  /// The way to the hub takes longer than the way back by twice this, ms.
  var asymmetry: Int64 = 0
  var seed: UInt64 = 1

  /// Near, at home, across a country, and unevenly across two; two to five participants.
  static let all = [
    Setting(participants: 2, delay: 2),
    Setting(participants: 2, delay: 40, jitter: 10, seed: 2),
    Setting(participants: 3, delay: 20, jitter: 5, asymmetry: 10, seed: 3),
    Setting(participants: 4, delay: 32, jitter: 8, asymmetry: 15, seed: 4),
    Setting(participants: 5, delay: 10, jitter: 10, seed: 5),
  ]
  /// As above, with at least three.
  static let crowds = all.filter { $0.participants > 2 } + [Setting(participants: 3, delay: 50, jitter: 20, seed: 6)]
  static let near = Setting(participants: 2, delay: 1)

  var testDescription: String {
    "\(participants) participants, \(delay) ms each way, jitter \(jitter) ms, asymmetry \(asymmetry) ms, seed \(seed)"
  }

  private var names: [String] { Array(["A", "B", "C", "D", "E"].prefix(participants)) }

  /// A room whose participants have not joined yet.
  func empty() -> SimulatedSession {
    let room = SimulatedSession(
      seed: seed, participants: names, delay: .milliseconds(delay), jitter: .milliseconds(jitter))
    for person in room.people {
      person.changeLink { link in
        link.up += .milliseconds(asymmetry)
        link.down = max(0, link.down - .milliseconds(asymmetry))
      }
    }
    return room
  }

  /// A room whose participants have joined; none has an item.
  func joined() -> SimulatedSession {
    let room = empty()
    room.join()
    return room
  }

  /// A room that is on item X, paused at 0.
  func paused() -> SimulatedSession {
    let room = joined()
    room.gather(on: "X")
    return room
  }

  /// A room that plays item X from 0, in step, for a second already.
  func playing(for duration: Nanoseconds = .seconds(1)) -> SimulatedSession {
    let room = paused()
    room.a.play()
    room.run(atMost: .seconds(5)) { $0.allPlay }
    room.run(for: duration)
    return room
  }
}

/// What two players may differ by: clock errors of both, and the width within which lines count as equal.
let inStep = Nanoseconds.milliseconds(4)

extension Nanoseconds {
  /// Without its sign, and still a length of time.
  var length: Nanoseconds { Nanoseconds(clamping: magnitude) }
}
