import UnisonoBase
import UnisonoReplica

/// What may be read of a coordination between steps: the source of every published snapshot.
package struct CoordinationView: Equatable, Sendable {
  package var item: ItemID?
  package var timing: PublishedTiming
  package var waitingFor: [WaitingFor]
  package var suspensionReasons: [String]
  /// Sorted by id, the local one included.
  package var participants: ParticipantList
  package var activity: Activity?
  package var joined: Bool
  /// Of the policy in force.
  package var control: ControlPolicy
  /// The own one.
  package var role: Role
  /// Whether commands of the own host go to the group.
  package var mayCommand: Bool
  /// Who stands in for the owners, by the policy in force.
  package var succession: SuccessionTerms
  /// Who does so now; nil: nobody.
  package var acting: SuccessionChange?
  /// The session waits for those who stall.
  package var waitsForStalls: Bool
  package var actionAtEnd: ActionAtEnd
  package var startPolicy: StartPolicy
  package var skipPolicy: SkipPolicy
  /// What is scheduled, and still to come; nil: nothing.
  package var schedule: ShownSchedule?
  package var statistics: CoordinationStatistics

  package init(
    item: ItemID? = nil, timing: PublishedTiming = PublishedTiming(), waitingFor: [WaitingFor] = [],
    suspensionReasons: [String] = [], participants: ParticipantList = ParticipantList(), activity: Activity? = nil,
    joined: Bool = false, control: ControlPolicy = .everyone, role: Role = .member, mayCommand: Bool = true,
    succession: SuccessionTerms = SuccessionTerms(), acting: SuccessionChange? = nil,
    waitsForStalls: Bool = false, actionAtEnd: ActionAtEnd = .advance,
    startPolicy: StartPolicy = .none, skipPolicy: SkipPolicy = .none, schedule: ShownSchedule? = nil,
    statistics: CoordinationStatistics = CoordinationStatistics()
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
    self.actionAtEnd = actionAtEnd
    self.startPolicy = startPolicy
    self.skipPolicy = skipPolicy
    self.schedule = schedule
    self.statistics = statistics
  }

  /// Who may command, and takes part now.
  package func isCommander(_ participant: ParticipantView) -> Bool {
    participant.connection == .connected && control.allowsCommands(by: participant.role)
  }

  /// Nobody else is on the current item.
  package var isAlone: Bool {
    !participants.hasOther(on: item)
  }
}

/// The group's timing as realtime reads need it: lines in host time, without the own output offset.
package struct PublishedTiming: Equatable, Sendable {
  package var status: TimingStatus
  /// Paused and waiting: rate 0 at the group's position. `since` is host time.
  package var line: Line
  /// In force until `line.since`, where the rate changed or the position is continued.
  package var prior: Line?
  /// ns, of the position, at `line.since`.
  package var errorBound: Nanoseconds
  package var outputOffset: Nanoseconds
  /// What the own player can reach; nil: everything.
  package var reach: ClosedRange<ItemTime>?
  /// Ranges of the own copy that are not the group's, in order.
  package var interstitials: [InterstitialRange] = []

  package init(
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

/// Where the own player is and goes: the group's line while it takes part, its own while it is apart; without the own output offset.
package struct OwnPlayback: Equatable, Sendable {
  package var item: ItemID
  /// In host time; it stands at `line.at` until `line.since`.
  package var line: Line

  package init(item: ItemID, line: Line) {
    self.item = item
    self.line = line
  }
}

/// One participant as the own host sees it (`unisono_participant`).
package struct ParticipantView: Equatable, Sendable {
  /// Numbers of `unisono_connection`.
  package enum Connection: Int32, Sendable { case none = 0, connecting, connected, reconnecting }

  package var id: ParticipantID
  /// Equal for all devices of one person; without a person the participant's own id.
  package var person: ParticipantID
  package var connection: Connection
  package var displayName: String
  package var deviceName: String
  package var item: ItemID?
  package var suspensionReasons: [String]
  package var isLocal: Bool
  package var role: Role
  /// Could start now.
  package var ready: Bool
  package var rate: Double
  package var position: PlaybackReport.Position?
  package var roundTrip: Nanoseconds?
  package var clockError: Nanoseconds?
  /// Why its player could not do what was commanded, or not play on: a status, negative; 0: nothing failed.
  package var failure: Int32 = 0
  /// In which ways it and this participant do not hear each other: bits of `SplitChange.Kind`; 0: in none that is known. The session's
  /// to say.
  package var split: UInt32 = 0
  /// What its person says of being ready.
  package var word = ReadyWord.notSaid
  /// How far its copy is ahead of the group's item time, ns.
  package var cutOffset: Nanoseconds = 0
  /// It was not ready for two starts in a row, and none waits for it until it was ready for one.
  package var isGivenUp = false

  package init(
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
package struct ParticipantsChange: Equatable, Sendable {
  package var isComplete: Bool
  package var joined: [ParticipantView]
  package var updated: [ParticipantView]
  package var left: [ParticipantView]

  package init(
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
package struct CoordinationStatistics: Equatable, Sendable {
  package var commandsIssued: UInt64 = 0
  package var commandsCompleted: UInt64 = 0
  package var commandsFailed: UInt64 = 0
  package var commandsSuperseded: UInt64 = 0
  package var commandsOverdue: UInt64 = 0
  package var starts: UInt64 = 0
  package var startsLate: UInt64 = 0
  /// ns from request to start; nil: none yet.
  package var lastStartWait: Nanoseconds?
  /// ns, reported position against expected at the last report.
  package var lastStartError: Nanoseconds?

  package init() {}
}
