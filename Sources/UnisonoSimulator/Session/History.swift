import UnisonoBase
import UnisonoCoordination
import UnisonoReplica

/// Something and the true time at which it happened.
package struct Dated<Value> {
  package var at: Nanoseconds
  package var value: Value
}

/// What a participant's coordination told its shell, dated; commands are kept by the player.
package struct History {
  package var sent: [Dated<Sent>] = []
  package var overdue: [Dated<OverdueCommand>] = []
  package var timing: [Dated<TimingChange>] = []
  package var suspensions: [Dated<[String]>] = []
  package var participants: [Dated<ParticipantsChange>] = []
  package var refusals: [Dated<Refusal>] = []
  package var invalidations: [Dated<InvalidationCause>] = []
  package var joined: [Dated<Void>] = []
  package var policies: [Dated<PolicyStack>] = []
  package var successions: [Dated<SuccessionChange>] = []
  package var clockDoubts: [Dated<ClockDoubtChange>] = []
  package var splits: [Dated<SplitChange>] = []
  package var crowdings: [Dated<Crowding>] = []
  package var activities: [Dated<Activity?>] = []
  package var notices: [Dated<Notice>] = []
  package var playlistChanges: [Dated<PlaylistChange>] = []
  package var copies: [Dated<CopyNews>] = []
  package var schedules: [Dated<ScheduleChange>] = []
  /// Spans of time in which it was shown as waiting; `to` nil: it still is.
  package var waits: [Span] = []

  mutating func record(_ effect: SessionEffect, at now: Nanoseconds) {
    switch effect {
    case .participantsChanged(let change): participants.append(Dated(at: now, value: change))
    case .notice(let notice, let originator):
      notices.append(Dated(at: now, value: Notice(notice: notice, originator: originator)))
    case .activityChanged(let activity, _): activities.append(Dated(at: now, value: activity))
    case .policyChanged(let stack): policies.append(Dated(at: now, value: stack))
    case .successionChanged(let change): successions.append(Dated(at: now, value: change))
    case .clockDoubt(let change): clockDoubts.append(Dated(at: now, value: change))
    case .split(let change): splits.append(Dated(at: now, value: change))
    case .crowded(let crowding): crowdings.append(Dated(at: now, value: crowding))
    case .playlistChanged(let change): playlistChanges.append(Dated(at: now, value: change))
    case .scheduleChanged(let change): schedules.append(Dated(at: now, value: change))
    case .copyCompared(let news): copies.append(Dated(at: now, value: news))
    case .joined: joined.append(Dated(at: now, value: ()))
    case .invalidated(let cause): invalidations.append(Dated(at: now, value: cause))
    case .refused(let operation, let status, _):
      refusals.append(Dated(at: now, value: Refusal(operation: operation, status: status)))
    // Only re-keying has an answer to a removal that is wanted, and that has no place here.
    case .removalWanted, .log: break
    }
  }

  package struct Sent {
    package var message: CoordinationMessage
    package var to: ParticipantID?
  }
  package struct Notice {
    package var notice: NoticeMessage
    package var originator: ParticipantID
  }
  package struct Refusal {
    package var operation: Operation
    package var status: CoordinationStatus
  }
  package struct Span {
    package var from: Nanoseconds
    package var to: Nanoseconds?
  }
}
