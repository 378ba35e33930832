import CUnisono
import UnisonoBase
import UnisonoCoordination

extension Arena {
  func scheduled(_ start: ShownSchedule) -> UnsafePointer<unisono_scheduled_start> {
    UnsafePointer(
      store(
        unisono_scheduled_start(
          size: size(of: unisono_scheduled_start.self), reserved: 0, item: text(start.item.utf8), host_time: start.hostTime,
          calendar_time: start.calendarTime ?? .min, error_bound: start.errorBound,
          originator: unisono_participant_id(start.originator))))
  }
}

extension Payload {
  /// SESSION_SCHEDULE.
  static func schedule(_ origin: EventOrigin, _ change: ScheduleChange) -> Payload {
    Payload { arena in
      unisono_schedule_event(
        base: origin.head(.UNISONO_EVENT_SESSION_SCHEDULE, of: unisono_schedule_event.self),
        start: arena.scheduled(change.start), remaining: change.remaining,
        change: unisono_schedule_change(rawValue: change.kind.rawValue) ?? .UNISONO_SCHEDULE_SET, reserved: 0)
    }
  }
}
