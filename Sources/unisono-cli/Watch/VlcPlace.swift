import Glibc

/// Where VLC, and what drives it, are on this machine; or what to do where they are not.
struct VlcPlace: Equatable {
  private static let variable = "UNISONO_VLC"
  private static let scriptName = "unisono"

  var program: String
  /// The program that drives it.
  var driver: String
  /// As VLC says it; "": it does not.
  var version: String

  /// What VLC runs for that, beside the driver; without the ending that VLC itself puts behind it.
  var script: String { (driver.lastIndex(of: "/").map { String(driver[...$0]) } ?? "") + Self.scriptName }

  static func find() throws(PlayerMissing) -> VlcPlace {
    guard let program = AskingOption.find("vlc") else {
      throw PlayerMissing(
        "VLC was not found, which is to play the film",
        "Debian, Ubuntu: sudo apt install vlc; Fedora: sudo dnf install vlc; others: https://www.videolan.org/vlc")
    }
    let version = version(printed: printedVersion(program))
    if let fault = fault(of: version, program) { throw fault }
    let places = PartSearch.here("unisono-vlc", variable: variable).places
    let found = places.map { VlcPlace(program: program, driver: $0, version: version) }
      .first { access($0.driver, X_OK) == 0 && access($0.script + ".lua", R_OK) == 0 }
    guard let found else {
      throw PlayerMissing(
        "what drives VLC is not there, unisono-vlc and unisono.lua beside it: \(places.prefix(3).joined(separator: ", "))",
        "it comes with the command; `make vlc` builds it; \(variable) says where it is")
    }
    return found
  }

  /// Of "VLC media player 3.0.18 Vetinari (revision ...)"; "": it is something else.
  static func version(printed: String) -> String {
    let words = printed.split(whereSeparator: { $0 == " " || $0 == "\n" })
    guard words.count >= 4, words[..<3] == ["VLC", "media", "player"], words[3].first?.isNumber == true else { return "" }
    return String(words[3])
  }

  /// What is wrong with it; nil: nothing, or it is not known.
  static func fault(of version: String, _ program: String) -> PlayerMissing? {
    guard let major = version.split(separator: ".").first, major != "3" else { return nil }
    return PlayerMissing("\(program) is version \(version), which is driven in other ways", "VLC 3 is needed (https://www.videolan.org/vlc)")
  }

  private static func printedVersion(_ program: String) -> String {
    // As root it says that it does not run, once too often: it is said again when it is to play.
    guard let started = try? Program([program, "--version"], readsOutput: true, isQuiet: true) else { return "" }
    return started.finish().output
  }
}
