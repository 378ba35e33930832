import UnisonoBase

/// What `agent.toml` says in its table [watch]: what `unisono watch` and `unisono join` need not be told every time.
struct WatchSettings: Equatable {
  var player = WatchPlayer.mpv
  /// What the others see; nil: the login name.
  var name: String?
  /// Folders with one's own films, absolute; a friend's film is looked for there by its file's name, and below.
  var folders: [String] = []
  /// Hosts whose addresses are opened when somebody of the group names one; no others are.
  var trustedHosts: [String] = []
  /// The line of a hub to host at; nil: one in the player.
  var hub: String?
  /// Whether the router is asked for a port for every new session that meets here.
  var isForInternet = false
  /// Whether devices nearby see every new session.
  var isNearby = false

  init() {}

  /// - Parameter home: what "~/" in front of a folder stands for.
  init(_ values: [String: TOMLText.Value], home: String) throws(SettingsError) {
    for (key, value) in values {
      switch (key, value) {
      case ("player", .text(let text)): player = try Self.player(text)
      case ("name", .text(let text)): name = try Self.name(text)
      case ("hub", .text(let text)): hub = try Self.plain(text, key)
      case ("folders", .texts(let texts)):
        for text in texts { folders.append(try Self.folder(text, home: home)) }
      case ("trusted_hosts", .texts(let texts)):
        for text in texts { trustedHosts.append(try Self.host(text)) }
      case ("internet", .boolean(let flag)): isForInternet = flag
      case ("nearby", .boolean(let flag)): isNearby = flag
      case ("internet", _), ("nearby", _): throw SettingsError("\(key) is true or false")
      case ("name", _), ("hub", _), ("player", _): throw SettingsError("\(key) is a string")
      case ("folders", _), ("trusted_hosts", _): throw SettingsError("\(key) is a list of strings")
      default:
        throw SettingsError("there is no setting \"\(key)\" here; there are player, name, folders, trusted_hosts, hub, internet and nearby")
      }
    }
  }

  private static func player(_ text: String) throws(SettingsError) -> WatchPlayer {
    guard let player = WatchPlayer(rawValue: text) else { throw SettingsError("player is \"mpv\" or \"vlc\"") }
    return player
  }

  static func name(_ text: String) throws(SettingsError) -> String {
    guard !text.isEmpty, text.utf8.count <= WireLimits.name, VisibleText.isPlain(text) else {
      throw SettingsError("name is 1...\(WireLimits.name) bytes without control characters")
    }
    return text
  }

  /// The plugin takes folders apart at colons.
  static func folder(_ text: String, home: String) throws(SettingsError) -> String {
    let path = text.hasPrefix("~/") ? home + text.dropFirst(1) : text
    guard path.hasPrefix("/") else { throw SettingsError("the folder \"\(text)\" begins neither with / nor with ~/") }
    guard !path.contains(":") else { throw SettingsError("the folder \"\(text)\" has a colon in its name") }
    return try plain(path, "a folder")
  }

  static func host(_ text: String) throws(SettingsError) -> String {
    let isName = text.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
        UInt8(ascii: "."), UInt8(ascii: "-"):
        true
      default: false
      }
    }
    guard isName, (1...253).contains(text.utf8.count) else {
      throw SettingsError("\"\(text)\" is no host: its name alone is wanted, as in films.example, without scheme and port")
    }
    return text
  }

  private static func plain(_ text: String, _ what: String) throws(SettingsError) -> String {
    guard !text.isEmpty, text.utf8.count <= 4_095, text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
      throw SettingsError("\(what) is 1...4095 bytes without control characters")
    }
    return text
  }
}
