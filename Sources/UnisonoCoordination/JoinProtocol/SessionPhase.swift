import UnisonoBase

/// How far this participant is in the session, and asking one member after another for everything (coordination 2.13).
struct SessionPhase: Sendable {
  enum Phase: Equatable, Sendable {
    /// Never linked: acts for itself alone.
    case solo
    /// Linked, but without the registers or without group time: the host is not commanded.
    case joining
    case member
  }

  /// Asking one member after another for everything.
  struct Pull: Sendable {
    fileprivate(set) var asked: ParticipantID?
    fileprivate(set) var answerBy: HostTime
    fileprivate(set) var refused: Set<ParticipantID> = []
  }

  /// What comes next in a pull.
  enum PullStep: Equatable {
    case ask(ParticipantID)
    /// Nobody else is to be asked.
    case finish
    case wait
  }

  private(set) var phase: Phase = .solo
  private(set) var linked = false
  /// While nobody of the group is met: host time at which the host stops waiting for it and acts alone.
  private(set) var aloneFrom: HostTime?
  /// Acts alone until somebody of the group is met.
  private(set) var hasGivenUp = false
  /// Messages can be exchanged.
  private(set) var secured = false
  /// All registers came: from a member, or this participant made the session.
  private(set) var joined = false
  /// The own register is published; else we only read along.
  private(set) var participates: Bool
  /// Made the session: group time begins with its hub.
  private(set) var isFounder = false
  private(set) var pull: Pull?
  private(set) var isOver = false

  init(participates: Bool) { self.participates = participates }

  // MARK: The link

  mutating func linkUp() {
    linked = true
    secured = false
    pull = nil
  }

  mutating func linkDown() {
    linked = false
    secured = false
    pull = nil
  }

  mutating func secure() { secured = true }

  // MARK: The phase

  mutating func participate() { participates = true }

  /// The group begins with this participant.
  mutating func found() { isFounder = true }

  /// The group's complete state is here.
  mutating func join() { joined = true }

  mutating func beginJoining() { phase = .joining }

  mutating func becomeMember() { phase = .member }

  mutating func returnToSolo() { phase = .solo }

  mutating func end() { isOver = true }

  /// Somebody of the group is met.
  mutating func meetGroup() { hasGivenUp = false }

  /// Whether the host acts alone if nobody comes, and from when on (nil: it does not).
  mutating func awaitGroup(isMet: Bool, now: HostTime) {
    guard phase == .joining, !isMet, !(joined && linked) else {
      aloneFrom = nil
      return
    }
    aloneFrom = aloneFrom ?? now.adding(Parameters.joining)
  }

  /// Nobody came in time; false: it is not time yet.
  mutating func giveUp(now: HostTime) -> Bool {
    guard phase == .joining, let from = aloneFrom, now >= from else { return false }
    aloneFrom = nil
    hasGivenUp = true
    return true
  }

  // MARK: The pull

  /// Host time at which somebody did not answer.
  var pullWake: HostTime? { secured ? pull?.answerBy : nil }

  mutating func beginPull(now: HostTime) { pull = Pull(asked: nil, answerBy: now) }

  mutating func endPull() { pull = nil }

  /// The next of `members`, the oldest first, is asked.
  mutating func nextPull(of members: [ParticipantID], now: HostTime, roundTrip: Nanoseconds?) -> PullStep {
    guard var pull, secured else { return .wait }
    if let next = members.first(where: { !pull.refused.contains($0) }) {
      pull.asked = next
      pull.answerBy = now.adding(Parameters.snapshotAnswer).adding((roundTrip ?? 0) * 2)
      self.pull = pull
      return .ask(next)
    }
    if joined { return .finish }
    if members.isEmpty {
      // Nobody is there: whoever comes is asked.
      self.pull = nil
    } else {
      // All are joining themselves: they are asked again, as somebody may have been told meanwhile.
      pull.asked = nil
      pull.refused = []
      pull.answerBy = now.adding(Parameters.snapshotAnswer)
      self.pull = pull
    }
    return .wait
  }

  /// It has nothing to give; false: it was not asked.
  mutating func refusePull(_ id: ParticipantID) -> Bool {
    guard pull?.asked == id else { return false }
    pull?.refused.insert(id)
    return true
  }

  /// Whoever was asked did not answer in time; false: it is not time yet.
  mutating func expirePull(now: HostTime) -> Bool {
    guard let pull, secured, now >= pull.answerBy else { return false }
    if let asked = pull.asked { self.pull?.refused.insert(asked) }
    return true
  }
}
