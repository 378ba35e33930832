import ArgumentParser
import Glibc
import Logging

/// How the person at this device is asked.
enum AskingOption: String, ExpressibleByArgument, CaseIterable {
  /// By notifications on a desktop that has notify-send, else at the terminal.
  case automatic
  case notification
  case terminal

  func person(_ log: Logger) throws -> any Person {
    switch self {
    case .terminal: return TerminalPerson()
    case .notification: return NotificationPerson(program: "notify-send", log: log)
    case .automatic:
      if Self.hasDesktop, let program = Self.find("notify-send") {
        return NotificationPerson(program: program, log: log)
      }
      if isatty(0) == 1 { return TerminalPerson() }
      throw ValidationError(
        "nobody can be asked here: there is no terminal, and no desktop with notify-send (Debian: libnotify-bin)")
    }
  }

  private static var hasDesktop: Bool {
    SettingsFile.environment("DISPLAY") != nil || SettingsFile.environment("WAYLAND_DISPLAY") != nil
  }

  static func find(_ program: String) -> String? {
    (SettingsFile.environment("PATH") ?? "/usr/bin:/bin").split(separator: ":").map { "\($0)/\(program)" }
      .first { access($0, X_OK) == 0 }
  }
}
