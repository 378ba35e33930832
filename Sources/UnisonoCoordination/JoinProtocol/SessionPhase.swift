import UnisonoBase

/// How far this participant is in the session, and asking one member after another for everything (coordination 2.13).
///
///     solo ──▶ joining ──▶ member
///       ◀── nobody comes ──┘
struct SessionPhase: Sendable {
  enum Phase: Equatable, Sendable {
    /// Never linked, or nobody of the group was met: acts for itself alone.
    case solo
    /// Linked, but without the registers or without group time: the host is not commanded.
    case joining
    case member
  }

  /// Asking one member after another for everything.
  private struct Pull: Sendable {
    var asked: ParticipantID?
    var answerBy: HostTime
    var refused: Set<ParticipantID> = []
    /// How often all were asked before.
    var round = 0
    /// All who were asked, in whichever round: an answer may be late.
    var everAsked: Set<ParticipantID> = []
  }

  /// What comes next in a pull.
  enum PullStep: Equatable {
    case ask(ParticipantID)
    /// Nobody else is to be asked.
    case finish
    /// Nobody who is there gave the group's state, so often by now: all are joining themselves or did not answer, or nobody is there.
    case nobodyKnows(rounds: Int)
    case wait
  }

  /// Phase, with what there is in it only.
  private enum Standing {
    /// `hasGivenUp`: acts alone until somebody of the group is met.
    case solo(hasGivenUp: Bool)
    /// `aloneFrom`, while nobody of the group is met: host time at which the host stops waiting for it and acts alone.
    case joining(aloneFrom: HostTime?)
    case member
  }

  private enum Link {
    case down
    /// Messages cannot be exchanged yet. `isContinued`: they were in the room before, with the same others, until now.
    case up(isContinued: Bool)
    case secured(Pull?)
  }

  private var standing = Standing.solo(hasGivenUp: false)
  private var link = Link.down
  /// All registers came: from a member, or this participant made the session.
  private(set) var joined = false
  /// The own register is published; else we only read along.
  private(set) var participates: Bool
  /// Made the session: group time begins with its hub.
  private(set) var isFounder = false
  /// Goes on from another day: the registers of then are there from the start.
  private(set) var isResumed = false
  private(set) var isOver = false

  init(participates: Bool) { self.participates = participates }

  var phase: Phase {
    switch standing {
    case .solo: .solo
    case .joining: .joining
    case .member: .member
    }
  }

  /// Nobody of the group was met in time.
  var hasGivenUp: Bool { if case .solo(hasGivenUp: true) = standing { true } else { false } }

  var aloneFrom: HostTime? { if case .joining(let from) = standing { from } else { nil } }

  // MARK: The link

  var linked: Bool { if case .down = link { false } else { true } }

  /// Messages can be exchanged.
  var secured: Bool { if case .secured = link { true } else { false } }

  /// The link is that of another room, and all that was said in the one before came, or will.
  var isContinued: Bool { if case .up(isContinued: true) = link { true } else { false } }

  mutating func linkUp() { link = .up(isContinued: false) }

  /// A link to another room in place of the present one.
  mutating func move() { link = .up(isContinued: secured && joined && !isPulling) }

  mutating func linkDown() { link = .down }

  mutating func secure() { link = .secured(nil) }

  // MARK: The phase

  mutating func participate() { participates = true }

  /// The group begins with this participant.
  mutating func found() { isFounder = true }

  /// The group's complete state is here.
  mutating func join() { joined = true }

  mutating func beginJoining() { standing = .joining(aloneFrom: nil) }

  /// The group is gone on with from another day: what it did is known, and not yet what time it is.
  mutating func resume() {
    isResumed = true
    standing = .member
  }

  mutating func becomeMember() { standing = .member }

  mutating func end() { isOver = true }

  /// Whether the host acts alone if nobody comes, and from when on (nil: it does not).
  mutating func awaitGroup(isMet: Bool, now: HostTime) {
    guard case .joining(let from) = standing else { return }
    standing = .joining(aloneFrom: isMet || joined && linked ? nil : from ?? now.adding(Parameters.joining))
  }

  /// Back to acting alone, as nobody came in time; false: it is not time yet.
  mutating func giveUp(now: HostTime) -> Bool {
    guard let from = aloneFrom, now >= from else { return false }
    standing = .solo(hasGivenUp: true)
    return true
  }

  // MARK: The pull

  private var pull: Pull? { if case .secured(let pull) = link { pull } else { nil } }

  var isPulling: Bool { pull != nil }

  /// Host time at which somebody did not answer.
  var pullWake: HostTime? { pull?.answerBy }

  /// Nobody can be asked before messages can be exchanged.
  mutating func beginPull(now: HostTime) {
    if secured { link = .secured(Pull(asked: nil, answerBy: now)) }
  }

  mutating func endPull() { if secured { link = .secured(nil) } }

  /// The next of `members`, the oldest first, is asked.
  mutating func nextPull(of members: [ParticipantID], now: HostTime, roundTrip: Nanoseconds?) -> PullStep {
    guard var pull else { return .wait }
    if let next = members.first(where: { !pull.refused.contains($0) }) {
      pull.asked = next
      pull.everAsked.insert(next)
      pull.answerBy = now.adding(Parameters.snapshotAnswer).adding((roundTrip ?? 0) * 2)
      link = .secured(pull)
      return .ask(next)
    }
    if joined { return .finish }
    if members.isEmpty {
      // Nobody is there: whoever comes is asked.
      link = .secured(nil)
    } else {
      // All are joining themselves: they are asked again, as somebody may have been told meanwhile.
      link = .secured(
        Pull(
          asked: nil, answerBy: now.adding(Parameters.snapshotAnswer), round: pull.round + 1, everAsked: pull.everAsked))
    }
    return .nobodyKnows(rounds: pull.round + 1)
  }

  /// Whether what it gives was asked for; who was not asked may say anything.
  func hasAsked(_ id: ParticipantID) -> Bool { pull?.everAsked.contains(id) == true }

  /// It has nothing to give; false: it was not asked.
  mutating func refusePull(_ id: ParticipantID) -> Bool {
    guard var pull, pull.asked == id else { return false }
    pull.refused.insert(id)
    link = .secured(pull)
    return true
  }

  /// Whoever was asked did not answer in time; false: it is not time yet.
  mutating func expirePull(now: HostTime) -> Bool {
    guard var pull, now >= pull.answerBy else { return false }
    if let asked = pull.asked { pull.refused.insert(asked) }
    link = .secured(pull)
    return true
  }
}
