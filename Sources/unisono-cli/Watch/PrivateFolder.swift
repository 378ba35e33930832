import Glibc

/// A folder of this run that nobody else can look into: invites pass through it. It goes with what is in it.
final class PrivateFolder: Sendable {
  struct Failure: Error { var message: String }

  let path: String

  /// In the system's folder for such things, which is in memory, else in that for what is temporary.
  init() throws(Failure) {
    let parents = [SettingsFile.environment("XDG_RUNTIME_DIR"), SettingsFile.environment("TMPDIR"), "/tmp"].compactMap { $0 }
    for parent in parents where parent.hasPrefix("/") {
      var template = Array("\(parent)/unisono-XXXXXX".utf8CString)
      guard mkdtemp(&template) != nil else { continue }
      path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
      return
    }
    throw Failure(message: "no private folder can be made in \(parents.joined(separator: ", ")): \(Self.reason)")
  }

  func file(_ name: String) -> String { "\(path)/\(name)" }

  /// For its owner alone.
  func write(_ text: String, to name: String) throws(Failure) {
    let number = open(file(name), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard number >= 0 else { throw Failure(message: "\(file(name)): \(Self.reason)") }
    defer { close(number) }
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(number, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw Failure(message: "\(file(name)): \(Self.reason)") }
      rest = rest.dropFirst(count)
    }
  }

  /// The first line of a file in it, of at most 4,095 bytes; nil: there is none.
  func firstLine(of name: String) -> String? {
    guard let opened = fopen(file(name), "re") else { return nil }
    defer { fclose(opened) }
    var line = [CChar](repeating: 0, count: 4_097)
    guard fgets(&line, Int32(line.count), opened) != nil else { return nil }
    return String(validating: line.prefix { $0 != 0 && $0 != 10 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Calls `arrived` with the name of each file that is put there whole, from now on until the folder is gone, on a thread of its own.
  func watch(_ arrived: @escaping @Sendable (String) -> Void) throws(Failure) {
    let number = inotify_init1(Int32(IN_CLOEXEC))
    guard number >= 0, inotify_add_watch(number, path, UInt32(IN_MOVED_TO) | UInt32(IN_DELETE_SELF)) >= 0 else {
      throw Failure(message: "\(path) cannot be watched: \(Self.reason)")
    }
    guard Background.run({ Self.read(number, arrived) }) else {
      throw Failure(message: "there is no thread left to watch \(path)")
    }
  }

  private static func read(_ number: Int32, _ arrived: (String) -> Void) {
    defer { close(number) }
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while true {
      let count = Glibc.read(number, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return }
      var place = 0
      while place + MemoryLayout<inotify_event>.size <= count {
        let event = buffer.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: place, as: inotify_event.self) }
        let name = buffer[(place + MemoryLayout<inotify_event>.size)...].prefix(Int(event.len)).prefix { $0 != 0 }
        if event.mask & UInt32(IN_DELETE_SELF | IN_IGNORED) != 0 { return }
        arrived(String(decoding: name, as: UTF8.self))
        place += MemoryLayout<inotify_event>.size + Int(event.len)
      }
    }
  }

  /// With these files in it; others were not put there by this run.
  func remove(_ names: [String]) {
    for name in names { unlink(file(name)) }
    rmdir(path)
  }

  private static var reason: String { String(cString: strerror(errno)).lowercased() }
}
