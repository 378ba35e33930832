import ArgumentParser
import Glibc
import UnisonoRuntime

/// What `unisono watch` and `unisono join` both take; what is given here goes before what agent.toml says.
struct WatchOptions: ParsableArguments {
  @Option(help: "The player: mpv or vlc; by default mpv.")
  var player: WatchPlayer?

  @Option(help: "What the others see; by default the login name.")
  var name: String?

  @Option(help: "A folder with your own films, and below; more than once for several.", completion: .directory)
  var folder: [String] = []

  @Option(help: "A host whose addresses are opened when the group watches one; more than once for several.")
  var trust: [String] = []

  @Option(
    name: .customLong("continue"),
    help: "A file to go on from on another day: where it is, the session that it was kept of goes on; on leaving it is written.",
    completion: .file())
  var keptFile: String?

  @Option(help: "The settings; by default ~/.config/unisono/agent.toml, its table [watch].", completion: .file(extensions: ["toml"]))
  var config: String?

  func settings() throws -> WatchSettings {
    do throws(SettingsError) {
      var settings = try SettingsFile.loadIfPresent(config).watch
      if let player { settings.player = player }
      if let name { settings.name = try WatchSettings.name(name) }
      for one in folder {
        let path = one.hasPrefix("/") || one.hasPrefix("~/") ? one : Self.currentFolder + "/" + one
        settings.folders.append(try WatchSettings.folder(path, home: SettingsFile.environment("HOME") ?? ""))
      }
      for one in trust { settings.trustedHosts.append(try WatchSettings.host(one)) }
      return settings
    } catch {
      throw ValidationError(error.message)
    }
  }

  /// What --continue names; nil: it is not given.
  func kept() throws -> ContinuationFile? {
    guard let keptFile else { return nil }
    do throws(NetworkError) {
      return try ContinuationFile(keptFile.hasPrefix("/") ? keptFile : Self.currentFolder + "/" + keptFile)
    } catch {
      throw ValidationError(error.message)
    }
  }

  private static var currentFolder: String {
    guard let path = getcwd(nil, 0) else { return "" }
    defer { free(path) }
    return String(cString: path)
  }
}
