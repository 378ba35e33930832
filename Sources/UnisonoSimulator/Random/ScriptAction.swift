import UnisonoBase
import UnisonoCoordination
import UnisonoReplica

/// Action of a script: something that a person does in a random run, or that befalls it.
package enum ScriptAction: Sendable {
  case play(rate: Double, immediately: Bool)
  case pause
  case seek(to: ItemTime, immediately: Bool)
  /// Suspended for `length`; seeks for itself half-way; proposes at the end.
  case suspend(reason: String, length: Nanoseconds, local: ItemTime?, proposing: ItemTime?)
  case move(to: ItemID, proposing: Proposal?)
  case leave
  /// It joins the others only now.
  case enter
  /// Refused to who is no owner.
  case setRole(of: String, Role)
  case setControl(ControlPolicy)
  case setDeputies([String])
  case say(ReadyWord)
  /// Nobody named: without waiting for anybody.
  case startWithout([String])
  case setStartPolicy(StartPolicy)
  case setSkipPolicy([SkipRange.Kind])
  case undoJump
  /// Its process dies for good.
  case vanish(hubNoticesAfter: Nanoseconds)
  case loseLink(length: Nanoseconds, noticedAfter: Nanoseconds, hubNoticesAfter: Nanoseconds)
  case stallLink(length: Nanoseconds)
  case sleep(length: Nanoseconds)
  case stopProcess(length: Nanoseconds)
  case busyMachine(length: Nanoseconds, turnEvery: Nanoseconds)
  case stallPlayer(length: Nanoseconds)
  case hubDies(Int, within: Nanoseconds)
  case hubReturns(Int)
  case partition([[String]], length: Nanoseconds)
  case atPlayer(PlayerAction)
  case edit(ScriptEdit)
  /// Its copy of the entry that the group is at is so far ahead; 0: it is the same cut.
  case stateCut(ahead: Nanoseconds)
  /// Its copy of the entry that the group is at; nil: it says nothing of it any more.
  case stateCopy(Copy?)
  /// Ranges of its copy of an item that are not the group's.
  case setInterstitials(ItemID, [InterstitialRange])
  case scheduleStart(of: ItemID, in: Nanoseconds)
  case cancelStart
  case chat(ScriptChat)
  /// So many, the first so far ahead of where the sender's player is, or of the beginning of another item, the others each farther.
  case sendAt(ItemID, number: UInt64, count: Int, ahead: Nanoseconds, spacing: Nanoseconds)
  case attachment(ScriptAttachment)
  case lie(Lie)
  /// At one of its coordinators beside the first one.
  case coordinator(CoordinatorName, ScriptCoordinator)

  /// A fault of the world rather than something a person does.
  package var isFault: Bool {
    switch self {
    case .play, .pause, .seek, .suspend, .move, .leave, .enter, .setRole, .setControl, .setDeputies, .say, .startWithout, .setStartPolicy,
      .edit, .setSkipPolicy, .undoJump, .stateCut, .stateCopy, .setInterstitials, .scheduleStart, .cancelStart, .chat, .sendAt, .attachment,
      .coordinator:
      false
    case .atPlayer(let action): action.isFault
    default: true
    }
  }

  /// It is no business of the coordination: nothing is written to registers, and no player is told anything for it.
  package var isBeside: Bool {
    switch self {
    case .chat, .sendAt: true
    case .attachment(let action): !action.isWritten
    case .coordinator(_, let action): !action.isAboutSession
    default: false
    }
  }

  /// Its name without what it is done with.
  package var kind: String {
    switch self {
    case .play: "play"
    case .pause: "pause"
    case .seek: "seek"
    case .suspend: "suspend"
    case .move: "move"
    case .leave: "leave"
    case .enter: "enter"
    case .setRole: "setRole"
    case .setControl: "setControl"
    case .setDeputies: "setDeputies"
    case .say: "say"
    case .startWithout: "startWithout"
    case .setStartPolicy: "setStartPolicy"
    case .setSkipPolicy: "setSkipPolicy"
    case .undoJump: "undoJump"
    case .vanish: "vanish"
    case .loseLink: "loseLink"
    case .stallLink: "stallLink"
    case .sleep: "sleep"
    case .stopProcess: "stopProcess"
    case .busyMachine: "busyMachine"
    case .stallPlayer: "stallPlayer"
    case .hubDies: "hubDies"
    case .hubReturns: "hubReturns"
    case .partition: "partition"
    case .atPlayer: "atPlayer"
    case .edit: "edit"
    case .stateCut: "stateCut"
    case .stateCopy: "stateCopy"
    case .setInterstitials: "setInterstitials"
    case .scheduleStart: "scheduleStart"
    case .cancelStart: "cancelStart"
    case .chat: "chat"
    case .sendAt: "sendAt"
    case .attachment: "attachment"
    case .lie: "lie"
    case .coordinator: "coordinator"
    }
  }

  /// How long it lasts, ns.
  var length: Nanoseconds {
    switch self {
    case .suspend(_, let length, _, _), .stallLink(let length), .sleep(let length), .stopProcess(let length),
      .busyMachine(let length, _), .stallPlayer(let length), .partition(_, let length):
      length
    case .loseLink(let length, let noticed, let hubNotices): max(length, noticed, hubNotices)
    case .hubDies(_, let spread): spread
    case .vanish(let noticed): noticed
    case .atPlayer(let action): action.length
    case .scheduleStart(_, let delay): delay
    case .coordinator(_, let action): action.length
    case .play, .pause, .seek, .move, .leave, .enter, .setRole, .setControl, .setDeputies, .say, .startWithout, .setStartPolicy,
      .setSkipPolicy, .undoJump, .hubReturns, .edit, .stateCut, .stateCopy, .setInterstitials, .cancelStart, .chat, .sendAt, .attachment, .lie:
      0
    }
  }

  func happen(to person: Person, in room: SimulatedSession) {
    if person.participant.layer != nil, person.actsAtPlayer(self) { return }
    switch self {
    case .play(let rate, false): person.play(rate: rate)
    case .play(let rate, true): person.playImmediately(rate: rate)
    case .pause: person.pause()
    case .seek(let position, false): person.seek(to: position)
    case .seek(let position, true): person.seekImmediately(to: position)
    case .suspend(let reason, let length, let local, let proposal):
      let suspension = person.suspend(reason)
      if let local { room.after(length / 2) { _ in person.seek(to: local) } }
      room.after(length) { _ in person.end(suspension, proposing: proposal) }
    case .move(let item, let proposal): person.transition(to: item, proposing: proposal)
    case .leave: if room.people.allSatisfy({ $0.isHeard || !$0.participant.isRunning }) { person.leave() }
    case .enter: room.enter(person.name)
    case .setRole(let name, let role): person.setRole(of: room[name], to: role)
    case .setControl(let control): person.setControl(control)
    case .setDeputies(let names):
      person.setDeputies(names.map { room[$0] }, after: person.view.succession.patience)
    case .say(let word): person.says(word)
    case .startWithout(let names): person.start(without: names.map { room[$0] })
    case .setStartPolicy(let policy): person.setStartPolicy(policy)
    case .setSkipPolicy(let kinds):
      room.noteAction()
      person.setSkipPolicy(kinds)
    case .undoJump: person.undoJump()
    case .vanish(let hubNotices): person.vanish(hubNoticesAfter: hubNotices)
    case .loseLink(let length, let noticed, let hubNotices):
      person.loseLink(noticedAfter: noticed, hubNoticesAfter: hubNotices, backAfter: length)
    case .stallLink(let length): person.stallLink(for: length)
    case .sleep(let length): person.sleep(for: length)
    case .stopProcess(let length): person.stopProcess(for: length)
    case .busyMachine(let length, let interval): person.isKeptWaiting(for: length, turnEvery: interval)
    case .stallPlayer(let length):
      person.stalls(for: length)
      // If nobody waited for it, it asks where to be afterwards.
      room.after(length + .milliseconds(1)) { _ in person.reapply() }
    case .hubDies(let hub, let spread): room.hubDies(hub, within: spread)
    case .hubReturns(let hub): room.hubReturns(hub)
    case .partition(let groups, let length):
      room.partition(groups: groups)
      room.after(length) { $0.heal() }
    case .atPlayer(let action): action.happen(to: person, in: room)
    case .edit(let edit): edit.happen(to: person)
    case .stateCut(let offset):
      room.noteAction()
      person.isAhead(by: offset)
    case .stateCopy(let copy):
      room.noteAction()
      person.has(copy)
    case .setInterstitials(let item, let ranges):
      room.noteAction()
      person.sees(ranges, in: item)
    case .scheduleStart(let item, let delay):
      room.noteAction()
      person.schedulesStart(of: item, in: delay)
      // What follows of it happens then.
      room.after(delay) { $0.noteAction() }
    case .cancelStart:
      room.noteAction()
      person.cancelsStart()
    case .chat(let chat): chat.happen(to: person)
    case .sendAt(let item, let number, let count, let ahead, let spacing):
      let place = (person.view.item == item ? person.groupPosition : 0) + ahead
      for index in 0..<count { person.sends(number + UInt64(index), to: item, at: place + Int64(index) * spacing) }
    case .attachment(let action): action.happen(to: person)
    case .lie(let lie): lie.happen(to: person, in: room)
    case .coordinator(let name, let action): action.happen(to: person, at: name, in: room)
    }
  }
}

