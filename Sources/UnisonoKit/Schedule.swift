import CUnisono

/// A start at a time that the group agreed on.
public struct ScheduledStart: Hashable, Sendable {
  public let item: String
  /// Of this device: when everybody on the item begins.
  public let hostTime: HostTime
  /// Nanoseconds since 1970, by the clock of who scheduled it; nil: it did not say. For people: it decides nothing.
  public let calendarTime: Int64?
  /// Of the host time.
  public let errorBound: Duration
  /// Who scheduled it, or called it off; nil: this participant.
  public let originator: ParticipantID?

  init(_ c: unisono_scheduled_start) {
    (item, hostTime) = (String(cString: c.item), HostTime(nanoseconds: c.host_time))
    calendarTime = c.calendar_time == .min ? nil : c.calendar_time
    (errorBound, originator) = (.nanoseconds(c.error_bound), ParticipantID(somebody: c.originator))
  }
}

/// News of a scheduled start.
public struct ScheduleChange: Hashable, Sendable {
  /// What became of it; later versions may have more.
  public struct Kind: RawRepresentable, Hashable, Sendable {
    public let rawValue: Int32
    public init(rawValue: Int32) { self.rawValue = rawValue }
    init(_ change: unisono_schedule_change) { rawValue = change.rawValue }

    public static let set = Kind(.UNISONO_SCHEDULE_SET)
    public static let canceled = Kind(.UNISONO_SCHEDULE_CANCELED)
    /// So much is left: 60, 30, 10, 5 and 1 min, 30 s, and each of the last 10 s.
    public static let remaining = Kind(.UNISONO_SCHEDULE_REMAINING)
    public static let due = Kind(.UNISONO_SCHEDULE_DUE)
  }

  public let kind: Kind
  public let start: ScheduledStart
  public let remaining: Duration

  init(_ c: unisono_schedule_event, _ start: ScheduledStart) {
    (kind, self.start, remaining) = (Kind(c.change), start, .nanoseconds(c.remaining))
  }
}

extension Session {
  /// Everybody on an item begins to play at one time; it outlives who scheduled it.
  /// at: from now on, at most 7 days ahead. calendarTime: what this person's clock shows then, nanoseconds since 1970, for people.
  /// Errors: `.invalidArgument`, `.wrongState` (not joined).
  public func scheduleStart(of item: String, at time: HostTime, calendarTime: Int64? = nil) throws(UnisonoError) {
    let lent = Lent()
    let place = try lent.text(item, "item")
    try check(
      withExtendedLifetime(lent) {
        unisono_session_schedule_start(handle.token, place, time.nanoseconds, calendarTime ?? .min)
      })
  }

  /// Calls the scheduled start off.
  public func cancelStart() throws(UnisonoError) { try check(unisono_session_cancel_start(handle.token)) }

  /// The start that is scheduled and still to come; nil: nothing is.
  public func scheduledStart() throws(UnisonoError) -> ScheduledStart? {
    var owned: UnsafePointer<unisono_scheduled_start>?
    try check(unisono_session_scheduled_start(handle.token, &owned))
    defer { unisono_free(owned) }
    return owned.map { ScheduledStart($0.pointee) }
  }
}
