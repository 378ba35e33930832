import UnisonoCore

/// What must hold when everything has been quiet for long: letters as in the design's list.
struct InvariantCheck {
  let room: Room

  func check() {
    let running = room.participants.filter(\.isRunning)
    for participant in running where participant.history.joined.isEmpty {
      room.violate("joined", "\(participant.name) never joined")
    }
    let registers = running.map { (name: $0.name, registers: RegisterReading(of: $0, in: room)) }
    checkRegisters(registers)
    for item in Set(running.compactMap(\.player.item)).sorted() {
      checkPositions(of: running.filter { $0.player.item == item }, on: item)
    }
    if let first = registers.first { checkCommands(first.registers) }
    if longestWait > .seconds(17) { room.violate("d", "somebody waited for \(seconds(longestWait))") }
    checkQuiet(running)
  }

  /// (a): all registers are equal everywhere.
  private func checkRegisters(_ all: [(name: String, registers: RegisterReading)]) {
    guard let first = all.first else { return }
    for other in all.dropFirst() {
      for key in first.registers.differences(from: other.registers) {
        let mine = first.registers.describe(key)
        let theirs = other.registers.describe(key)
        room.violate("a", "\(key): \(first.name) has \(mine); \(other.name) has \(theirs)")
      }
    }
  }

  /// (b): who takes part is where the group is.
  private func checkPositions(of participants: [Participant], on item: ItemID) {
    let attached = participants.filter { $0.coordination.view.suspensionReasons.isEmpty && hasObeyed($0) }
    for participant in attached {
      let person = Person(room: room, participant: participant)
      let player = person.player
      let rate = person.status == .playing ? person.view.timing.line.rate : 0
      if player.rate != rate {
        room.violate("b", "\(participant.name) runs at \(player.rate) on \(item), its group at \(rate)")
      } else if rate != 0 {
        let away = player.position - person.groupPosition
        if away.magnitude > tolerance(participant) {
          room.violate("b", "\(participant.name) is \(away / 1_000) us from its group on \(item)")
        }
      } else if isPlaced(on: item), player.position != person.groupPosition {
        let away = player.position - person.groupPosition
        room.violate("b", "\(participant.name) stands \(away / 1_000) us from its group on \(item)")
      }
    }
    for (one, other) in zip(attached, attached.dropFirst()) {
      let persons = [one, other].map { Person(room: room, participant: $0) }
      if persons[0].status != persons[1].status {
        room.violate("b", "\(one.name) sees \(persons[0].status) on \(item), \(other.name) \(persons[1].status)")
      } else {
        let apart = persons[0].groupPosition - persons[1].groupPosition
        if apart.magnitude > tolerance(one) + tolerance(other) {
          room.violate("b", "\(one.name) and \(other.name) see the group \(apart / 1_000) us apart on \(item)")
        }
      }
    }
  }

  /// The newest command of the item is a seek: then even paused hosts stand exactly there, whatever pauses snap to.
  private func isPlaced(on item: ItemID) -> Bool {
    let cells = room.written.filter { $0.key == .rate(item) || $0.key == .position(item) }
    return cells.max { $0.stamp < $1.stamp }?.key == .position(item)
  }

  /// A host that never did what it was told last is where it is.
  private func hasObeyed(_ participant: Participant) -> Bool {
    participant.player.commands.last.map { $0.completedAt != nil } ?? true
  }

  /// Clock error, the width within which lines count as equal, and what the clock drifts since the last command.
  private func tolerance(_ participant: Participant) -> Nanoseconds {
    let age = room.now - (participant.player.commands.last?.at ?? 0)
    let rate = abs(participant.coordination.view.timing.line.rate)
    let drift = abs(participant.clock.drift) / 1_000_000
    return (2 * participant.clock.errorBound + .milliseconds(3) + age.scaled(by: drift)).scaled(by: max(1, rate))
  }

  /// (h): the last command of a person per cell, given in company, is what the group ends in.
  private func checkCommands(_ registers: RegisterReading) {
    for key in Set(room.written.map(\.key)) {
      let commands = room.written.filter { $0.key == key }
      guard let last = commands.filter(\.inCompany).max(by: { $0.at < $1.at }) else { continue }
      guard let stamp = registers.commandStamp(of: key) else {
        room.violate("h", "\(key) holds no command, but \(last.author) gave one at \(seconds(last.at))")
        continue
      }
      // What was given at almost the same time may win by the clocks' errors; what was given alone later, by being young.
      let slack = 2 * (room.participants.map(\.clock.errorBound).max() ?? 0) + .milliseconds(4)
      if !commands.contains(where: { $0.stamp == stamp && $0.at >= last.at - slack }) {
        let held = "\(room.name(of: stamp.author))'s of \(seconds(stamp.time - room.hubs[0].base))"
        room.violate("h", "\(key) ends in \(held), not in \(last.author)'s of \(seconds(last.at))")
      }
    }
  }

  /// The longest wait in which nothing new happened.
  ///
  /// Left out is who cannot take part itself while it waits: if nobody else is on the item, no keeper is left, and the
  /// wait ends by the rule for that, ten seconds after its deadline.
  var longestWait: Nanoseconds {
    var longest: Nanoseconds = 0
    for participant in room.participants {
      for wait in participant.history.waits {
        let end = wait.to ?? room.now
        let isSuspended = participant.history.suspensions.last { $0.at <= end }.map { !$0.value.isEmpty } ?? false
        guard !isSuspended else { continue }
        let began = room.actionTimes.last { $0 <= end } ?? 0
        longest = max(longest, end - max(wait.from, began))
      }
    }
    return longest
  }

  /// Long after everything has come to rest nobody is told anything.
  private func checkQuiet(_ participants: [Participant]) {
    for participant in participants {
      if let late = participant.player.commands.last, late.at > room.now - .seconds(12) {
        room.violate(
          "quiet", "\(participant.name) was told \(late.kind) at \(seconds(late.at)) though nobody did anything")
      }
    }
  }
}
