/// What may be read of a coordination between steps: the source of every published snapshot.
public struct CoordinationView: Equatable, Sendable {
  public var item: ItemID?
  public var timing: PublishedTiming
  public var waitingFor: [WaitingFor]
  public var suspensionReasons: [String]
  /// Sorted by id, the local one included.
  public var participants: [ParticipantView]
  public var activity: Activity?
  public var joined: Bool
  /// Of the policy in force.
  public var control: ControlPolicy
  /// The own one.
  public var role: Role
  /// Whether commands of the own host go to the group.
  public var mayCommand: Bool
  /// Who stands in for the owners, by the policy in force.
  public var succession: SuccessionTerms
  /// Who does so now; nil: nobody.
  public var acting: SuccessionChange?
  /// The session waits for those who stall.
  public var waitsForStalls: Bool
  public var statistics: CoordinationStatistics

  public init(
    item: ItemID? = nil, timing: PublishedTiming = PublishedTiming(), waitingFor: [WaitingFor] = [],
    suspensionReasons: [String] = [], participants: [ParticipantView] = [], activity: Activity? = nil,
    joined: Bool = false, control: ControlPolicy = .everyone, role: Role = .member, mayCommand: Bool = true,
    succession: SuccessionTerms = SuccessionTerms(), acting: SuccessionChange? = nil,
    waitsForStalls: Bool = false, statistics: CoordinationStatistics = CoordinationStatistics()
  ) {
    self.item = item
    self.timing = timing
    self.waitingFor = waitingFor
    self.suspensionReasons = suspensionReasons
    self.participants = participants
    self.activity = activity
    self.joined = joined
    self.control = control
    self.role = role
    self.mayCommand = mayCommand
    self.succession = succession
    self.acting = acting
    self.waitsForStalls = waitsForStalls
    self.statistics = statistics
  }

  /// Nobody else is on the current item.
  public var isAlone: Bool {
    !participants.contains { !$0.isLocal && $0.connection == .connected && $0.item == item }
  }
}

/// The group's timing as realtime reads need it: lines in host time, without the own output offset.
public struct PublishedTiming: Equatable, Sendable {
  public var status: TimingStatus
  /// Paused and waiting: rate 0 at the group's position. `since` is host time.
  public var line: Line
  /// In force until `line.since`, where the rate changed or the position is continued.
  public var prior: Line?
  /// ns, of the position, at `line.since`.
  public var errorBound: Nanoseconds
  public var outputOffset: Nanoseconds
  /// What the own player can reach; nil: everything.
  public var reach: ClosedRange<ItemTime>?

  public init(
    status: TimingStatus = .none, line: Line = Line(at: 0, rate: 0, since: 0), prior: Line? = nil,
    errorBound: Nanoseconds = 0, outputOffset: Nanoseconds = 0, reach: ClosedRange<ItemTime>? = nil
  ) {
    self.status = status
    self.line = line
    self.prior = prior
    self.errorBound = errorBound
    self.outputOffset = outputOffset
    self.reach = reach
  }
}

/// One participant as the own host sees it (`unisono_participant`).
public struct ParticipantView: Equatable, Sendable {
  /// Numbers of `unisono_connection`.
  public enum Connection: Int32, Sendable { case none = 0, connecting, connected, reconnecting }

  public var id: ParticipantID
  /// Equal for all devices of one person; without a person the participant's own id.
  public var person: ParticipantID
  public var connection: Connection
  public var displayName: String
  public var deviceName: String
  public var item: ItemID?
  public var suspensionReasons: [String]
  public var isLocal: Bool
  public var role: Role
  /// Could start now.
  public var ready: Bool
  public var rate: Double
  public var position: PlaybackReport.Position?
  public var roundTrip: Nanoseconds?
  public var clockError: Nanoseconds?

  public init(
    id: ParticipantID, connection: Connection, displayName: String, deviceName: String, item: ItemID? = nil,
    suspensionReasons: [String] = [], isLocal: Bool = false, role: Role = .member, ready: Bool = false,
    rate: Double = 0, position: PlaybackReport.Position? = nil, roundTrip: Nanoseconds? = nil,
    clockError: Nanoseconds? = nil
  ) {
    self.id = id
    person = id
    self.connection = connection
    self.displayName = displayName
    self.deviceName = deviceName
    self.item = item
    self.suspensionReasons = suspensionReasons
    self.isLocal = isLocal
    self.role = role
    self.ready = ready
    self.rate = rate
    self.position = position
    self.roundTrip = roundTrip
    self.clockError = clockError
  }
}

/// A change of the list of participants; the first is complete.
public struct ParticipantsChange: Equatable, Sendable {
  public var isComplete: Bool
  public var joined: [ParticipantView]
  public var updated: [ParticipantView]
  public var left: [ParticipantView]

  public init(
    isComplete: Bool = false, joined: [ParticipantView] = [], updated: [ParticipantView] = [],
    left: [ParticipantView] = []
  ) {
    self.isComplete = isComplete
    self.joined = joined
    self.updated = updated
    self.left = left
  }
}

/// Counters of `unisono_coordinator_statistics`.
public struct CoordinationStatistics: Equatable, Sendable {
  public var commandsIssued: UInt64 = 0
  public var commandsCompleted: UInt64 = 0
  public var commandsFailed: UInt64 = 0
  public var commandsSuperseded: UInt64 = 0
  public var commandsOverdue: UInt64 = 0
  public var starts: UInt64 = 0
  public var startsLate: UInt64 = 0
  /// ns from request to start; nil: none yet.
  public var lastStartWait: Nanoseconds?
  /// ns, reported position against expected at the last report.
  public var lastStartError: Nanoseconds?

  public init() {}
}
