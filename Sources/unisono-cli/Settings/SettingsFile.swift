import Glibc

/// Where the settings are, and how they are read.
enum SettingsFile {
  /// `$XDG_CONFIG_HOME/unisono/agent.toml`, by default in `~/.config`.
  static var standardPath: String {
    if let folder = environment("XDG_CONFIG_HOME"), folder.hasPrefix("/") { return folder + "/unisono/agent.toml" }
    return (environment("HOME") ?? "") + "/.config/unisono/agent.toml"
  }

  /// Those at `path`, which must be there; nil: the standard file's, or none where that is not there.
  static func loadIfPresent(_ path: String?) throws(SettingsError) -> AgentSettings {
    if path == nil, access(standardPath, F_OK) != 0, errno == ENOENT { return AgentSettings() }
    return try load(path)
  }

  static func load(_ path: String?) throws(SettingsError) -> AgentSettings {
    let path = path ?? standardPath
    let text = try text(path, hint: "docs/nearby.md shows what to put there")
    return try AgentSettings(parsing: text, file: path, home: environment("HOME") ?? "")
  }

  /// A file's text, at most 1 MiB. `hint`: what to do where it cannot be read.
  static func text(_ path: String, hint: String? = nil) throws(SettingsError) -> String {
    guard let file = fopen(path, "re") else {
      let reason = String(cString: strerror(errno)).lowercased()
      throw SettingsError("cannot read \(path): \(reason)\(hint.map { "; \($0)" } ?? "")")
    }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while bytes.count <= 1 << 20 {
      let count = fread(&buffer, 1, buffer.count, file)
      if count == 0 { break }
      bytes += buffer[..<count]
    }
    guard bytes.count <= 1 << 20, let text = String(validating: bytes, as: UTF8.self) else {
      throw SettingsError("\(path) is not UTF-8 text of at most 1 MiB")
    }
    return text
  }

  /// Puts a text in a file's place at once, so that who reads finds the old one or the new one; for its owner alone.
  static func replace(_ path: String, with text: String) throws(SettingsError) {
    let new = path + ".new"
    unlink(new)
    let number = open(new, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard number >= 0 else { throw SettingsError("\(new): \(String(cString: strerror(errno)).lowercased())") }
    let bytes = Array(text.utf8)
    let isWritten = write(number, bytes, bytes.count) == bytes.count
    guard close(number) == 0, isWritten, rename(new, path) == 0 else {
      let reason = String(cString: strerror(errno)).lowercased()
      unlink(new)
      throw SettingsError("\(path): \(reason)")
    }
  }

  static func environment(_ name: String) -> String? {
    guard let value = getenv(name) else { return nil }
    let text = String(cString: value)
    return text.isEmpty ? nil : text
  }
}
