/// Where mpv's plugin may be: beside the command, in the folder of libraries that belongs to the command's, or where the environment says.
struct PluginSearch {
  /// The name of the variable that says where it is.
  static let variable = "UNISONO_MPV_PLUGIN"

  /// The folder that the command is in.
  var folder: String
  /// The folders in the one of libraries beside it, as Debian has one for each kind of processor; their names alone.
  var kinds: [String]
  /// What the variable says; nil: it is not set.
  var given: String?

  /// From the first to look at to the last.
  var places: [String] {
    if let given { return [given] }
    let libraries = parent + "/lib"
    return [folder + "/unisono.so", libraries + "/unisono/unisono.so"]
      + kinds.sorted().map { "\(libraries)/\($0)/unisono/unisono.so" }
  }

  var parent: String {
    guard let slash = folder.lastIndex(of: "/"), slash != folder.startIndex else { return "" }
    return String(folder[..<slash])
  }
}
