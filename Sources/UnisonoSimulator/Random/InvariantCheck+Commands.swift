import UnisonoBase
import UnisonoCoordination
import UnisonoReplica

/// Whose command counts in the end.
extension InvariantCheck {
  /// (h): the last command of a person per cell, given in a connected group, is what the group ends in; (j): what was given apart long
  /// before the return is not.
  func checkCommands(_ registers: RegisterReading) {
    let policy = participants.first(where: { $0.isRunning })?.coordination.policy.id
    let cells = Dictionary(grouping: written) { $0.key }
    for (key, commands) in cells.sorted(by: { "\($0.key)" < "\($1.key)" }) {
      let stamp = registers.commandStamp(of: key)
      // What cites an older policy loses by that alone, whenever it was given, unless its author says it again: who still may command.
      let commands = commands.filter { $0.policy == policy || mayStillCommand($0) }
      checkLast(of: key, commands, holds: stamp)
      if let stamp, let winner = commands.first(where: { $0.stamp == stamp }) { checkLone(winner, of: key) }
    }
  }

  private func mayStillCommand(_ command: WrittenCell) -> Bool {
    guard let author = participants.first(where: { $0.name == command.author }), author.isRunning else { return false }
    return author.coordination.view.mayCommand && author.deniedAt.map { $0 < command.at } ?? true
  }

  private func checkLast(of key: RegisterKey, _ commands: [WrittenCell], holds stamp: Stamp?) {
    guard let last = commands.filter({ $0.isInGroup && !isLost($0) }).max(by: { $0.at < $1.at }) else { return }
    guard let stamp else {
      return room.violate("h", "\(key) holds no command, but \(last.author) gave one at \(seconds(last.at))")
    }
    // What was given at almost the same time may win by the clocks' errors; what was given alone later, by being young; what somebody
    // else gave who knew group time, where all of these had guessed it: their stamps are too early.
    let error = commands.map { $0.clockError }.max() ?? 0
    let slack = 2 * error + .milliseconds(4) + last.guess
    // What nobody else was there to hear was never sent: only its stamp tells when it was.
    let given = commands.first { $0.stamp == stamp }?.at ?? room.groupTimeToTrue(stamp.time)
    if given < last.at - slack {
      let held = "\(room.name(of: stamp.author))'s of \(seconds(room.groupTimeToTrue(stamp.time)))"
      room.violate("h", "\(key) ends in \(held), not in \(last.author)'s of \(seconds(last.at))")
    }
  }

  /// Whoever gave it is gone, and nobody who is there was told of it, though its author told them nothing so much later either
  /// that it should have told them that, too. Who was told while apart, and is apart still, was told of nothing: they were gone again
  /// before the two had decided what counts.
  private func isLost(_ command: WrittenCell) -> Bool {
    guard let author = participants.first(where: { $0.name == command.author }), !author.isRunning else {
      return false
    }
    let name = CellName(key: command.key, stamp: command.stamp)
    return !participants.contains { other in
      guard other.isRunning else { return false }
      let last = other.lastTold[author.name] ?? .min
      let isUndecided = other.coordination.isApart && other.heardApart.contains(name)
      return other.heard.contains(name) && !isUndecided || last > command.sentAt + SimulatedSession.exchange
    }
  }

  private func checkLone(_ winner: WrittenCell, of key: RegisterKey) {
    guard !winner.isFresh, !winner.isUnaware, !winner.isToNewcomers, winner.sentAt - winner.at > SimulatedSession.exchange else { return }
    // Others are in a connected group if two have carried each other's messages for a while around then, noticed or not.
    let around = (winner.at - .seconds(5))...(winner.at + .seconds(5))
    guard room.leastConnectedGroup(of: coordinator, during: around) >= 2 else { return }
    room.violate(
      "j",
      "\(key) ends in what \(winner.author) did alone at \(seconds(winner.at)), and told at \(seconds(winner.sentAt))")
  }

  /// (i): nothing that the library wrote by itself makes anything else of the last commands.
  func checkOutcome(of participant: Participant, _ registers: RegisterReading) {
    // In the group's item time, as commands are.
    let view = participant.coordination.groupView
    guard let item = view.item, view.suspensionReasons.isEmpty, hasKeeper(item), let cells = registers.cells(of: item)
    else { return }
    let timing = view.timing
    if cells.rate == 0 {
      if timing.status != .paused || timing.line.at != cells.at {
        let what = "\(timing.status) at \(seconds(timing.line.at))"
        room.violate("i", "\(participant.name) sees \(what) on \(item), commanded was a pause at \(seconds(cells.at))")
      }
    } else if let deadline = registers.skipDeadline(on: item), groupTime(of: participant) < deadline + SimulatedSession.exchange {
      // On its way to a range's end, which nobody commanded: what forgets to answer is waited for until then, by the
      // group's own time: where all who knew it slept it was guessed, and the first hub's clock is far ahead of it.
    } else if !cells.isEnded, timing.status != .playing || timing.line.rate != cells.rate {
      room.violate("i", "\(participant.name) sees \(timing.status) on \(item), commanded was rate \(cells.rate)")
    }
  }
}
