/// What `agent.toml` says: what this device is called, which program is started for which activity, and how films are watched.
struct AgentSettings: Equatable {
  /// This device's name for others; nil: the machine's.
  var name: String?
  /// The activity that links are opened as; nil: the only one there is.
  var open: String?
  /// By identifier.
  var activities: [String: ActivitySettings] = [:]
  /// Groups that this device belongs to, by name.
  var groups: [String: GroupSettings] = [:]
  var watch = WatchSettings()

  /// Those of who has written none.
  init() {}

  /// Throws a sentence that says where what is wrong.
  /// - Parameter home: what "~/" in front of a folder stands for.
  init(parsing text: String, file: String, home: String = "") throws(SettingsError) {
    let tables: [TOMLText.Table]
    do throws(TOMLText.Fault) {
      tables = try TOMLText.read(text)
    } catch {
      throw SettingsError("\(file), line \(error.line): \(error.message)")
    }
    for table in tables {
      do throws(SettingsError) {
        try take(table, home: home)
      } catch {
        throw SettingsError("\(file), line \(table.line): \(error.message)")
      }
    }
    if let open, activities[open] == nil {
      throw SettingsError("\(file): open is \"\(open)\", but there is no [activity.\"\(open)\"]")
    }
  }

  /// What links are opened as.
  func activityForLinks() throws(SettingsError) -> ActivitySettings {
    if let open, let activity = activities[open] { return activity }
    if activities.count == 1, let only = activities.values.first { return only }
    throw SettingsError(
      activities.isEmpty
        ? "no activity is configured; add a table [activity.\"org.example.watch\"] with a command"
        : "several activities are configured; say with open = \"…\" which one links are opened as")
  }

  private mutating func take(_ table: TOMLText.Table, home: String) throws(SettingsError) {
    if table.path.isEmpty {
      for (key, value) in table.values {
        guard case .text(let text) = value else { throw SettingsError("\(key) is a string") }
        switch key {
        case "name": name = try WatchSettings.name(text)
        case "open": open = text
        default: throw SettingsError("there is no setting \"\(key)\" here; there are name and open")
        }
      }
      return
    }
    if table.path == ["watch"] {
      watch = try WatchSettings(table.values, home: home)
      return
    }
    if table.path.count == 2, table.path[0] == "group" {
      guard groups.count < GroupSettings.limit else { throw SettingsError("there are at most \(GroupSettings.limit) groups") }
      groups[table.path[1]] = try GroupSettings(name: table.path[1], table.values, home: home)
      return
    }
    guard table.path.count == 2, table.path[0] == "activity" else {
      throw SettingsError(
        "there is no table \"\(table.path.joined(separator: "."))\"; write [activity.\"identifier\"], [group.\"name\"] or [watch]")
    }
    activities[table.path[1]] = try ActivitySettings(identifier: table.path[1], table.values)
  }
}

/// What is wrong with the settings, and how to mend it.
struct SettingsError: Error, Equatable {
  var message: String
  init(_ message: String) { self.message = message }
}
