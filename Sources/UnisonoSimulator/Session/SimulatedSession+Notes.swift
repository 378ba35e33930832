import UnisonoBase
import UnisonoCoordination
import UnisonoPlayer
import UnisonoReplica

/// Lines of the event log, and what goes into the fingerprint.
extension SimulatedSession {
  /// An event that a participant handles.
  func mark(_ event: CoordinationEvent, of participant: Participant) {
    guard var print = fingerprint else { return }
    if case .tick = event { return }
    event.add(to: &print)
    mark(&print, of: participant)
    fingerprint = print
  }

  func mark(_ effect: CoordinationEffect, of participant: Participant) {
    guard var print = fingerprint else { return }
    effect.add(to: &print)
    mark(&print, of: participant)
    fingerprint = print
  }

  func mark(_ command: RendererCommand, of participant: Participant) {
    guard var print = fingerprint else { return }
    command.add(to: &print)
    mark(&print, of: participant)
    fingerprint = print
  }

  private func mark(_ print: inout Fingerprint, of participant: Participant) {
    print.add(now)
    print.add(participant.id)
    if let name = participant.coordinator { print.add(name.description) }
  }

  func note(_ event: CoordinationEvent, of participant: Participant) {
    guard log.isOn else { return }
    let text: String
    switch event {
    case .tick, .report: return
    case .message(.beat, _): return
    case .message(let message, let sender): text = "from \(name(of: sender)): \(describe(message))"
    case .presence(let joined, let gone):
      let joinedNames = joined.map { "\(name(of: $0.id))#\($0.connection)" }
      let goneNames = gone.map { "\(name(of: $0.id))#\($0.connection)" }
      text = "presence joined \(joinedNames) gone \(goneNames)"
    case .linkUp(let members, _): text = "link up, there: \(members.map { name(of: $0.id) })"
    default: text = "\(event)"
    }
    log.note(now, participant.name, "<- \(text)")
  }

  func note(_ effect: CoordinationEffect, of participant: Participant) {
    guard log.isOn else { return }
    let text: String
    switch effect {
    case .send(.beat, _), .session(.participantsChanged): return
    case .send(let message, let to): text = "send to \(to.map(name(of:)) ?? "all"): \(describe(message))"
    case .playback(.command(let command)):
      let host = command.hostTime.map { " at \(seconds(participant.clock.time(at: $0)))" } ?? ""
      let rate = command.kind == .play ? " x\(command.rate)" : ""
      text = "HOST \(command.kind) #\(command.id)\(rate) to \(seconds(command.itemTime))\(host) (\(command.cause))"
    case .playback(.timingChanged(let change)):
      let waiting = change.waitingFor.map { "\(name(of: $0.participant)) \($0.reason)" }
      text = "timing \(change.status) at \(seconds(change.itemTime)) (\(change.cause)) \(waiting)"
    // Its roles are a dictionary, and would be printed in another order by each process.
    case .session(.policyChanged(let stack)): text = "policy " + stack.levels.map { name(of: $0.author) }.joined(separator: ", ")
    default: text = "\(effect)"
    }
    log.note(now, participant.name, "-> \(text)")
  }

  private func describe(_ message: CoordinationMessage) -> String {
    switch message {
    case .update(let statements): "update " + statements.map(describe).joined(separator: ", ")
    case .snapshot(let statements): "snapshot of \(statements?.count ?? -1)"
    case .have(let entries): "have \(entries.count)"
    case .want(let keys): "want \(keys.count)"
    case .levels(let levels): "levels of " + levels.map { name(of: $0.author) }.joined(separator: ", ")
    case .beat: "beat"
    }
  }

  private func describe(_ statement: Statement) -> String {
    let author = "\(name(of: statement.author))@\(seconds(groupTimeToTrue(statement.time)))"
    switch statement.value {
    case .rate(let value): return "R[\(author) rank \(value.rank.rawValue) x\(value.rate) at \(seconds(value.at))]"
    case .position(let value): return "P[\(author) rank \(value.rank.rawValue) \(seconds(value.position))]"
    case .continuation(let value):
      switch value.kind {
      case .line(let coverage, let since, _, let prior):
        let start = seconds(groupTimeToTrue(since))
        return "C[\(author) \(value.sequence) line since \(start) covers \(coverage)\(prior == nil ? "" : " prior")]"
      case .hold(let at, _): return "C[\(author) \(value.sequence) hold \(seconds(at))]"
      case .skip(let from, let at, _): return "C[\(author) \(value.sequence) skip \(seconds(from)) to \(seconds(at))]"
      case .ended(let at): return "C[\(author) \(value.sequence) ended \(seconds(at))]"
      }
    case .participant(let value):
      let ready = value.ready.map { " ready \($0.sequence)" } ?? ""
      let reasons = value.suspensions.map { $0.reason }
      let word = value.word == .notSaid ? "" : " \(value.word)"
      return "I[\(author) on \(value.item?.description ?? "-")\(ready)\(word)\(reasons.isEmpty ? "" : " \(reasons)")]"
    case .clock, .end, .activity, .stallPolicy, .actionAtEnd, .startPolicy, .playlistEntry, .playlistCurrent, .attachment,
      .scheduledStart, .skipPolicy, .audience:
      return "\(statement.key)"
    }
  }

  /// The first hub's clock is group time, within the errors of those who continued it.
  func groupTimeToTrue(_ time: GroupTime) -> Nanoseconds {
    time.subtracting(firstHub.base).scaled(by: 1 / (1 + firstHub.drift / 1_000_000))
  }
}
