import Glibc

/// The terminal of this run, if there is one.
enum Terminal {
  static var isInput: Bool { isatty(0) == 1 }
  static var isOutput: Bool { isatty(1) == 1 }
  /// https://no-color.org, and terminals that have none.
  static var hasColour: Bool {
    isOutput && SettingsFile.environment("NO_COLOR") == nil && SettingsFile.environment("TERM") != "dumb"
  }
  static var hasDesktop: Bool {
    SettingsFile.environment("DISPLAY") != nil || SettingsFile.environment("WAYLAND_DISPLAY") != nil
  }

  /// Columns and rows; 80 and 24 where it does not say.
  static var size: (columns: Int, rows: Int) {
    var size = winsize()
    guard ioctl(1, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else { return (80, 24) }
    return (Int(size.ws_col), Int(size.ws_row))
  }

  /// At once, past the buffers of stdio: other programs write here, too.
  static func print(_ lines: [String]) { write(lines.map { $0 + "\n" }.joined(), to: 1) }

  static func complain(_ line: String) { write("unisono: \(line)\n", to: 2) }

  static func write(_ text: String, to descriptor: Int32) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count > 0 { rest = rest.dropFirst(count) } else if errno != EINTR { return }
    }
  }
}
