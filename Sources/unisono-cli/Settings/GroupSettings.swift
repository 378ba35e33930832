import UnisonoBase

/// A group that this device belongs to: what is begun there is offered to the person here.
struct GroupSettings: Equatable {
  /// How many there may be.
  static let limit = 8

  /// For the person and the log.
  var name: String
  /// The file whose first line is the group's invite; absolute. When the invite changes the agent writes the new one there.
  var invite: String

  /// - Parameter home: what "~/" in front of a file stands for.
  init(name: String, _ values: [String: TOMLText.Value], home: String) throws(SettingsError) {
    self.name = try WatchSettings.name(name)
    invite = ""
    for (key, value) in values {
      switch (key, value) {
      case ("invite", .text(let text)): invite = text.hasPrefix("~/") ? home + text.dropFirst(1) : text
      case ("invite", _): throw SettingsError("\(key) is a string")
      default: throw SettingsError("there is no setting \"\(key)\" here; there is invite")
      }
    }
    guard invite.hasPrefix("/"), VisibleText.isPlain(invite) else {
      throw SettingsError("invite is missing: the file with the group's invite, which begins with / or ~/")
    }
  }
}
