import UnisonoBase
import UnisonoCoordination

/// How much it takes. The formulas are explained in docs/simulation.md.
extension InvariantCheck {
  /// (k): commands to one host are bounded by what happened.
  func checkCount(_ participant: Participant) {
    // Once for each end of a range, and for what its person does in it.
    let limit = commandLimit + 2 * interstitialTimes(of: participant).count
    // What is left out of an entry is told as often as that is come to: (v).
    let count = participant.player.commands.count { $0.command.cause != .range }
    if count > limit { room.violate("k", "\(participant.name) was told \(count) times, \(limit) are enough") }
    checkStorm(of: participant)
  }

  /// Two for what a person did (prepare, start), one more as others compete; a fault is a return and a start. Who gathers is
  /// told where the group is.
  private var commandLimit: Int { 3 * actions + 4 * faults + 3 * participants.count + 4 }

  /// No host is told things in a storm: within a second at most what two turns a command would be, and what people did in the
  /// seconds that led to it.
  private func checkStorm(of participant: Participant) {
    let times = participant.player.commands.filter { $0.command.cause != .range }.map { $0.at }
    let happened = actionTimes + interstitialTimes(of: participant)
    for (index, time) in times.enumerated() {
      let end = times[index...].firstIndex { $0 > time + .seconds(1) } ?? times.count
      let causes = happened.count { $0 > time - .seconds(12) && $0 <= time + .seconds(1) }
      if end - index > 3 * causes + 4 {
        return room.violate(
          "storm", "\(participant.name) was told \(end - index) times in a second at \(seconds(time))")
      }
    }
  }

  /// Messages of a run are bounded by what happened: heartbeats and exchanges left out.
  func checkMessages() {
    let limit = messageLimit
    if messageCount > limit { room.violate("messages", "\(messageCount) were sent, \(limit) are enough") }
  }

  /// Per thing that a person did: its command, and from each participant readiness (or what replaces it), start and report. Per fault
  /// what everybody tells of itself anew. Per second and participant that plays, what its player reports.
  private var messageLimit: Int {
    let count = participants.count
    let reports = Int(room.now / .seconds(4)) * count
    let ranges = participants.reduce(0) { $0 + interstitialTimes(of: $1).count }
    return actions * (1 + 3 * count) + faults * (2 + 4 * count) + reports + ranges * (2 + 3 * count) + 8 * count * count
  }

  /// State is bounded by who is there and by which items are.
  func checkSize(_ registers: RegisterReading) {
    let items = 2
    let entries = participants.reduce(0) { $0 + $1.edits.count }
    // One of each place that something was offered in, of the scheduled start, and of what is left out.
    let others = script.steps.count { ["scheduleStart", "attachment", "setSkipPolicy"].contains($0.action.kind) }
    let limit = 3 * items + entries + 1 + participants.count + room.clockCount + 3 + others
    if registers.count > limit { room.violate("size", "there are \(registers.count) registers, \(limit) are enough") }
  }
}
