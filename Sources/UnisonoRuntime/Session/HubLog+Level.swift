import UnisonoCoordination

extension HubLog.Level {
  /// The same level as a host's log knows it.
  var logLevel: LogLevel {
    switch self {
    case .debug: .debug
    case .info: .info
    case .warning: .warning
    }
  }
}
