import Glibc
import Logging

/// Writes each line of the log as one JSON object (RFC 8259) to standard error: time, level, message, and what else is known of it.
struct JSONLogHandler: LogHandler {
  var metadata: Logger.Metadata = [:]
  var logLevel = Logger.Level.info

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    let all = metadata.merging(event.metadata ?? [:]) { $1 }
    let line = Self.line(
      seconds: Int(now.tv_sec), milliseconds: Int(now.tv_nsec) / 1_000_000, level: event.level.rawValue,
      message: event.message.description, fields: all.map { ($0.key, $0.value) })
    // One call for a line, so that those of several threads do not mix.
    let bytes = Array(line.utf8)
    _ = write(STDERR_FILENO, bytes, bytes.count)
  }

  /// One line with its end. Numbers among the fields stay numbers.
  static func line(
    seconds: Int, milliseconds: Int, level: String, message: String, fields: [(String, Logger.Metadata.Value)]
  ) -> String {
    let known = [
      ("time", JSONText.quoted(timestamp(seconds, milliseconds))), ("level", JSONText.quoted(level)),
      ("message", JSONText.quoted(message)),
    ]
    let more = fields.sorted { $0.0 < $1.0 }.map { name, value in
      if case .stringConvertible(let number) = value, let count = number as? UInt64 { return (name, String(count)) }
      return (name, JSONText.quoted(value.description))
    }
    return JSONText.object(known + more) + "\n"
  }

  /// RFC 3339, UTC.
  private static func timestamp(_ seconds: Int, _ milliseconds: Int) -> String {
    var time = time_t(seconds)
    var parts = tm()
    gmtime_r(&time, &parts)
    func padded(_ value: some BinaryInteger, _ width: Int) -> String {
      let digits = String(value)
      return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
    let date = "\(padded(Int(parts.tm_year) + 1_900, 4))-\(padded(parts.tm_mon + 1, 2))-\(padded(parts.tm_mday, 2))"
    let clock = "\(padded(parts.tm_hour, 2)):\(padded(parts.tm_min, 2)):\(padded(parts.tm_sec, 2))"
    return "\(date)T\(clock).\(padded(milliseconds, 3))Z"
  }
}
