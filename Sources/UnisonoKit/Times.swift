import CUnisono

/// A position in an item, or a date of live content: nanoseconds of the item's own timeline.
public struct ItemTime: InstantProtocol, Hashable, Sendable {
  /// Every value is a position but the least (no time) and the greatest (without end), which the library refuses.
  public var nanoseconds: Int64
  public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  /// The beginning.
  public static let zero = ItemTime(nanoseconds: 0)
  /// Without end: the duration of a live item, any tolerance.
  public static let indefinite = ItemTime(nanoseconds: .max)

  public static func seconds(_ seconds: Double) -> ItemTime { zero.advanced(by: .seconds(seconds)) }
  public static func milliseconds(_ milliseconds: Int64) -> ItemTime { zero.advanced(by: .milliseconds(milliseconds)) }

  public var seconds: Double { Double(nanoseconds) / 1e9 }

  /// Held at the ends of what can be said.
  public func advanced(by duration: Duration) -> ItemTime {
    ItemTime(nanoseconds: sum(nanoseconds, duration.heldNanoseconds))
  }
  public func duration(to other: ItemTime) -> Duration { .nanoseconds(other.nanoseconds) - .nanoseconds(nanoseconds) }
  public static func < (left: ItemTime, right: ItemTime) -> Bool { left.nanoseconds < right.nanoseconds }
}

/// An instant of this machine's monotonic clock, nanoseconds: what `CLOCK_MONOTONIC` on Linux and
/// `mach_absolute_time` count. It means nothing on another machine.
public struct HostTime: InstantProtocol, Hashable, Sendable {
  public var nanoseconds: Int64
  public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  public static var now: HostTime { HostTime(nanoseconds: unisono_host_time()) }

  /// Held at the ends of what can be said.
  public func advanced(by duration: Duration) -> HostTime {
    HostTime(nanoseconds: sum(nanoseconds, duration.heldNanoseconds))
  }
  public func duration(to other: HostTime) -> Duration { .nanoseconds(other.nanoseconds) - .nanoseconds(nanoseconds) }
  public static func < (left: HostTime, right: HostTime) -> Bool { left.nanoseconds < right.nanoseconds }

  /// Sleeps until this instant; at once when it is past. Throws `CancellationError`.
  public func wait() async throws {
    let left = HostTime.now.duration(to: self)
    if left > .zero { try await Task.sleep(for: left) }
  }
}

extension ItemTime {
  public static func + (left: Self, right: Duration) -> Self { left.advanced(by: right) }
  public static func - (left: Self, right: Duration) -> Self { left.advanced(by: .zero - right) }
  public static func - (left: Self, right: Self) -> Duration { right.duration(to: left) }
}

extension HostTime {
  public static func + (left: Self, right: Duration) -> Self { left.advanced(by: right) }
  public static func - (left: Self, right: Duration) -> Self { left.advanced(by: .zero - right) }
  public static func - (left: Self, right: Self) -> Duration { right.duration(to: left) }
}

/// A line: position(h) = itemTime + rate * (h - hostTime).
public struct Timing: Hashable, Sendable {
  public struct State: RawRepresentable, Hashable, Sendable {
    public let rawValue: Int32
    public init(rawValue: Int32) { self.rawValue = rawValue }
    init(_ state: unisono_timing_state) { rawValue = state.rawValue }

    /// No item, or the group has no timing for it yet.
    public static let none = State(.UNISONO_TIMING_NONE)
    public static let paused = State(.UNISONO_TIMING_PAUSED)
    public static let waiting = State(.UNISONO_TIMING_WAITING)
    public static let playing = State(.UNISONO_TIMING_PLAYING)
  }

  public var itemTime: ItemTime
  /// 0 unless playing.
  public var rate: Double
  /// When it is at `itemTime`; nil in a proposal: now.
  public var hostTime: HostTime?
  /// Not looked at in a proposal.
  public var state: State
  /// Of the position. Not looked at in a proposal.
  public var errorBound: Duration

  public init(
    itemTime: ItemTime = .zero, rate: Double = 0, hostTime: HostTime? = nil, state: State = .none,
    errorBound: Duration = .zero
  ) {
    (self.itemTime, self.rate, self.hostTime, self.state) = (itemTime, rate, hostTime, state)
    self.errorBound = errorBound
  }

  /// Where the line is at an instant.
  public func itemTime(at instant: HostTime) -> ItemTime {
    guard let hostTime else { return itemTime }
    return itemTime.advanced(by: hostTime.duration(to: instant) * rate)
  }
}

extension ItemTime {
  /// nil for "no time".
  init?(known nanoseconds: Int64) {
    guard nanoseconds != .min else { return nil }
    self.init(nanoseconds: nanoseconds)
  }
}

extension HostTime {
  /// nil for "no time".
  init?(known nanoseconds: Int64) {
    guard nanoseconds != .min else { return nil }
    self.init(nanoseconds: nanoseconds)
  }
}

extension Duration {
  /// nil for "no time".
  init?(known nanoseconds: Int64) {
    guard nanoseconds != .min else { return nil }
    self = .nanoseconds(nanoseconds)
  }

  /// Whole nanoseconds, held at the ends of what can be said: about 292 years.
  var heldNanoseconds: Int64 {
    let (seconds, attoseconds) = components
    let (whole, isOver) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    return isOver ? (seconds < 0 ? .min + 1 : .max - 1) : sum(whole, attoseconds / 1_000_000_000)
  }

  /// For the C API, which judges it.
  func nanoseconds(_ name: StaticString) throws(UnisonoError) -> Int64 {
    let held = heldNanoseconds
    guard held > .min + 1, held < .max - 1 else {
      throw UnisonoError(.invalidArgument, "\(name): \(self) is more than 292 years")
    }
    return held
  }
}

/// Never one of the two values that stand for "no time" and "without end".
private func sum(_ left: Int64, _ right: Int64) -> Int64 {
  let (sum, isOver) = left.addingReportingOverflow(right)
  guard !isOver else { return left < 0 ? .min + 1 : .max - 1 }
  return min(max(sum, .min + 1), .max - 1)
}
