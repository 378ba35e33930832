import UnisonoBase
import UnisonoReplica

/// What the host set once for all its commands.
struct HostSettings: Sendable {
  private(set) var waitingReasons: [String] = []
  private(set) var limits: [String: UInt32] = [:]
  private(set) var pauseSnaps = false
  /// The host gets ready while the group pauses.
  private(set) var preparesAhead = false
  private(set) var waitLimit: Nanoseconds = Law.waitLimit
  /// What the host asked for before there was a session to tell.
  private(set) var stallPolicy: StallPolicy?
  private(set) var actionAtEnd: ActionAtEnd?
  private(set) var startPolicy: StartPolicy?
  private(set) var skipPolicy: SkipPolicy?
  private(set) var outputOffset: Nanoseconds = 0

  /// Bytes of waiting reasons in one register of 8 KiB, and what each takes beside its text.
  private static let waitsLength = 7_680
  private static let waitOverhead = 16

  /// The own waiting reasons with their limits, as they travel in a command: the first ones, as far as there is room for
  /// them in a register (some fifty of the longest).
  var waits: [Wait] {
    var room = Self.waitsLength
    let reasons = waitingReasons.prefix { reason in
      room -= reason.utf8.count + Self.waitOverhead
      return room >= 0
    }
    return reasons.map { Wait(reason: $0, limit: limits[$0] ?? .max) }
  }

  mutating func setWaitingReasons(_ reasons: [String]) { waitingReasons = reasons }

  mutating func setLimit(_ limit: UInt32, of reason: String) { limits[reason] = limit }

  mutating func setPauseSnaps(_ snaps: Bool) { pauseSnaps = snaps }

  mutating func setPreparesAhead(_ prepares: Bool) { preparesAhead = prepares }

  mutating func setWaitLimit(_ limit: Nanoseconds) { waitLimit = max(0, limit) }

  mutating func setStallPolicy(_ policy: StallPolicy) { stallPolicy = policy }

  mutating func setActionAtEnd(_ action: ActionAtEnd) { actionAtEnd = action }

  mutating func setStartPolicy(_ policy: StartPolicy) { startPolicy = policy }

  mutating func setSkipPolicy(_ policy: SkipPolicy) { skipPolicy = policy }

  mutating func setOutputOffset(_ offset: Nanoseconds) { outputOffset = offset }
}
