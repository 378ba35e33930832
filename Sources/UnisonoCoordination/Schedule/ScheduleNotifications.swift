import UnisonoBase
import UnisonoReplica

/// The countdown to a scheduled start, as the host was last told of it.
struct ScheduleNotifications: Sendable {
  /// Time left at which hosts are told, longest first.
  static let marks: [Nanoseconds] =
    [3_600, 1_800, 600, 300, 60, 30].map { .seconds($0) } + (0...10).reversed().map { .seconds($0) }

  /// What was told last.
  private var value: ScheduledStart?
  private var said: Stamp?
  /// The next mark; nil: it is over, or nothing is scheduled.
  private var mark: Nanoseconds?

  /// What changed, or how much is left; nil: nothing is to be told.
  mutating func change(_ facts: borrowing Facts) -> ScheduleChange? {
    guard facts.session.participates, facts.knowsInstants else { return nil }
    let start = facts.scheduledStart
    if start?.value != value || start != nil && start?.said != said {
      let before = mark == nil ? nil : value
      (value, said, mark) = (start?.value, start?.said, nil)
      if let start, start.value.instant > facts.groupNow {
        mark = Self.next(after: start.value.instant.subtracting(facts.groupNow))
        return news(.set, of: start.value, by: start.said.author, facts)
      }
      guard let before else { return nil }
      return news(.canceled, of: before, by: facts.registers[.scheduledStart]?.said.author ?? .none, facts)
    }
    guard let value, let mark else { return nil }
    let left = value.instant.subtracting(facts.groupNow)
    guard left <= mark else { return nil }
    self.mark = left > 0 ? Self.next(after: left) : nil
    return news(left > 0 ? .remaining : .due, of: value, by: said?.author ?? .none, facts)
  }

  private static func next(after left: Nanoseconds) -> Nanoseconds? { marks.first { $0 < left } }

  private func news(
    _ kind: ScheduleChange.Kind, of start: ScheduledStart, by author: ParticipantID, _ facts: borrowing Facts
  ) -> ScheduleChange {
    ScheduleChange(
      kind: kind, start: facts.shown(start, by: author), remaining: start.instant.subtracting(facts.groupNow))
  }

  /// Host time at which the next mark is reached.
  func wake(_ facts: borrowing Facts) -> HostTime? {
    guard let value, let mark else { return nil }
    return facts.clock.wake(at: value.instant.subtracting(mark))
  }
}

/// What is scheduled, as the own host sees it.
package struct ShownSchedule: Equatable, Sendable {
  package var item: ItemID
  package var hostTime: HostTime
  package var calendarTime: Int64?
  /// ns, of the host time.
  package var errorBound: Nanoseconds
  /// Who scheduled it, or called it off; `.none`: this participant.
  package var originator: ParticipantID
}

/// News of a scheduled start.
package struct ScheduleChange: Equatable, Sendable {
  /// Numbers of `unisono_schedule_change`.
  package enum Kind: Int32, Sendable { case set = 0, canceled, remaining, due }

  package var kind: Kind
  package var start: ShownSchedule
  /// ns until then; 0 or less: it is then, or was.
  package var remaining: Nanoseconds
}

extension Facts {
  /// Group times are known as host times: a joiner has registers before it has the time that they are of.
  var knowsInstants: Bool { session.phase == .member && clock.isKnown && !waitsForClock }

  func shown(_ start: ScheduledStart, by author: ParticipantID) -> ShownSchedule {
    ShownSchedule(
      item: start.item, hostTime: clock.host(at: start.instant), calendarTime: start.calendarTime,
      errorBound: clock.error(at: now), originator: author == local ? .none : author)
  }
}