extension ScriptAction: CustomStringConvertible {
  package var description: String {
    switch self {
    case .play(let rate, let immediately): "plays\(rate == 1 ? "" : " at \(rate)")\(immediately ? " immediately" : "")"
    case .pause: "pauses"
    case .seek(let position, let immediately): "seeks to \(seconds(position))\(immediately ? " immediately" : "")"
    case .suspend(let reason, let length, let local, let proposal):
      "is \(reason) for \(seconds(length))"
        + (local.map { ", seeks for itself to \(seconds($0))" } ?? "")
        + (proposal.map { ", then proposes \(seconds($0))" } ?? "")
    case .move(let item, let proposal):
      "moves to \(item)"
        + (proposal.map { ", proposing \(seconds($0.itemTime)) at rate \($0.rate)" } ?? ", proposing nothing")
    case .leave: "leaves"
    case .enter: "joins only now"
    case .setRole(let name, let role): "makes \(name) \(role)"
    case .setControl(let control): "sets control to \(control)"
    case .setDeputies(let names): "names as deputies \(names.joined(separator: ", "))"
    case .say(let word): "says \(word)"
    case .startWithout(let names): names.isEmpty ? "goes on without anybody" : "goes on without \(names.joined(separator: ", "))"
    case .setStartPolicy(let policy):
      "lets \(policy.waiting) starts wait for people for \(seconds(policy.limit)), and who leaves \(policy.leaving)"
    case .setSkipPolicy(let kinds): "leaves out \(kinds.isEmpty ? "nothing" : kinds.map { $0.word }.joined(separator: ", "))"
    case .undoJump: "takes the last jump back"
    case .vanish(let hubNotices): "vanishes, which the hub notices after \(seconds(hubNotices))"
    case .loseLink(let length, let noticed, let hubNotices):
      "loses its link for \(seconds(length)), noticed after \(seconds(noticed)), by the hub after \(seconds(hubNotices))"
    case .stallLink(let length): "has its link stalled for \(seconds(length))"
    case .sleep(let length): "sleeps for \(seconds(length))"
    case .stopProcess(let length): "stands still for \(seconds(length))"
    case .busyMachine(let length, let interval): "has a busy machine for \(seconds(length)), and a turn \(seconds(interval)) after news"
    case .stallPlayer(let length): "has its player stalled for \(seconds(length))"
    case .hubDies(let hub, let spread): "sees hub \(hub + 1) die, noticed within \(seconds(spread))"
    case .hubReturns(let hub): "sees hub \(hub + 1) come back"
    case .atPlayer(let action): "\(action)"
    case .edit(let edit): "edits the playlist: \(edit)"
    case .stateCut(let offset): "says that its cut is \(seconds(offset)) ahead"
    case .stateCopy(nil): "says nothing of its copy any more"
    case .stateCopy(let copy?): "says that its copy has \(seconds(copy.duration)), \(copy.size) bytes, hash \(copy.hash.first ?? 0)"
    case .setInterstitials(let item, let ranges):
      ranges.isEmpty
        ? "has no ranges of its own in \(item)"
        : "has ranges of its own in \(item): \(ranges.map { "\(seconds($0.start))-\(seconds($0.end))" }.joined(separator: ", "))"
    case .scheduleStart(let item, let delay): "schedules a start of \(item) in \(seconds(delay))"
    case .cancelStart: "takes the scheduled start back"
    case .chat(let chat): "chats: \(chat)"
    case .sendAt(let item, _, let count, let ahead, let spacing):
      "sends \(count) to \(item), \(seconds(ahead)) ahead and each \(seconds(spacing)) farther"
    case .attachment(let action): "handles an attachment: \(action)"
    case .lie(let lie): "lies\(lie.coordinator.map { " at \($0)" } ?? ""): \(lie.count) of \(lie.kind.rawValue), numbers of \(lie.seed)"
    case .coordinator(let name, let action): "\(action.description(at: name))"
    case .partition(let groups, let length):
      "sees the net fall apart for \(seconds(length)) into "
        + groups.map { "[\($0.joined(separator: " "))]" }.joined(separator: " ")
    }
  }
}
