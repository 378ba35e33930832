import Glibc

/// Where the settings of a hub come from: its options, which stay, and the environment and file, which SIGHUP reads again.
struct HubSettingsSource {
  let options: HubSources.Layer
  /// By the option; nil: by the variable, else the standard one, if that is there.
  let file: String?

  /// Reads all of it. `unknown`: variables that look like settings and are none.
  func load() throws(SettingsError) -> (settings: HubSettings, unknown: [String]) {
    let variables = Self.variables()
    let environment = try HubSources.environment(variables)
    var layers = [options, environment.layer]
    let named = file ?? variables[HubKey.prefix + "CONFIG"].flatMap { $0.isEmpty ? nil : $0 }
    if named != nil || access(HubSettings.standardFile, F_OK) == 0 {
      let path = named ?? HubSettings.standardFile
      layers.append(try HubSources.file(try SettingsFile.text(path), named: path))
    }
    return (try HubSettings(layers), environment.unknown)
  }

  private static func variables() -> [String: String] {
    var variables: [String: String] = [:]
    var place = environ
    while let entry = place.pointee {
      let text = String(cString: entry)
      if let equals = text.firstIndex(of: "=") {
        variables[String(text[..<equals])] = String(text[text.index(after: equals)...])
      }
      place += 1
    }
    return variables
  }
}
