import UnisonoBase
import UnisonoCoordination
import UnisonoReplica

/// A participant as a person: what it does, and what it sees.
package struct Person {
  let room: SimulatedSession
  let participant: Participant

  package var name: String { participant.name }
  package var id: ParticipantID { participant.id }
  package var view: CoordinationView { participant.read { $0.view } }
  package var attachments: AttachmentShelf { participant.read { $0.attachments } }
  package var history: History { participant.history }
  package var hasJoined: Bool { !participant.history.joined.isEmpty }
  package var player: PlayerView { room.player(of: participant) }
  /// What its own player needs before it could start, ns.
  package var ownLatency: Nanoseconds { participant.player.abilities.latency }
  /// Updates it sent after a true time, oldest first.
  package func updates(since time: Nanoseconds) -> [CoordinationMessage] {
    history.sent.filter { $0.at > time }.map { $0.value.message }.filter {
      if case .update = $0 { true } else { false }
    }
  }
  /// The link is up, or it believes so, or it is about to be.
  package var hasLink: Bool { participant.link.state != .down }
  /// Its link really carries what it says.
  package var isHeard: Bool { participant.link.connection.map(room.hubs[participant.link.hub].carries) ?? false }
  /// It is there, and its machine is awake.
  package var canAct: Bool { participant.isRunning && room.now >= participant.asleepUntil }
  package var isSuspended: Bool { !view.suspensionReasons.isEmpty }

  /// Where the group is now, as this participant sees it, ns of the item.
  package var groupPosition: ItemTime {
    let timing = view.timing
    let host = participant.clock.host(at: room.now)
    if let prior = timing.prior, host < timing.line.since { return prior.position(at: host) }
    return timing.status == .playing && host < timing.line.since ? timing.line.at : timing.line.position(at: host)
  }
  package var status: TimingStatus { view.timing.status }

  private func act(_ event: CoordinationEvent, isAction: Bool = true) {
    if isAction { room.noteAction(at: participant.coordinator) }
    room.deliver(event, to: participant)
  }

  /// Moves to an item, its player standing (or running) where the proposal says; nil: nothing is playing.
  package func transition(to item: ItemID?, proposing proposal: Proposal? = nil) {
    let host = participant.clock.host(at: room.now)
    var line = Line(at: proposal?.itemTime ?? 0, rate: proposal?.rate ?? 0, since: proposal?.hostTime ?? host)
    line = Line(at: line.position(at: host), rate: line.rate, since: host)
    if let range = participant.player.reach?.range(at: host) {
      line.at = min(max(line.at, range.lowerBound), range.upperBound)
    }
    participant.player.load(item, line: line, at: host)
    room.noteBelief(of: participant)
    // "Now" is when it was said, not when its process reads that.
    var proposal = proposal
    proposal?.hostTime = line.since
    proposal?.itemTime = line.at
    act(.transition(to: item, proposal: proposal))
    guard participant.player.reach != nil, item != nil else { return }
    room.scheduleReport(of: participant, course: participant.player.course, at: host)
    room.foreseeEnd(of: participant)
  }

  /// From its next item on its player has only this of it, and says so.
  package func has(_ reach: PlayerReach?) { participant.player.reach = reach }

  /// Takes part in an item again, if it does not.
  package func returns(to item: ItemID) {
    if view.item != item { transition(to: item) } else if isSuspended { reapply() }
  }

  package func play(rate: Double = 1) { act(.rateChange(rate: rate, immediately: false)) }
  package func playImmediately(rate: Double = 1) { act(.rateChange(rate: rate, immediately: true)) }
  package func pause() { act(.rateChange(rate: 0, immediately: false)) }
  package func seek(to position: ItemTime) { act(.seek(to: position, resumeImmediately: false)) }
  package func undoJump() { act(.undoJump) }
  package func says(_ word: ReadyWord) { act(.setReady(word)) }
  /// With nobody named: without waiting for anybody.
  package func start(without others: [Person] = []) { act(.startWithout(others.map { $0.id }.sorted())) }

  /// Where the group's playlist is, as this participant has it.
  package var playlist: Playlist { participant.read { $0.playlist } }
  package var currentEntry: EntryID? { participant.read { $0.currentEntry } }
  /// Items of its playlist, in order.
  package var programme: [ItemID] { playlist.lines.map { $0.entry.item } }

  package func edits(_ edit: PlaylistEdit) {
    participant.edits.append(Dated(at: room.now, value: edit))
    act(.editPlaylist(edit))
  }

  /// Puts an item on the playlist; `before` nil: at its end.
  package func adds(_ item: ItemID, as id: EntryID, before other: EntryID? = nil, title: String = "", copy: Copy = Copy(), ranges: [SkipRange] = []) {
    guard let place = PlaylistPlace([0x80]) else { return }
    edits(.add(id, entry: PlaylistEntry(place: place, item: item, added: 0, title: title, copy: copy, ranges: ranges), before: other))
  }

  /// Its player has this copy of an entry.
  package func has(_ copy: Copy, of entry: EntryID) { act(.stateCopy(StatedCopy(entry: entry, copy: copy)), isAction: false) }

  /// Its player has this copy of the entry that the group is at, nil: it does not say.
  package func has(_ copy: Copy?) {
    guard let copy else { return act(.stateCopy(nil), isAction: false) }
    if let entry = currentEntry { has(copy, of: entry) }
  }

  /// Ranges of its copy of an item, s, that are not the group's.
  package func sees(_ ranges: [ClosedRange<Int64>], in item: ItemID = "X") {
    sees(ranges.map { InterstitialRange(start: .seconds($0.lowerBound), end: .seconds($0.upperBound)) }, in: item)
  }
  /// Those that its copy has: it may end before.
  package func sees(_ given: [InterstitialRange], in item: ItemID) {
    var ranges = given
    if case .cut(let end)? = participant.player.reach { ranges.removeAll { $0.end > end } }
    participant.interstitials[item] = ranges
    act(.setInterstitials(item, ranges), isAction: false)
  }
  /// Its player's copy of an entry, nil: of that which the group is at, is so far ahead of the group's item time.
  package func isAhead(by offset: Nanoseconds, in entry: EntryID? = nil) { act(.setCutOffset(entry, offset), isAction: false) }
  package func seekImmediately(to position: ItemTime) { act(.seek(to: position, resumeImmediately: true)) }
  package func reapply() { act(.reapply) }

  /// Steps out of the group's time; the number ends it.
  package func suspend(_ reason: String) -> UInt64 {
    participant.suspensions += 1
    act(.beginSuspension(id: participant.suspensions, reason: reason))
    return participant.suspensions
  }

  package func end(_ suspension: UInt64, proposing position: ItemTime? = nil) {
    act(.endSuspension(id: suspension, proposing: position))
  }

  package func waits(for reasons: [String], upTo limit: UInt32? = nil) {
    act(.setWaitingReasons(reasons), isAction: false)
    guard let limit else { return }
    for reason in reasons { act(.setParticipantLimit(reason: reason, limit: limit), isAction: false) }
  }

  package func snapsPauses(_ snaps: Bool = true) { act(.setPauseSnaps(snaps), isAction: false) }
  package func preparesAhead(_ prepares: Bool = true) { act(.setPreparesAhead(prepares), isAction: false) }
  package func waits(atMost limit: Nanoseconds) { act(.setWaitLimit(limit), isAction: false) }
  package func delaysOutput(by offset: Nanoseconds) { act(.setOutputOffset(offset), isAction: false) }
  package func share(_ activity: Activity) { act(.setActivity(activity)) }
  package func endSession() { act(.end) }
  /// An owner's acts; others are refused.
  package func setRole(of other: Person, to role: Role) { act(.changePolicy(.role(other.id, role))) }
  /// Out with these, for good. Doors and keys are the secure channel's: here nobody hears them any more.
  package func remove(_ others: [Person]) {
    let topic = [UInt8](repeating: 1, count: 32)
    act(.changePolicy(.removal(others.map { $0.id }.sorted(), topic: topic, founding: .none, leaving: [])))
  }
  package func setControl(_ control: ControlPolicy) { act(.changePolicy(.control(control))) }
  /// With nobody named: those who have been there longest, or, without `bySeniority`, nobody.
  package func setDeputies(
    _ deputies: [Person], bySeniority: Bool = false, after patience: Nanoseconds = SuccessionTerms.usualPatience
  ) {
    let rule: SuccessionTerms.Rule = deputies.isEmpty ? (bySeniority ? .bySeniority : .nobody) : .named
    act(.changePolicy(.succession(SuccessionTerms(rule: rule, deputies: deputies.map { $0.id }, patience: patience))))
  }
  package var role: Role { view.role }

  /// Says goodbye and goes.
  package func leave() {
    act(.leave)
    room.disconnect(participant)
    room.noteEnd(of: participant)
    participant.isRunning = false
  }

  /// Its player says something about itself that no command asked for.
  package func playerReports(rate: Double, position: ItemTime, stalled: Bool = false) {
    let report = PlaybackReport(
      stalled: stalled, rate: rate,
      position: .init(itemTime: position, hostTime: participant.clock.host(at: room.now)))
    room.deliver(.report(report), to: participant)
  }

  /// Its player changes course by itself (a stall, a route change, its own controls) and says so.
  package func playerWanders(rate: Double, stalled: Bool = false) {
    let host = participant.clock.host(at: room.now)
    let line = Line(at: participant.player.position(at: host), rate: rate, since: host)
    participant.player.wander(to: line)
    room.report(participant, stalled: stalled)
  }

  /// Its player runs out of data and says so; nil: for good. A running player goes on by itself afterwards, behind the group.
  package func stalls(for duration: Nanoseconds?) {
    let host = participant.clock.host(at: room.now)
    let plan = participant.player.stall(from: host, until: host + (duration ?? .seconds(1_000_000)))
    room.report(participant)
    for host in plan.reports { room.scheduleReport(of: participant, course: plan.course, at: host) }
    room.foreseeEnd(of: participant)
  }

  package func setActionAtEnd(_ action: ActionAtEnd, asProposal: Bool = false) {
    act(.setActionAtEnd(action, asProposal: asProposal), isAction: false)
  }

  package func setStartPolicy(_ policy: StartPolicy, asProposal: Bool = false) {
    act(.setStartPolicy(policy, asProposal: asProposal), isAction: false)
  }
  package func setSkipPolicy(_ kinds: [SkipRange.Kind], asProposal: Bool = false) {
    act(.setSkipPolicy(SkipPolicy(kinds: kinds), asProposal: asProposal), isAction: false)
  }
  /// Schedules the start of an item, so much from now by its own clock.
  package func schedulesStart(of item: ItemID, in delay: Nanoseconds) {
    act(.scheduleStart(of: item, at: participant.clock.host(at: room.now) + delay, calendarTime: nil), isAction: false)
  }
  package func cancelsStart() { act(.cancelStart, isAction: false) }

  /// Offers something to the group, in a place of its own.
  package func offersAttachment(_ value: AttachmentValue, in slot: AttachmentSlot) {
    room.placeActs.append(Dated(at: room.now, value: PlaceAct(slot: slot, deed: .offered(value.id), by: id)))
    act(.offerAttachment(slot, value), isAction: false)
  }

  /// Takes back what it sees offered in a place of its own or of another's.
  package func takesBackAttachment(in slot: AttachmentSlot) {
    guard let offer = attachments.offer(in: slot) else { return }
    room.placeActs.append(Dated(at: room.now, value: PlaceAct(slot: slot, deed: .tookBack(offer.time), by: id)))
    act(.takeBackAttachment(slot, offered: offer.time), isAction: false)
  }

  package func setStallPolicy(_ policy: StallPolicy, asProposal: Bool = false) {
    act(.setStallPolicy(policy, asProposal: asProposal), isAction: false)
  }

  /// Its player stands at the end of its item, and says so.
  package func playerEnds(at end: ItemTime) {
    let host = participant.clock.host(at: room.now)
    let position = PlaybackReport.Position(itemTime: end, hostTime: host)
    room.deliver(.report(PlaybackReport(rate: 0, position: position, range: 0...end)), to: participant)
  }

  package func changePlayer(_ change: (inout PlayerAbilities) -> Void) { change(&participant.player.abilities) }
  /// From now on its player says where it is that often while it plays.
  package func reports(every interval: Nanoseconds) { participant.reportsEvery = interval }
  package func changeLink(_ change: (inout LinkQuality) -> Void) { change(&participant.link.quality) }
  package func synchronises(after delay: Nanoseconds) { participant.synchronisesAfter = delay }
  /// Reads what comes within this time in one turn of its loop.
  package func readsTogether(within delay: Nanoseconds) { participant.turnDelay = delay }

  /// A message of `sender` arrives, whatever the network did.
  package func receive(_ message: CoordinationMessage, from sender: Person) {
    room.deliver(.message(message, from: sender.id), to: participant)
  }
}
