import Glibc
import UnisonoRuntime

/// The file of `--continue`: what this person goes on from on another day, sealed. Its key is apart, in a folder of the person's own data:
/// who gets the one alone, from a backup or a shared folder, is nobody's participant.
///
/// What is in the file the plugin judges, which reads and writes it.
struct ContinuationFile {
  let file: Participation.Kept
  /// A session was kept in it: there is something to go on from.
  let isThere: Bool

  /// Makes the key where there is none, so that what is wrong is said before a film is watched and not after.
  /// - Parameter path: from the root on.
  init(_ path: String) throws(NetworkError) {
    isThere = access(path, F_OK) == 0
    if isThere, access(path, R_OK) != 0 { throw Self.failure("read", path) }
    let parent = Self.folder(of: path)
    guard access(parent, W_OK | X_OK) == 0 else { throw Self.failure("write", path) }
    var status = stat()
    if isThere, stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
      throw NetworkError("\(path) is a folder; name a file in it")
    }
    let key = try Self.dataFolder() + "/continuation.key"
    _ = try KeyFile.load(key)
    file = Participation.Kept(file: path, key: key)
  }

  /// `$XDG_DATA_HOME/unisono`, by default in `~/.local/share`; it is made where it is not there.
  private static func dataFolder() throws(NetworkError) -> String {
    let parent: String
    if let given = SettingsFile.environment("XDG_DATA_HOME"), given.hasPrefix("/") {
      parent = given
    } else {
      guard let home = SettingsFile.environment("HOME"), home.hasPrefix("/") else {
        throw NetworkError("there is no folder for the key of --continue: set HOME or XDG_DATA_HOME")
      }
      parent = home + "/.local/share"
    }
    let path = parent + "/unisono"
    for end in path.indices.dropFirst() where path[end] == "/" { mkdir(String(path[..<end]), 0o700) }
    guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw failure("make", path) }
    return path
  }

  private static func folder(of path: String) -> String {
    let end = path.lastIndex(of: "/") ?? path.startIndex
    return end == path.startIndex ? "/" : String(path[..<end])
  }

  private static func failure(_ verb: String, _ path: String) -> NetworkError {
    NetworkError("--continue: cannot \(verb) \(path): \(String(cString: strerror(errno)).lowercased())")
  }
}
