/// A playback line: `position(t) = at + rate x (t - since)`.
///
/// Shape: `at` in item time ns, `since` in the time base the line is expressed in (group time in registers, host time
/// towards a host), `rate` item ns per ns.
package struct Line: Equatable, Hashable, Sendable {
  package var at: ItemTime
  package var rate: Double
  package var since: Int64

  package init(at: ItemTime, rate: Double, since: Int64) {
    self.at = at
    self.rate = rate
    self.since = since
  }

  /// The position at `time`, before `since` too.
  package func position(at time: Int64) -> ItemTime {
    at.adding(time.subtracting(since).scaled(by: rate))
  }

  /// The time at which it is at `position`, before `since` too; of a line that stands, `since`.
  package func instant(of position: ItemTime) -> Int64 {
    rate == 0 ? since : since.adding(position.subtracting(at).scaled(by: 1 / rate))
  }
}
