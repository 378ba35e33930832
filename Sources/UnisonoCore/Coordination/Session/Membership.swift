/// How far this participant is in the session (coordination 2.13).
struct Membership: Sendable {
  enum Phase: Equatable, Sendable {
    /// Never linked: acts for itself alone.
    case solo
    /// Linked, but without the registers or without group time: the host is not commanded.
    case joining
    case member
  }

  var phase: Phase = .solo
  var linked = false
  /// While nobody of the group is met: host time at which the host stops waiting for it and acts alone.
  var aloneFrom: HostTime?
  /// Acts alone until somebody of the group is met.
  var hasGivenUp = false
  /// Messages can be exchanged.
  var secured = false
  /// All registers came: from a member, or this participant made the session.
  var joined = false
  /// The own register is published; else we only read along.
  var participates = true
  /// Made the session: group time begins with its hub.
  var isFounder = false
  /// What the host asks while joining, newest only; done on entering.
  var pendingRate: (rate: Double, immediately: Bool)?
  var pendingSeek: (to: ItemTime, immediately: Bool)?
  var pendingActivity: Activity?
  var pull: Pull?
  var isOver = false

  /// Asking one member after another for everything.
  struct Pull: Sendable {
    var asked: ParticipantID?
    var answerBy: HostTime
    var refused: Set<ParticipantID> = []
  }
}
