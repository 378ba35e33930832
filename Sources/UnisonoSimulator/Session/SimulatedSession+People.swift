import UnisonoBase
import UnisonoCoordination

/// Who is in the room, and how tests speak of them.
extension SimulatedSession {
  package subscript(name: String) -> Person { Person(room: self, participant: participant(name)) }
  package var a: Person { self["A"] }
  package var b: Person { self["B"] }
  package var c: Person { self["C"] }
  package var d: Person { self["D"] }
  package var people: [Person] { participants.map { Person(room: self, participant: $0) } }

  package func player(_ name: String) -> PlayerView {
    player(of: participant(name))
  }

  func player(of participant: Participant) -> PlayerView {
    PlayerView(player: participant.player, clock: participant.clock, now: now)
  }

  package var players: [PlayerView] { participants.filter { $0.isRunning }.map { player($0.name) } }

  /// Everybody who is not in yet joins, and time goes on until all are, and their clocks are known.
  package func join() {
    join(participants.filter { !$0.isRunning }.map { $0.name })
  }

  /// These join now; time goes on until they have, and until their clocks are known.
  package func join(_ names: [String]) {
    let joiners = names.map(participant)
    for joiner in joiners { enter(joiner.name) }
    run(atMost: .seconds(10)) { _ in joiners.allSatisfy { !$0.history.joined.isEmpty } }
    let known = joiners.map { $0.synchronisesAfter ?? 6 * $0.link.quality.roundTrip }.max() ?? 0
    run(for: known + .milliseconds(100))
  }

  /// These are devices of one person, as everybody's introductions show.
  package func areOnePerson(_ names: [String]) {
    let ids = names.map { participant($0).id }
    for id in ids { persons[id] = ids[0] }
    for other in participants where other.isRunning { deliver(.persons(persons), to: other) }
  }

  /// One begins to join; nothing else happens yet.
  package func enter(_ name: String) {
    let participant = participant(name)
    participant.isRunning = true
    connect(participant)
    if !persons.isEmpty { deliver(.persons(persons), to: participant) }
  }

  /// Everybody moves to an item, which is paused at 0 for all, and time goes on until nothing happens any more.
  package func gather(on item: ItemID) {
    for person in people where person.participant.isRunning { person.transition(to: item) }
    run(for: .seconds(2))
  }

  /// The longest round trip between any two, ns.
  package var roundTrip: Nanoseconds {
    let trips = participants.filter { $0.isRunning }.map { $0.link.quality.roundTrip }.sorted(by: >)
    return trips.prefix(2).reduce(0, +)
  }

  /// The time within which a command has taken effect everywhere: one round trip, the slowest player and 100 ms.
  ///
  /// With three or more, two can become ready at once without either seeing the set complete; the keeper then
  /// decides, which takes half a round trip more.
  package var convergence: Nanoseconds {
    let running = participants.filter { $0.isRunning }
    let latency = running.map { $0.player.abilities.latency }.max() ?? 0
    return roundTrip + latency + .milliseconds(100) + (running.count > 2 ? roundTrip / 2 : 0)
  }

  /// Lets a command take effect.
  package func converge() { run(for: convergence) }

  /// The largest distance between two players now, ns.
  package var spread: Nanoseconds { spread(at: now) }

  /// The largest distance between two players at a true time, ns.
  package func spread(at time: Nanoseconds) -> Nanoseconds {
    let positions = players.map { $0.position(at: time) }
    guard let least = positions.min(), let greatest = positions.max() else { return 0 }
    return greatest - least
  }

  /// Group time now: the first hub's clock, even after that is gone.
  package var groupTime: GroupTime { firstHub.time(at: now) }

  package var allPlay: Bool { players.allSatisfy { $0.isPlaying } }
  package var nonePlays: Bool { players.allSatisfy { !$0.isPlaying } }

  /// Runs on and names whatever any player was told meanwhile.
  package func commands(during duration: Nanoseconds) -> [String] {
    let since = now
    run(for: duration)
    return participants.flatMap { participant in
      participant.player.commands.filter { $0.at > since }.map { "\(participant.name) \($0.kind)" }
    }
  }
}
