import Glibc

/// The calendar in whole hours, by which passes and certificates end.
package enum CalendarHour {
  /// Hours since 1970, UTC.
  package static var now: UInt32 { UInt32(clamping: time(nil) / 3_600) }
}
