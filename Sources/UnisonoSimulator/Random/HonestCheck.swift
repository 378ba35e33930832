import UnisonoBase
import UnisonoCoordination
import UnisonoReplica

/// What must hold of the others once a member that lied was put out, whatever it said before.
struct HonestCheck {
  let room: SimulatedSession
  let script: Script

  /// How long the founder's commands may take on any net of random runs, with a player that answers nothing.
  static let patience = Nanoseconds.seconds(35)
  /// Where the founder sends everybody in the end.
  private static let place = ItemTime.seconds(100)

  /// Puts the liars out, as the founder may, and lets their processes end.
  func putOutLiars() {
    let liars = script.liars.map { room[$0] }
    room.people[0].remove(liars)
    room.run(for: .seconds(5))
    for liar in liars { liar.vanish(hubNoticesAfter: 0) }
  }

  /// The founder plays from a place, and waits for nobody: all who are there must come there with it, and so at each named coordinator
  /// does who opened it first. That starts wait for persons is a setting that whoever was put out might choose.
  func play() {
    let groups = InvariantCheck(room: room, script: script).all.map { check in
      check.participants.filter { $0.isRunning }.map { Person(room: room, participant: $0) }
    }
    for person in groups.joined() { person.returns(to: "X") }
    room.run(for: .seconds(5))
    let leaders = groups.compactMap { $0.first }
    for leader in leaders {
      leader.setStartPolicy(.none)
      leader.seek(to: Self.place)
      leader.play()
    }
    room.run(for: .seconds(1))
    // A play of before may wait for them still.
    for leader in leaders { leader.start(without: []) }
    room.run(for: Self.patience - .seconds(1))
  }

  func check() {
    for check in InvariantCheck(room: room, script: script).all { self.check(check) }
  }

  private func check(_ check: InvariantCheck) {
    let honest = check.participants.filter { $0.isRunning }
    for participant in honest where participant.history.joined.isEmpty {
      room.violate("joined", "\(participant.name) never joined")
    }
    let registers = honest.map { (name: $0.name, registers: RegisterReading(of: $0, in: room)) }
    check.checkRegisters(registers)
    check.checkPolicy(honest)
    for participant in honest {
      check.checkTold(participant)
      checkState(of: participant)
    }
    guard let first = registers.first?.registers else { return }
    check.checkPositions(of: honest, on: "X", first)
    if first.count > Self.mostRegisters { room.violate("size", "there are \(first.count) registers") }
  }

  /// All take part, and play what the founder commanded.
  private func checkState(of participant: Participant) {
    let view = participant.coordination.view
    guard view.suspensionReasons.isEmpty else { return }
    if view.item != "X" || view.timing.status != .playing {
      room.violate("r", "\(participant.name) is \(view.timing.status) long after the founder played")
    }
    let since = view.timing.line.position(at: participant.clock.host(at: room.now)) - Self.place
    // Its clock may run faster.
    if since < 0 || since > Self.patience + .milliseconds(100) {
      room.violate("r", "\(participant.name) sees the group \(seconds(since)) from where the founder played")
    }
  }

  /// Three of each of 64 items, entries and attachments at their limits, hubs' clocks, participants and the single ones.
  private static let mostRegisters = 3 * 64 + 500 + 2 * 64 + 32 + 16 + 8
}
