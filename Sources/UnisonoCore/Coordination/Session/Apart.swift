/// Acting alone while the others may go on (coordination 2.10).
struct Apart: Sendable {
  private(set) var since: GroupTime?
  /// Transport as it was when we became apart.
  private(set) var copy: [RegisterKey: Statement] = [:]
  /// Who had been there before: however long it takes to meet them again, they are no newcomers.
  private(set) var others: Set<ParticipantID> = []
  /// Registers of Transport written since; nobody else ever received these statements.
  var written: Set<RegisterKey> = []
  /// Others are here again: what counts is decided by then.
  var meetingUntil: HostTime?
  /// Transport that came during the meeting.
  var inbox: [(statements: [Statement], sender: ParticipantID)] = []

  var isApart: Bool { since != nil }

  mutating func begin(at time: GroupTime, copy: [RegisterKey: Statement], others: Set<ParticipantID>) {
    since = time
    self.copy = copy
    self.others = others
    written = []
  }

  mutating func end() {
    self = Apart()
  }

  /// A meeting that is interrupted has decided nothing.
  mutating func abandonMeeting() {
    meetingUntil = nil
    inbox = []
  }
}

extension Coordination {
  mutating func becomeApart() {
    guard !apart.isApart else { return }
    apart.begin(
      at: groupNow, copy: registers.statements.filter { $0.key.item != nil },
      others: Set(presence.entries.filter { !$0.value.left }.keys))
    me.apart = me.apart.suffix(3) + [ParticipantValue.Interval(from: groupNow, to: .max)]
  }

  /// Others are there: what they say of themselves comes first, commands afterwards.
  mutating func startMeeting() {
    guard apart.isApart, apart.meetingUntil == nil else { return }
    apart.meetingUntil = now.adding(Parameters.meeting)
    published = nil
    dropGuesses()
    if membership.pull == nil { startPull() }
  }

  /// Met again rather than new: it is known, or was there when we became apart.
  func isReturning(_ id: ParticipantID) -> Bool { registers.participant(id) != nil || apart.others.contains(id) }

  /// The link is back, but nobody else: still apart if others were there who did not leave.
  mutating func meetNobody() {
    if presence.entries.values.allSatisfy(\.left) { endApart(keepingAll: true) }
  }

  /// Whoever is met may know group time; if not, what was guessed is mapped again afterwards. Until then it is in doubt: a
  /// stamp by the guess could be before what the others commanded long ago.
  private mutating func dropGuesses() {
    guard let guesses = clock.guesses else { return }
    for id in guesses { registers.remove(.clock(id)) }
    clock.doubtGuess()
    refreshClock()
  }

  /// Whoever was met is gone again before anything was decided.
  mutating func interruptMeeting() {
    guard apart.meetingUntil != nil else { return }
    apart.abandonMeeting()
    membership.pull = nil
  }

  mutating func checkMeeting() {
    guard let until = apart.meetingUntil, now >= until else { return }
    endApart(keepingAll: false)
  }

  /// Keeps, with its stamp, what is young or was written while everybody was apart; restores the rest.
  mutating func endApart(keepingAll: Bool) {
    guard apart.isApart else { return }
    let finished = apart
    let present = host.item.flatMap { item in presentState(of: item).map { (item, $0) } }
    apart.end()
    if let last = me.apart.indices.last { me.apart[last].to = groupNow }
    // Long away from those who went on: what they have now is all that counts.
    if !keepingAll, let since = finished.since, groupNow.subtracting(since) > Parameters.longApart,
      !isEverybodyApart(from: finished, at: groupNow.subtracting(Parameters.longApart))
    {
      for key in registers.statements.keys where key.item != nil { registers.remove(key) }
    }
    let kept = finished.written.filter { keepingAll || isKept($0, of: finished) }
    for key in finished.written where !kept.contains(key) && registers[key] != nil {
      registers.restore(key, to: finished.copy[key])
    }
    for key in kept where registers[key].map(registers.isStale) ?? false {
      registers.restore(key, to: finished.copy[key])
    }
    for message in finished.inbox { receive(message.statements, from: message.sender) }
    refreshClock()
    // All that was commanded on the current item, or half of it, does not count, and nobody has another state of it: what is
    // missing is proposed as it is.
    if let (item, proposal) = present, registers.cells(of: item) == nil {
      if suspensions.isSuspended {
        suspensions.heldTransition = proposal
      } else {
        let (issued, cause) = (host.issued, host.nextCause)
        arrive(on: item, proposal: proposal, mayBeAbandoned: false)
        // A host that is about to be told where to be is not there yet.
        if issued == .nothing {
          host.forgetIssued()
          host.nextCause = cause
        }
      }
    }
    // Half a pair is no state.
    for key in kept where key.item != host.item && key.item.flatMap(registers.cells) == nil { registers.remove(key) }
    offerOwn()
  }

  private func isKept(_ key: RegisterKey, of apart: Apart) -> Bool {
    guard let statement = registers[key], statement.author == local else { return false }
    if groupNow.subtracting(statement.time) < Parameters.keptSoloCommand { return true }
    return isEverybodyApart(from: apart, at: statement.time)
  }

  /// Whether every other participant known was apart then. Who was there before and said nothing yet was not; who came since
  /// has nothing to lose.
  private func isEverybodyApart(from apart: Apart, at time: GroupTime) -> Bool {
    presence.entries.filter { !$0.value.left }.keys.allSatisfy { id in
      guard let value = registers.participant(id) else { return !apart.others.contains(id) }
      return value.apart.contains { $0.from <= time && time <= $0.to }
    }
  }
}
