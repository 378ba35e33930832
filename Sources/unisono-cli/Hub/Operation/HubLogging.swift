import Logging
import UnisonoRuntime

/// The log of a hub in the form that was asked for.
enum HubLogging {
  static func logger(_ settings: HubSettings) -> Logger {
    var log =
      switch settings.logFormat {
      case .json: Logger(label: "unisono-hub") { _ in JSONLogHandler() }
      case .text: Logger(label: "unisono-hub") { StreamLogHandler.standardError(label: $0) }
      }
    log.logLevel = settings.logLevel
    return log
  }

  /// Fields of a line about a room; nil: there are none.
  static func fields(of line: HubLog) -> Logger.Metadata? { line.room.map { ["room": .string($0)] } }

  /// The statistics, for readers that take fields; the text of the line says the same.
  static func fields(of statistics: HubStatistics) -> Logger.Metadata {
    var fields: Logger.Metadata = [:]
    let all: [(String, UInt64)] = [
      ("rooms", statistics.rooms), ("connections", statistics.connections), ("frames_in", statistics.framesIn),
      ("frames_out", statistics.framesOut), ("bytes_in", statistics.bytesIn), ("bytes_out", statistics.bytesOut),
      ("refused", statistics.refused), ("closed_slow", statistics.closedSlow), ("probes", statistics.probes),
    ]
    for (name, value) in all { fields[name] = .stringConvertible(value) }
    return fields
  }
}
