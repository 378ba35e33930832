import CUnisono

/// The player behind a coordinator: what the group asks of it. A function that returns has done it; one that throws could not,
/// and the others see this device as suspended until the next command. A `UnisonoError` keeps its status; any other error is
/// `.internal`.
///
/// They are called one at a time. A newer command cancels the task of the one before and begins when that has returned, so return
/// soon when `Task.isCancelled`, as `Task.sleep` does by itself; whether it then returns or throws does not matter. What has not
/// returned after ten seconds is overdue: this device is suspended for all to see.
public protocol PlaybackCoordinatorDelegate: Sendable {
  /// Begin so that `command.itemTime` is played at `command.hostTime`; when that is past, jump onto the line.
  func play(_ command: PlayCommand) async throws
  /// Stop; at `command.itemTime` where `command.snapsToItemTime`, else where you are.
  func pause(_ command: PauseCommand) async throws
  /// Go to `command.itemTime` and stand there; a play follows when the group goes on.
  func seek(_ command: SeekCommand) async throws
  /// Get ready to play from `command.itemTime`; the others wait until everybody has, or the deadline passes.
  func buffer(_ command: BufferingCommand) async throws
}

public struct PlayCommand: Hashable, Sendable {
  public let id: UInt64
  /// nil: this participant.
  public let originator: ParticipantID?
  public let item: String
  public let cause: Cause
  /// Never 0.
  public let rate: Double
  public let itemTime: ItemTime
  /// When `itemTime` holds; may be past.
  public let hostTime: HostTime

  /// Where this command has the player be at an instant. After the start ask `Coordinator.expectedItemTime(at:)` instead: the
  /// clock is known better later on.
  public func itemTime(at instant: HostTime) -> ItemTime {
    itemTime.advanced(by: hostTime.duration(to: instant) * rate)
  }
}

public struct PauseCommand: Hashable, Sendable {
  public let id: UInt64
  /// nil: this participant.
  public let originator: ParticipantID?
  public let item: String
  public let cause: Cause
  /// Where the group is.
  public let itemTime: ItemTime
  public let snapsToItemTime: Bool
}

public struct SeekCommand: Hashable, Sendable {
  public let id: UInt64
  /// nil: this participant.
  public let originator: ParticipantID?
  public let item: String
  public let cause: Cause
  public let itemTime: ItemTime
  /// Also get ready to play at `anticipatedPlaybackRate` before returning.
  public let shouldBufferInAnticipationOfPlayback: Bool
  public let anticipatedPlaybackRate: Double
  public let completionDueTime: HostTime?
}

public struct BufferingCommand: Hashable, Sendable {
  public let id: UInt64
  /// nil: this participant.
  public let originator: ParticipantID?
  public let item: String
  public let cause: Cause
  public let itemTime: ItemTime
  public let anticipatedPlaybackRate: Double
  public let completionDueTime: HostTime?
}

/// Any of the four.
enum PlaybackCommand: Sendable {
  case play(PlayCommand)
  case pause(PauseCommand)
  case seek(SeekCommand)
  case buffer(BufferingCommand)

  init?(_ event: UnsafePointer<unisono_context_event>) {
    guard let c = unisono_event_command(event)?.pointee else { return nil }
    let originator = ParticipantID(somebody: c.originator)
    let (item, cause) = (string(c.item) ?? "", Cause(c.cause))
    let time = ItemTime(nanoseconds: c.item_time)
    let (anticipates, due) = (c.buffer_in_anticipation != 0, HostTime(known: c.due_host_time))
    switch c.base.type {
    case .UNISONO_EVENT_COORDINATOR_PLAY:
      self = .play(
        PlayCommand(
          id: c.id, originator: originator, item: item, cause: cause, rate: c.rate, itemTime: time,
          hostTime: HostTime(nanoseconds: c.host_time)))
    case .UNISONO_EVENT_COORDINATOR_PAUSE:
      self = .pause(
        PauseCommand(
          id: c.id, originator: originator, item: item, cause: cause, itemTime: time, snapsToItemTime: c.snap != 0))
    case .UNISONO_EVENT_COORDINATOR_SEEK:
      self = .seek(
        SeekCommand(
          id: c.id, originator: originator, item: item, cause: cause, itemTime: time,
          shouldBufferInAnticipationOfPlayback: anticipates, anticipatedPlaybackRate: c.anticipated_rate,
          completionDueTime: due))
    case .UNISONO_EVENT_COORDINATOR_BUFFER:
      self = .buffer(
        BufferingCommand(
          id: c.id, originator: originator, item: item, cause: cause, itemTime: time,
          anticipatedPlaybackRate: c.anticipated_rate, completionDueTime: due))
    default:
      return nil
    }
  }

  var id: UInt64 {
    switch self {
    case .play(let command): command.id
    case .pause(let command): command.id
    case .seek(let command): command.id
    case .buffer(let command): command.id
    }
  }

  func perform(with delegate: any PlaybackCoordinatorDelegate) async throws {
    switch self {
    case .play(let command): try await delegate.play(command)
    case .pause(let command): try await delegate.pause(command)
    case .seek(let command): try await delegate.seek(command)
    case .buffer(let command): try await delegate.buffer(command)
    }
  }
}
