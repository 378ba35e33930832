import Glibc

/// Where a file that belongs to this command may be: beside it, in the folder of libraries that belongs to the command's, or where the
/// environment says.
struct PartSearch {
  /// The file's name.
  var part: String
  /// The folder that the command is in.
  var folder: String
  /// The folders in the one of libraries beside it, as Debian has one for each kind of processor; their names alone.
  var kinds: [String]
  /// What the environment says; nil: nothing.
  var given: String?

  /// From the first to look at to the last.
  var places: [String] {
    if let given { return [given] }
    let libraries = parent + "/lib"
    return [folder + "/" + part, libraries + "/unisono/" + part] + kinds.sorted().map { "\(libraries)/\($0)/unisono/\(part)" }
  }

  var parent: String {
    guard let slash = folder.lastIndex(of: "/"), slash != folder.startIndex else { return "" }
    return String(folder[..<slash])
  }

  /// Of the command that runs. `variable`: what may say where it is.
  static func here(_ part: String, variable: String) -> PartSearch {
    var search = PartSearch(part: part, folder: ownFolder, kinds: [], given: SettingsFile.environment(variable))
    search.kinds = folders(in: search.parent + "/lib")
    return search
  }

  /// The folder of this command's file; links to it are followed.
  private static var ownFolder: String {
    var buffer = [CChar](repeating: 0, count: 4_096)
    let count = readlink("/proc/self/exe", &buffer, buffer.count)
    let path = String(decoding: buffer.prefix(max(0, count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
  }

  private static func folders(in path: String) -> [String] {
    guard let opened = opendir(path) else { return [] }
    defer { closedir(opened) }
    var names: [String] = []
    while let entry = readdir(opened), names.count < 1_000 {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      // "x86_64-linux-gnu", not what other programs keep there.
      if name.contains("-linux-") { names.append(name) }
    }
    return names
  }
}
