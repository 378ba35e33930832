import CUnisono
import UnisonoBase
import UnisonoCoordination

/// One event for the host, as callbacks and the queue both give it: a struct that begins with the head, and all it points to.
final class Payload: @unchecked Sendable {
  let arena: Arena
  let head: UnsafeMutablePointer<unisono_context_event>

  private init(_ arena: Arena, _ head: UnsafeMutableRawPointer) {
    self.arena = arena
    self.head = head.assumingMemoryBound(to: unisono_context_event.self)
  }

  var type: unisono_event_type { head.pointee.type }

  /// A payload whose struct is made with the arena it may put texts and tables into.
  convenience init<Body>(_ make: (Arena) -> Body) {
    let arena = Arena()
    let body = make(arena)
    self.init(arena, UnsafeMutableRawPointer(arena.store(body)))
  }

  /// The struct, for a callback.
  func body<Body>(as type: Body.Type = Body.self) -> UnsafePointer<Body> {
    UnsafeRawPointer(head).assumingMemoryBound(to: type)
  }
}

extension Payload {
  /// TIMER.
  static func timer(_ origin: EventOrigin, token: UInt64, due: HostTime, status: unisono_status) -> Payload {
    Payload { _ in
      unisono_timer_event(
        base: origin.head(.UNISONO_EVENT_TIMER, of: unisono_timer_event.self), token: token, due_host_time: due,
        status: status.rawValue, reserved: 0)
    }
  }

  /// OVERFLOW.
  static func overflow(_ origin: EventOrigin, messages: UInt64, others: UInt64) -> Payload {
    Payload { _ in
      unisono_overflow_event(
        base: origin.head(.UNISONO_EVENT_OVERFLOW, of: unisono_overflow_event.self), messages: messages, others: others)
    }
  }

  /// ERROR. `operation`: the C name of the function.
  static func error(_ origin: EventOrigin, _ status: unisono_status, operation: String, message: String) -> Payload {
    Payload { arena in
      unisono_error_event(
        base: origin.head(.UNISONO_EVENT_ERROR, of: unisono_error_event.self), status: status.rawValue, reserved: 0,
        operation: arena.text(operation), message: arena.text(message))
    }
  }

  /// LOG. Control characters become spaces: a line is a line.
  static func log(_ origin: EventOrigin, _ level: LogLevel, _ message: String) -> Payload {
    Payload { arena in
      unisono_log_event(
        base: origin.head(.UNISONO_EVENT_LOG, of: unisono_log_event.self),
        level: unisono_log_level(rawValue: level.rawValue) ?? .UNISONO_LOG_WARNING, reserved: 0,
        message: arena.text(message.utf8.map { $0 < 0x20 ? 0x20 : $0 }))
    }
  }

  /// RELEASED, and every other event that is its head alone.
  static func plain(_ origin: EventOrigin, _ type: unisono_event_type) -> Payload {
    Payload { _ in origin.head(type, of: unisono_context_event.self) }
  }

  /// PLAY, PAUSE, SEEK, BUFFER.
  static func command(_ origin: EventOrigin, _ command: PlaybackCommand) -> Payload {
    Payload { arena in
      var body = unisono_command()
      body.base = origin.head(command.kind.eventType, of: unisono_command.self)
      body.id = command.id
      body.originator = unisono_participant_id(command.originator)
      body.item = arena.text(command.item.utf8)
      body.rate = command.rate
      body.item_time = command.itemTime
      body.host_time = command.hostTime ?? .min
      body.due_host_time = command.dueHostTime ?? .min
      body.anticipated_rate = command.anticipatedRate
      body.is_local = command.isLocal ? 1 : 0
      body.snap = command.snap ? 1 : 0
      body.buffer_in_anticipation = command.buffersInAnticipation ? 1 : 0
      body.cause = unisono_cause(rawValue: command.cause.rawValue) ?? .UNISONO_CAUSE_UNKNOWN
      return body
    }
  }

  /// TIMING.
  static func timing(_ origin: EventOrigin, _ change: TimingChange) -> Payload {
    Payload { arena in
      var body = unisono_timing_change()
      body.base = origin.head(.UNISONO_EVENT_COORDINATOR_TIMING, of: unisono_timing_change.self)
      body.state = unisono_timing_state(rawValue: change.status.rawValue) ?? .UNISONO_TIMING_NONE
      body.cause = unisono_cause(rawValue: change.cause.rawValue) ?? .UNISONO_CAUSE_UNKNOWN
      body.originator = unisono_participant_id(change.originator)
      body.item = change.item.map { arena.text($0.utf8) }
      body.rate = change.rate
      body.item_time = change.itemTime
      body.host_time = change.hostTime ?? .min
      body.deadline = change.deadline ?? .min
      body.waiting_for = arena.waitingFor(change.waitingFor)
      body.waiting_for_count = change.waitingFor.count
      return body
    }
  }

  /// SUSPENSIONS.
  static func suspensions(_ origin: EventOrigin, _ reasons: [String]) -> Payload {
    Payload { arena in
      unisono_suspensions_change(
        base: origin.head(.UNISONO_EVENT_COORDINATOR_SUSPENSIONS, of: unisono_suspensions_change.self),
        reasons: arena.texts(reasons), reason_count: reasons.count)
    }
  }
}

extension PlaybackCommand.Kind {
  var eventType: unisono_event_type {
    switch self {
    case .play: .UNISONO_EVENT_COORDINATOR_PLAY
    case .pause: .UNISONO_EVENT_COORDINATOR_PAUSE
    case .seek: .UNISONO_EVENT_COORDINATOR_SEEK
    case .buffer: .UNISONO_EVENT_COORDINATOR_BUFFER
    }
  }
}
