import UnisonoBase

/// Search for the content key: one member after another is asked (wire 5.5, 6.10).
struct WelcomeSearch: Sendable {
  static let patience = Nanoseconds.milliseconds(500)
  /// Time after which a search among members who neither answer nor ask themselves is given up; a hub notices dead ones earlier.
  static let giveUpAfter = Nanoseconds.seconds(20)

  /// Members asked at most by a participant that has a key and only may be behind.
  static let most = 2

  /// Time after a DECLINE until the next member is asked.
  static let declined = Nanoseconds.seconds(2)

  /// Time from which on nobody answered at all.
  var since: HostTime
  /// Member asked last; nil: nobody is left to be asked for now.
  var asked: ParticipantID?
  /// Time until which it may answer.
  var answerBy: HostTime
  var tried: Set<ParticipantID> = []
  /// Rounds in which everybody was asked.
  private var rounds = 0

  init(now: HostTime) {
    since = now
    answerBy = now
  }

  /// Everybody was asked: again after a pause, ever longer ones.
  mutating func beginRound(now: HostTime) {
    asked = nil
    answerBy = now.adding(Self.patience * Int64(1 << min(rounds, 4)))
    tried = []
    rounds += 1
  }
}
