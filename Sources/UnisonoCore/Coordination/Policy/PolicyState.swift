/// What a coordination keeps of policies beside their order.
struct PolicyState: Sendable {
  var citations = HeldCitations()
  /// Levels of the future, until they are due.
  var future: [(level: PolicyLevel, sender: ParticipantID)] = []
  /// When somebody was last asked for policies.
  var asked: HostTime?
  /// The own change that another owner's may still beat.
  var change: Change?
  /// Since when a confirmation of an item's cells is due in our own view.
  var confirmations: [ItemID: HostTime] = [:]
  /// The same of what is said of no item.
  var sessionConfirmation: HostTime?
  /// Since when removals are known that lost against another owner's change, and whose author is gone.
  var lostRemovals: (participants: Set<ParticipantID>, since: HostTime)?
  /// Participants whose role an owner has decided: their own wish counts no more.
  var decided: Set<ParticipantID> = []
  /// Since when a wish for a role is open.
  var wishes: [ParticipantID: HostTime] = [:]
  /// Since when the list of deputies is not what it should be.
  var lineDue: HostTime?
  /// When owners were there, and when they were not.
  var watch = OwnerWatch()
  /// Takeovers that are not believed, or not yet.
  var doubted = DoubtedTakeovers()
  /// Who acts as owner, as the host was told.
  var acting: SuccessionChange?

  static let futureCapacity = 32
  static let askInterval: Nanoseconds = .seconds(1)
  /// So long after a change a lost race is noticed, and the change made once more.
  static let raceTime: Nanoseconds = .seconds(10)
  /// What an owner who is gone would do, the next one does so long after the one before it could have.
  static let ownerStep: Nanoseconds = .seconds(2)
  /// So long the list of deputies may be behind who is there.
  static let lineDelay: Nanoseconds = .seconds(1)

  struct Change: Sendable {
    var wanted: PolicyChange
    var level: PolicyLevel
    var until: HostTime
    var wasRepeated: Bool
  }
}
