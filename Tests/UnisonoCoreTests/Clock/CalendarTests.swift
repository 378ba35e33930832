import Foundation
import Testing

@Suite struct CalendarTests {
  /// What would read the calendar clock.
  private static let calendar = [
    "CLOCK_REALTIME", "gettimeofday", "Date()", "DispatchTime", "SuspendingClock", "time(nil)", "localtime",
    "uv_gettimeofday",
  ]
  /// The kernel dates datagrams in calendar time; only their age is taken from it, and `ReceiveTimesTests` sets it back.
  /// And a hub's passes and its certificate end on a day, its log and figures are dated; people who watch a group see the time of day. A
  /// token to go on by says when it was made.
  private static let exceptions = [
    "uv_shim.h": ["CLOCK_REALTIME"], "CalendarHour.swift": ["time(nil)"], "Observer.swift": ["time(nil)", "localtime"],
    "RunningHub.swift": ["time(nil)"], "JSONLogHandler.swift": ["CLOCK_REALTIME"],
    "ContextObject.swift": ["CLOCK_REALTIME"],
  ]

  @Test("K2: nothing in the library reads the calendar clock but for the age of datagrams, passes, tokens")
  func noCalendar() throws {
    let sources = URL(filePath: #filePath).resolvingSymlinksInPath().appending(path: "../../../../Sources")
      .standardizedFileURL
    let files = FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil)
    var count = 0
    for case let file as URL in try #require(files) where ["swift", "h", "c"].contains(file.pathExtension) {
      let text = try String(contentsOf: file, encoding: .utf8)
      count += 1
      let allowed = Self.exceptions[file.lastPathComponent] ?? []
      for word in Self.calendar where !allowed.contains(word) {
        #expect(!text.contains(word), "\(file.lastPathComponent) uses \(word)")
      }
    }
    #expect(count > 20)
  }
}
