/// What the host was last told, to tell changes only.
struct Told: Sendable {
  var timing = TimingChange(status: .none, cause: .unknown, originator: .none, item: nil, rate: 0, itemTime: 0)
  /// Of a playing group, in group time: what is compared, as host time moves with the clock's model.
  var line: Line?
  var participants: [ParticipantView]?
  /// What `participants` were made of.
  var participantSources: ParticipantSources?
  var me: ParticipantValue?
  var suspensions: [String] = []
  var activity: Statement?
}

/// What the list of participants is made of beside the own register, measurements and positions aside: as long as nothing of
/// it changes, the list is the same.
struct ParticipantSources: Equatable, Sendable {
  var registers: UInt64
  var presence: UInt64
  var phase: Membership.Phase
  var linked: Bool
  var joined: Bool
}
