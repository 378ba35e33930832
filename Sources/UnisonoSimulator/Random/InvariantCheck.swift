import UnisonoBase
import UnisonoCoordination
import UnisonoReplica

/// What must hold when everything has been quiet for long: letters as in the design's list.
struct InvariantCheck {
  let room: SimulatedSession
  let script: Script
  /// What is looked at; nil: the session's first one.
  var coordinator: CoordinatorName?

  /// What people did, and what befell them.
  var actions: Int {
    // At a player one thing is several, as each move of a slider is.
    script.profile == .players ? max(script.actions, actionTimes.count) : script.actions(at: coordinator)
  }
  var faults: Int { script.steps.count { $0.action.isFault } }

  func check() {
    let running = participants.filter { $0.isRunning }
    for participant in running where participant.history.joined.isEmpty {
      room.violate("joined", "\(participant.name) never joined")
    }
    let registers = running.map { (name: $0.name, registers: RegisterReading(of: $0, in: room)) }
    checkRegisters(zip(running, registers).filter { !waitsForHost($0.0, among: running) }.map { $0.1 })
    checkPolicy(running)
    for item in Set(running.compactMap({ $0.player.item })).sorted() where hasKeeper(item) {
      guard let registers = registers.first?.registers else { continue }
      checkPositions(of: running.filter { $0.player.item == item }, on: item, registers)
    }
    for (participant, reading) in zip(running, registers) {
      checkOutcome(of: participant, reading.registers)
      checkSkips(of: participant, reading.registers)
      checkInterstitials(of: participant)
      if coordinator == nil { checkCopies(of: participant, among: running, reading.registers) }
    }
    if let first = registers.first {
      checkCommands(first.registers)
      checkSize(first.registers)
    }
    for participant in running {
      checkTold(participant)
      checkClock(participant)
      checkCount(participant)
      checkSkipCount(of: participant)
      checkLayer(participant)
      checkCountdown(of: participant)
      checkCues(of: participant)
    }
    if coordinator == nil {
      checkPlaylists(of: running)
      checkOffers(of: running)
    }
    checkMessages()
    // Where nobody may write the start, waiting ends ten seconds after the deadline.
    let limit = max(.seconds(10), script.longestReadyLimit) + (script.hasRoles ? .seconds(17) : .seconds(7))
    if longestWait > limit {
      room.violate("d", "somebody waited for \(seconds(longestWait))")
    }
    checkQuiet(running)
  }

  /// What travels beside the coordination's messages takes longer to come to rest: a digest of the chat is sent every 30 s.
  private static let sideRest = Nanoseconds.seconds(60)

  /// Chat and attachments, after they had time of their own.
  func checkSide() {
    let running = participants.filter { $0.isRunning }
    checkLoads(of: running, within: Self.sideRest)
    checkChats(of: running)
  }

  /// Nobody knows group time, nor may anybody who is there say what the hub's clock shows: who slept, and so is apart, waits for who may.
  private func waitsForHost(_ participant: Participant, among running: [Participant]) -> Bool {
    participant.coordination.isApart
      && running.allSatisfy { one in
        (one.coordination.groupClock == nil || one.coordination.waitsForClock) && !one.coordination.view.mayCommand
      }
  }

  /// (a): all registers are equal everywhere.
  func checkRegisters(_ all: [(name: String, registers: RegisterReading)]) {
    guard let first = all.first else { return }
    for other in all.dropFirst() {
      for key in first.registers.differences(from: other.registers) where !isOfAbsent(key) && !isOnItsWay(key) {
        let mine = first.registers.describe(key)
        let theirs = other.registers.describe(key)
        room.violate("a", "\(key): \(first.name) has \(mine); \(other.name) has \(theirs)")
      }
    }
  }

