import UnisonoCore

/// Asking one member after another for the content key (wire 5.2, 6.6).
struct WelcomeSearch: Sendable {
  static let patience = Nanoseconds.milliseconds(500)
  /// Among members who neither answer nor ask themselves it is in vain after this; a hub notices a dead one earlier.
  static let giveUpAfter = Nanoseconds.seconds(20)

  /// Who knows a key already, and only may be behind, asks no more than these.
  static let most = 3

  /// Who is told that there is no place asks the next one after this.
  static let declined = Nanoseconds.seconds(2)

  /// Since when nobody answered at all.
  var since: HostTime
  /// Who was asked last, and until when it may answer; nil: nobody is left to be asked for now.
  var asked: ParticipantID?
  var answerBy: HostTime
  var tried: Set<ParticipantID> = []
  init(now: HostTime) {
    since = now
    answerBy = now
  }
}
