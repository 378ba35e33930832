import UnisonoBase
import UnisonoCoordination

/// The seek that the person asked for last: it is answered exactly once, the older by the newer.
struct SeekRequest: Sendable {
  private struct Pending: Sendable {
    var id: UInt64
    var target: ItemTime
    var before: Nanoseconds
    var after: Nanoseconds
    var asked: HostTime
    /// The coordination's command it became; nil: none came yet.
    var command: UInt64?
  }

  private var pending: Pending?

  var isPending: Bool { pending != nil }

  /// Begins a seek; the one before was answered.
  mutating func begin(
    _ id: UInt64, to target: ItemTime, before: Nanoseconds, after: Nanoseconds, at now: HostTime
  ) {
    pending = Pending(id: id, target: target, before: before, after: after, asked: now)
  }

  /// Ends it, and returns the number that its answer carries; nil: none is pending.
  mutating func end() -> UInt64? {
    defer { pending = nil }
    return pending?.id
  }

  /// Whether a seek is pending and became this command; nil: whether it has become none yet.
  func became(_ command: UInt64?) -> Bool { pending.map { $0.command == command } ?? false }

  /// Compares with a command that has come: is it what the person asked for, or somebody else's? Returns how the seek ends by
  /// that; nil: it does not.
  mutating func follow(_ command: PlaybackCommand, in group: GroupState, at now: HostTime) -> PlayerNotice.Outcome? {
    guard let seek = pending else { return nil }
    let isOwn = command.isLocal || command.originator == .none
    let slack = PlayerParameters.samePosition.adding(group.timing.outputOffset.absolute)
    let isThere = command.itemTime.subtracting(seek.target).absolute <= slack
    let isSeek = isOwn && command.cause == .seek
    // An older seek of the same person may still be on its way; later ones were only held inside what can be reached.
    if isThere || isSeek && now >= seek.asked.adding(PlayerParameters.seekAnswer) {
      pending?.command = command.id
      return nil
    }
    guard !isSeek, command.cause == .seek || command.kind != .pause || command.snap else { return nil }
    return seek.command != nil || !isOwn ? .cancelled : nil
  }

  /// The tolerances of the seek that a command is; nothing but the target for all others.
  func tolerances(of command: UInt64?) -> (before: Nanoseconds, after: Nanoseconds) {
    guard let command, let pending, pending.command == command else { return (0, 0) }
    return (pending.before, pending.after)
  }

  /// How it ends by time alone: a seek to where everybody stands already brings no command; one that never brings any is given
  /// up. nil: not yet.
  func outcome(in group: GroupState, at now: HostTime) -> PlayerNotice.Outcome? {
    guard let seek = pending else { return nil }
    if now >= seek.asked.adding(PlayerParameters.seekLimit) { return .cancelled }
    guard seek.command == nil, now >= seek.asked.adding(PlayerParameters.seekAnswer), group.timing.status == .paused,
      group.timing.line.at.subtracting(seek.target).absolute <= PlayerParameters.samePosition
    else { return nil }
    return .done
  }

  /// Host time at which `outcome` may say more.
  func wake(after now: HostTime) -> HostTime? {
    guard let asked = pending?.asked else { return nil }
    let answer = asked.adding(PlayerParameters.seekAnswer)
    return answer > now ? answer : asked.adding(PlayerParameters.seekLimit)
  }
}
