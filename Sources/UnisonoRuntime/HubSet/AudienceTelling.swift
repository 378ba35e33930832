import UnisonoBase
import UnisonoWire

/// When other runs are told how many listen here: when it is another number, and not more often than publishers are told (wire 3.14).
struct AudienceTelling {
  static let pause = Nanoseconds.milliseconds(500)

  private var told: AudienceCount?
  private var at = HostTime.min

  /// When `count` is to be told; `HostTime.max`: it was.
  func due(_ count: AudienceCount?) -> HostTime {
    guard let count, count != told ?? AudienceCount(listeners: 0) else { return .max }
    return at == .min ? .min : at.adding(Self.pause)
  }

  mutating func tell(_ count: AudienceCount?, now: HostTime) {
    told = count
    at = now
  }
}
