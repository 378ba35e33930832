import Glibc

/// Where mpv and its plugin are on this machine; or what to do where they are not.
struct MpvPlace {
  private static let variable = "UNISONO_MPV_PLUGIN"

  var program: String
  var plugin: String
  /// As it says it; nil: it does not, as one that was built from a commit.
  var version: MpvVersion?

  static func find() throws(PlayerMissing) -> MpvPlace {
    guard let program = AskingOption.find("mpv") else {
      throw PlayerMissing(
        "mpv was not found, which is what plays the film",
        "Debian, Ubuntu: sudo apt install mpv; Fedora: sudo dnf install mpv; others: https://mpv.io/installation")
    }
    let version = MpvVersion(printed: printedVersion(program))
    if let fault = version.flatMap({ fault(of: $0, program) }) { throw fault }
    let places = PartSearch.here("unisono.so", variable: variable).places
    guard let plugin = places.first(where: { access($0, R_OK) == 0 }) else {
      throw PlayerMissing(
        "the plugin of mpv is not there: \(places.prefix(3).joined(separator: ", "))",
        "Debian's package of it is unisono-mpv; `make plugin` builds it (libmpv-dev); \(variable) says where it is")
    }
    return MpvPlace(program: program, plugin: plugin, version: version)
  }

  /// What is wrong with it; nil: nothing.
  static func fault(of version: MpvVersion, _ program: String) -> PlayerMissing? {
    guard version < .oldest else { return nil }
    let oldest = MpvVersion.oldest
    return PlayerMissing(
      "\(program) is version \(version.major).\(version.minor), which loads no plugin of this kind",
      "\(oldest.major).\(oldest.minor) or newer is needed (https://mpv.io/installation)")
  }

  private static func printedVersion(_ program: String) -> String {
    guard let started = try? Program([program, "--version"], readsOutput: true) else { return "" }
    return started.finish().output
  }
}
