import UnisonoBase
import UnisonoReplica

/// What members were told last of other hubs' clocks, and whether that is right still (hubs 6).
struct ToldClocks {
  /// How far a line that was told may be off.
  private static let tolerance = Nanoseconds.microseconds(250)
  /// By how much more than twice what is known now an error that was told may be.
  private static let slack = Nanoseconds.microseconds(100)
  private static let lifetime = Nanoseconds.seconds(60)

  private var told: ClockReport?

  /// true: members are to be told what is known now, and it counts as told.
  mutating func tell(_ known: ClockReport) -> Bool {
    guard !isRight(known) else { return false }
    told = known
    return true
  }

  /// What was told by a clock that has another name now says nothing.
  mutating func forget() { told = nil }

  private func isRight(_ known: ClockReport) -> Bool {
    guard let told, !(told.readings.isEmpty && known.readings.isEmpty) else { return known.readings.isEmpty }
    let age = known.at.subtracting(told.at)
    guard age < Self.lifetime, told.readings.count == known.readings.count else { return false }
    return zip(told.readings, known.readings).allSatisfy { told, known in
      let (offset, error) = told.carried(by: age)
      return told.clock == known.clock && (told.goneFor == 0) == (known.goneFor == 0)
        && offset.subtracting(known.offset).absolute <= Self.tolerance
        && error <= 2 * known.carried(by: 0).error + Self.slack
    }
  }
}
