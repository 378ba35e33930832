import UnisonoBase
import UnisonoReplica

/// What the shell has to carry out after a step, in this order. Each kind has one addressee.
package enum CoordinationEffect: Equatable, Sendable {
  /// To one participant, or to all others (`to` nil).
  case send(CoordinationMessage, to: ParticipantID?)
  case playback(PlaybackEffect)
  case session(SessionEffect)

  static func log(_ level: LogLevel, _ text: String) -> CoordinationEffect { .session(.log(level, text)) }
}

/// For the own host's player, by its coordinator.
package enum PlaybackEffect: Equatable, Sendable {
  case command(PlaybackCommand)
  /// The newest command was not completed by its due time: the own host owes an answer.
  case commandOverdue(OverdueCommand)
  /// The group's timing as people see it changed.
  case timingChanged(TimingChange)
  /// Own suspension reasons changed.
  case suspensionsChanged([String])
  /// A request that was accepted is refused now.
  case refused(operation: Operation, status: CoordinationStatus, message: String)
}

/// For the session that the coordination belongs to, and by it for the session's host.
package enum SessionEffect: Equatable, Sendable {
  /// The list of participants changed, or one of them.
  case participantsChanged(ParticipantsChange)
  /// Somebody did something that people want to know.
  case notice(NoticeMessage, originator: ParticipantID)
  case activityChanged(Activity?, originator: ParticipantID)
  case playlistChanged(PlaylistChange)
  /// A start was scheduled, called off, comes nearer or is due.
  case scheduleChanged(ScheduleChange)
  /// Another participant's copy of the current entry, compared with the own one.
  case copyCompared(CopyNews)
  /// Another policy is in force.
  case policyChanged(PolicyStack)
  /// A deputy acts as owner, or does not any more, or says so and is not believed.
  case successionChanged(SuccessionChange)
  /// The clock of a participant is in doubt, the own one among them, or is not any more.
  case clockDoubt(ClockDoubtChange)
  /// Somebody and this participant do not hear each other, or do again.
  case split(SplitChange)
  /// Somebody says more than is kept of one participant.
  case crowded(Crowding)
  /// An own removal lost a race against another owner's re-key: it is to be asked for again with a fresh door.
  case removalWanted([ParticipantID])
  /// All registers came: the session is joined.
  case joined
  /// The session is over for this participant: `ended` by somebody for all, or the key is used by two processes.
  case invalidated(InvalidationCause)
  /// A request that was accepted is refused now.
  case refused(operation: Operation, status: CoordinationStatus, message: String)
  case log(LogLevel, String)
}

package enum InvalidationCause: Equatable, Sendable {
  case ended(by: ParticipantID)
  case duplicateKey
  /// An owner put this participant out.
  case removed(by: ParticipantID)
}

/// Reasons of late refusals; the C API maps them to its numbers.
package enum CoordinationStatus: Equatable, Sendable {
  case state, denied, notFound, timedOut, full, busy
}

package enum LogLevel: Int32, Sendable {
  case error = 1, warning = 2, info = 3, debug = 4
}

/// A command to the own host; one layout for all four, as in the C API (`unisono_command`).
package struct PlaybackCommand: Equatable, Sendable {
  package enum Kind: UInt8, Sendable { case play, pause, seek, buffer }

  package var kind: Kind
  /// Never 0, never used twice in the life of a coordination.
  package var id: UInt64
  /// `.none`: own request, reapplied, or rejoined.
  package var originator: ParticipantID
  package var item: ItemID
  /// Play: never 0; else 0.
  package var rate: Double
  /// Play: anchor; pause: group position; seek: target; buffer: start position. Own output offset applied.
  package var itemTime: ItemTime
  /// Play: when `itemTime` holds; may be past.
  package var hostTime: HostTime?
  /// Seek and buffer with `buffersInAnticipation`: complete by then. Of a buffer nil: nobody has asked for the start.
  package var dueHostTime: HostTime?
  /// 0: none.
  package var anticipatedRate: Double
  package var isLocal: Bool
  /// Pause: go to `itemTime`.
  package var snap: Bool
  package var buffersInAnticipation: Bool
  /// Play: nobody else plays by this line; a host that begins later may say so (`.beginsLater`), and misses nothing.
  package var mayBeginLater = false
  package var cause: Cause

  /// To get ready while the group pauses, for a start that nobody has asked for yet.
  package var isAhead: Bool { kind == .buffer && dueHostTime == nil }

  package init(
    kind: Kind, id: UInt64, originator: ParticipantID, item: ItemID, rate: Double = 0, itemTime: ItemTime,
    hostTime: HostTime? = nil, dueHostTime: HostTime? = nil, anticipatedRate: Double = 0, isLocal: Bool = false,
    snap: Bool = false, buffersInAnticipation: Bool = false, cause: Cause
  ) {
    self.kind = kind
    self.id = id
    self.originator = originator
    self.item = item
    self.rate = rate
    self.itemTime = itemTime
    self.hostTime = hostTime
    self.dueHostTime = dueHostTime
    self.anticipatedRate = anticipatedRate
    self.isLocal = isLocal
    self.snap = snap
    self.buffersInAnticipation = buffersInAnticipation
    self.cause = cause
  }
}

/// A command that waits for its answer longer than it may.
package struct OverdueCommand: Equatable, Sendable {
  package var id: UInt64
  package var kind: PlaybackCommand.Kind
  package var item: ItemID

  package init(id: UInt64, kind: PlaybackCommand.Kind, item: ItemID) {
    self.id = id
    self.kind = kind
    self.item = item
  }
}

/// Why a command or a change of timing came; numbers of `unisono_cause`.
package enum Cause: Int32, Sendable {
  case unknown = 0, play, pause, seek, rate, proposal, item, rejoin, reapply, stall, clock, ended, left, range
}

/// Numbers of `unisono_timing_state`.
package enum TimingStatus: Int32, Sendable {
  case none = 0, paused, waiting, playing
}

/// For whom a start waits, and why ("" = still preparing).
package struct WaitingFor: Hashable, Sendable {
  /// Its player could start; its person has not said that it is ready, or says that it is not.
  package static let notReady = "not-ready"

  package var participant: ParticipantID
  package var reason: String
  package init(participant: ParticipantID, reason: String) {
    self.participant = participant
    self.reason = reason
  }
}

/// The group's timing of the current item, in host time, for people.
package struct TimingChange: Equatable, Sendable {
  package var status: TimingStatus
  package var cause: Cause
  package var originator: ParticipantID
  package var item: ItemID?
  /// Waiting: the rate it will start with; paused: 0.
  package var rate: Double
  package var itemTime: ItemTime
  /// Playing: the anchor's host time.
  package var hostTime: HostTime?
  /// Waiting: host time when waiting ends at the latest.
  package var deadline: HostTime?
  package var waitingFor: [WaitingFor]

  package init(
    status: TimingStatus, cause: Cause, originator: ParticipantID, item: ItemID?, rate: Double, itemTime: ItemTime,
    hostTime: HostTime? = nil, deadline: HostTime? = nil, waitingFor: [WaitingFor] = []
  ) {
    self.status = status
    self.cause = cause
    self.originator = originator
    self.item = item
    self.rate = rate
    self.itemTime = itemTime
    self.hostTime = hostTime
    self.deadline = deadline
    self.waitingFor = waitingFor
  }
}
