/// What the host was last told, to tell changes only.
struct Told: Sendable {
  var timing = TimingChange(status: .none, cause: .unknown, originator: .none, item: nil, rate: 0, itemTime: 0)
  /// Of a playing group, in group time: what is compared, as host time moves with the clock's model.
  var line: Line?
  var participants: [ParticipantView]?
  var suspensions: [String] = []
  var activity: Statement?
}
