import UnisonoBase

/// Search for the content key: one member after another is asked (wire 5.5, 6.10).
struct WelcomeSearch: Sendable {
  /// So long a member may take to answer, beside the way to it and back.
  static let patience = Nanoseconds.milliseconds(500)
  /// Time after which a search among members who neither answer nor ask themselves is given up; a hub notices dead ones earlier.
  static let giveUpAfter = Nanoseconds.seconds(20)

  /// Members asked at most by a participant that has a key and only may be behind.
  static let most = 2

  /// Time after a DECLINE until the next member is asked.
  static let declined = Nanoseconds.seconds(2)

  /// Time from which on those who are here kept silent: there was somebody, who neither answered nor asked.
  private var since: HostTime
  /// Member asked last; nil: nobody is left to be asked for now.
  private(set) var asked: ParticipantID?
  /// Time until which it may answer.
  private(set) var answerBy: HostTime
  private(set) var tried: Set<ParticipantID> = []
  /// Who was asked in any round.
  private var known: Set<ParticipantID> = []
  /// Rounds in which everybody was asked.
  private var rounds = 0

  init(now: HostTime) {
    since = now
    answerBy = now
  }

  /// Asks a member, which may answer until then.
  mutating func begin(with member: ParticipantID, until: HostTime) {
    tried.insert(member)
    known.insert(member)
    asked = member
    answerBy = until
  }

  /// Nobody kept silent until now.
  mutating func restartSilence(now: HostTime) { since = now }

  /// The member that was asked has until then; the next one is asked.
  mutating func expect(answerBy time: HostTime) { answerBy = time }

  /// Forgets a member that is gone.
  mutating func forget(_ member: ParticipantID) {
    tried.remove(member)
    known.remove(member)
  }

  /// Whether those who are here, none of whom asks, kept silent for so long that there is nobody who could let anybody in. Who came just
  /// now is asked first.
  func isHopeless(among members: [ParticipantID], now: HostTime) -> Bool {
    now >= since.adding(Self.giveUpAfter) && members.allSatisfy { known.contains($0) }
  }

  /// Everybody was asked: again after a pause, ever longer ones.
  mutating func beginRound(now: HostTime) {
    asked = nil
    answerBy = now.adding(Self.patience * Int64(1 << min(rounds, 4)))
    tried = []
    rounds += 1
  }
}
