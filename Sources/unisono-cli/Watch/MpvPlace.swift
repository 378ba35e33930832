import Glibc

/// Where mpv and its plugin are on this machine; or what to do where they are not.
struct MpvPlace {
  struct Failure: Error, Equatable { var message: String }

  var program: String
  var plugin: String

  static func find() throws(Failure) -> MpvPlace {
    guard let program = AskingOption.find("mpv") else {
      throw Failure(
        message: """
          mpv was not found; it is what plays the film. Debian, Ubuntu: sudo apt install mpv; Fedora: sudo dnf install mpv; \
          others: https://mpv.io/installation
          """)
    }
    if let fault = fault(ofVersion: printedVersion(program), program) { throw Failure(message: fault) }
    let search = PluginSearch(folder: ownFolder, kinds: [], given: SettingsFile.environment(PluginSearch.variable))
    let places = PluginSearch(folder: search.folder, kinds: folders(in: search.parent + "/lib"), given: search.given).places
    guard let plugin = places.first(where: { access($0, R_OK) == 0 }) else {
      throw Failure(
        message: """
          the plugin of mpv is not there: \(places.prefix(3).joined(separator: ", ")). Debian's package of it is unisono-mpv; \
          `make plugin` builds it (libmpv-dev); \(PluginSearch.variable) says where it is
          """)
    }
    return MpvPlace(program: program, plugin: plugin)
  }

  /// What is wrong with it; nil: nothing, as far as it says its version.
  static func fault(ofVersion printed: String, _ program: String) -> String? {
    guard let version = MpvVersion(printed: printed), version < .oldest else { return nil }
    let oldest = MpvVersion.oldest
    return """
      \(program) is version \(version.major).\(version.minor), which loads no plugin of this kind: \(oldest.major).\(oldest.minor) \
      or newer is needed (https://mpv.io/installation)
      """
  }

  private static func printedVersion(_ program: String) -> String {
    guard let started = try? Program([program, "--version"], readsOutput: true) else { return "" }
    return started.finish().output
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
