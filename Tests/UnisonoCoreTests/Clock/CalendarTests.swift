import Foundation
import Testing

@Suite struct CalendarTests {
  /// What would read the calendar clock.
  private static let calendar = [
    "CLOCK_REALTIME", "gettimeofday", "Date()", "DispatchTime", "SuspendingClock", "time(nil)", "localtime",
    "uv_gettimeofday",
  ]

  @Test("K2: nothing in the library reads the calendar clock, so that setting it back moves nothing")
  func noCalendar() throws {
    let sources = URL(filePath: #filePath).resolvingSymlinksInPath().appending(path: "../../../../Sources")
      .standardizedFileURL
    let files = FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil)
    var count = 0
    for case let file as URL in try #require(files) where file.pathExtension == "swift" {
      let text = try String(contentsOf: file, encoding: .utf8)
      count += 1
      for word in Self.calendar { #expect(!text.contains(word), "\(file.lastPathComponent) uses \(word)") }
    }
    #expect(count > 20)
  }
}
