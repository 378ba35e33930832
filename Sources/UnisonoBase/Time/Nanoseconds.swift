/// Nanoseconds of the host's monotonic clock (CLOCK_MONOTONIC).
package typealias HostTime = Int64
/// Nanoseconds of group time: the clock of the session's first hub, continued through others (coordination 2.1).
package typealias GroupTime = Int64
/// Nanoseconds of the clock of one hub.
package typealias HubTime = Int64
/// Nanoseconds of an item's own timeline.
package typealias ItemTime = Int64
/// A length of time in nanoseconds.
package typealias Nanoseconds = Int64

extension Nanoseconds {
  package static func microseconds(_ count: Int64) -> Int64 { count * 1_000 }
  package static func milliseconds(_ count: Int64) -> Int64 { count * 1_000_000 }
  package static func seconds(_ count: Int64) -> Int64 { count * 1_000_000_000 }

  /// The sum, held at the ends of the range: host times come from outside and must not trap.
  package func adding(_ other: Int64) -> Int64 {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? (other < 0 ? .min : .max) : sum
  }

  /// The difference, held at the ends of the range.
  package func subtracting(_ other: Int64) -> Int64 {
    let (difference, overflow) = subtractingReportingOverflow(other)
    return overflow ? (other < 0 ? .max : .min) : difference
  }

  /// The length without its sign, held at the end of the range, where `abs` has no answer.
  package var absolute: Int64 { self == .min ? .max : Swift.abs(self) }

  /// This length times `rate`, rounded to the nearest, held at the ends of the range; a rate that is no number counts as 0.
  package func scaled(by rate: Double) -> Int64 {
    if rate == 1 { return self }
    let product = (Double(self) * rate).rounded()
    if product.isNaN { return 0 }
    return Int64(exactly: product) ?? (product < 0 ? .min : .max)
  }
}
