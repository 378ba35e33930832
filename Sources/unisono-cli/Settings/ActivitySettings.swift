import UnisonoBase
import UnisonoNearby

/// One activity that this device can be asked to open.
struct ActivitySettings: Equatable {
  /// How the invite reaches the program.
  enum Input: String, CaseIterable {
    /// As one argument, in place of {invite}, else the last.
    case argument
    /// As one line on standard input.
    case stdin
  }

  static let placeholder = "{invite}"

  /// The service's identifier.
  var identifier: String
  /// For people.
  var usage: String
  /// The program and its arguments.
  var command: [String]
  var input = Input.argument
  /// Platforms it works with; 0: any.
  var platforms: UInt32 = 0

  init(identifier: String, _ values: [String: TOMLText.Value]) throws(SettingsError) {
    guard NearbyText.isIdentifier(identifier) else {
      throw SettingsError("\"\(identifier)\" is no identifier; it has 1...63 bytes of a-z 0-9 - .")
    }
    self.identifier = identifier
    usage = "Open \(identifier) together"
    command = []
    for (key, value) in values {
      switch (key, value) {
      case ("usage", .text(let text)): usage = text
      case ("command", .texts(let texts)): command = texts
      case ("input", .text(let text)):
        guard let known = Input(rawValue: text) else { throw SettingsError("input is \"argument\" or \"stdin\"") }
        input = known
      case ("platforms", .texts(let names)):
        for name in names { platforms |= try Self.platform(name) }
      case ("usage", _), ("input", _): throw SettingsError("\(key) is a string")
      case ("command", _), ("platforms", _): throw SettingsError("\(key) is a list of strings")
      default:
        throw SettingsError("there is no setting \"\(key)\" here; there are usage, command, input and platforms")
      }
    }
    guard (1...WireLimits.usage).contains(usage.utf8.count), VisibleText.isPlain(usage) else {
      throw SettingsError("usage is 1...\(WireLimits.usage) bytes without control characters")
    }
    guard let program = command.first, !program.isEmpty else {
      throw SettingsError("command is missing: a list of the program and its arguments")
    }
    guard command.allSatisfy({ !$0.utf8.contains(0) }) else { throw SettingsError("command has a NUL in it") }
    guard !program.contains(Self.placeholder) else { throw SettingsError("the program's name cannot be the invite") }
    if input == .stdin, command.contains(where: { $0.contains(Self.placeholder) }) {
      throw SettingsError("the invite goes to standard input; take \(Self.placeholder) out of command")
    }
  }

  private static func platform(_ name: String) throws(SettingsError) -> UInt32 {
    let names = ["other", "linux", "macos", "windows", "android", "ios", "tv", "web"]
    guard let place = names.firstIndex(of: name) else {
      throw SettingsError("\"\(name)\" is no platform; there are \(names.joined(separator: ", "))")
    }
    return 1 << UInt32(place)
  }
}