  /// What a participant that is gone said of itself is kept for a while by those who heard it, and not exchanged.
  private func isOfAbsent(_ key: RegisterKey) -> Bool {
    guard case .participant(let id) = key else { return false }
    return !participants.contains { $0.id == id && $0.isRunning }
  }

  /// Who came into a range of its own, or out of it, a moment ago: the word of it may not be everywhere yet, nor, if it is alone on its
  /// item, where it went on.
  private func isOnItsWay(_ key: RegisterKey) -> Bool {
    let concerned =
      switch key {
      case .participant(let id): participants.filter { $0.id == id }
      case .continuation(let item): participants.filter { $0.isRunning && $0.player.item == item }
      default: [] as [Participant]
      }
    guard concerned.count == 1, let participant = concerned.first else { return false }
    return interstitialTimes(of: participant).contains { $0 > room.now - .seconds(10) }
  }

  /// The longest wait in which nothing new happened.
  ///
  /// Left out is who cannot take part itself while it waits: if nobody else is on the item, no keeper is left, and the
  /// wait ends by the rule for that, ten seconds after its deadline.
  var longestWait: Nanoseconds {
    var longest: Nanoseconds = 0
    for participant in participants {
      for wait in participant.history.waits {
        let end = wait.to ?? room.now
        let isSuspended = participant.history.suspensions.last { $0.at <= end }.map { !$0.value.isEmpty } ?? false
        guard !isSuspended else { continue }
        let began = actionTimes.last { $0 <= end } ?? 0
        longest = max(longest, end - max(wait.from, began))
      }
    }
    return longest
  }

  /// (p): all are under the same policy.
  func checkPolicy(_ participants: [Participant]) {
    for (one, other) in zip(participants, participants.dropFirst())
    where one.coordination.policy.id != other.coordination.policy.id {
      let ids = "\(one.coordination.policy.id) and \(other.coordination.policy.id)"
      room.violate("p", "\(one.name) and \(other.name) are under different policies, \(ids)")
    }
  }

  /// Somebody on the item may write what the library decides; else nothing begins there.
  func hasKeeper(_ item: ItemID) -> Bool {
    participants.contains { participant in
      let view = participant.coordination.view
      return participant.isRunning && view.item == item && view.mayCommand && view.suspensionReasons.isEmpty
    }
  }

  /// Long after everything has come to rest nobody is told anything; who follows a live edge is, when that has come to where
  /// the group is, whose group comes to a range that it leaves out, then, or to where the own cut begins, and who comes out of a range of
  /// its own, or is brought to where somebody proposed who does.
  private func checkQuiet(_ participants: [Participant]) {
    for participant in participants where participant.player.reach == nil && !interstitialTimes(of: participant).contains(where: isLate) {
      if let late = participant.player.commands.last, late.at > room.now - .seconds(12), late.command.cause != .range,
        !beginsOwnCut(participant, late.command), !followsRange(participant)
      {
        room.violate(
          "quiet", "\(participant.name) was told \(late.kind) at \(seconds(late.at)) though nobody did anything")
      }
    }
  }

  /// The player of another cut is started at its beginning, as the group comes to it.
  private func beginsOwnCut(_ participant: Participant, _ command: PlaybackCommand) -> Bool {
    participant.cutOffset != 0 && command.kind == .play && command.itemTime.absolute <= .milliseconds(500)
  }

  /// Its group was brought where somebody proposed who was in a range of its own by then, and so proposed it only when that was over: as
  /// after any jump, that one is waited for if its player does not answer, and the start is told only then.
  private func followsRange(_ participant: Participant) -> Bool {
    guard let item = participant.player.item, let jump = written.last(where: { $0.key == .position(item) }), isLate(jump.at),
      let author = participants.first(where: { $0.name == jump.author })
    else { return false }
    return interstitialTimes(of: author).contains(jump.at)
  }

  /// So near the end that what follows of it may come when all is quiet.
  private func isLate(_ time: Nanoseconds) -> Bool { time > room.now - .seconds(24) }
}
