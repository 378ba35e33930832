import UnisonoBase

/// What a Syncplay server says, read and judged: texts are for people's eyes and of bounded length, times are nanoseconds and can be
/// calculated with.
enum SyncplayMessage: Equatable {
  struct File: Equatable {
    var name: String
    /// ns; 0: not known.
    var duration: Int64
    /// Bytes; 0: not known, or told as a hash.
    var size: Int64
  }

  struct User: Equatable {
    var name: String
    var room: String
    /// nil: nothing is open, or it is not said.
    var file: File?
    /// nil: it is not said.
    var isReady: Bool?
  }

  struct PlayState: Equatable {
    /// ns, when the server sent it.
    var position: Int64
    var isPaused: Bool
    var isSeek: Bool
    /// nil: nobody.
    var setBy: String?
  }

  struct State: Equatable {
    var play: PlayState?
    var ignoring = SyncplayIgnoring()
    /// The server's clock as it was; to be sent back as it is.
    var serverTime: Double?
    /// This side's clock, as it was sent, with the time added that it lay at the server; s.
    var clientTime: Double?
    /// s; as the server measured.
    var serverRoundTrip = 0.0
  }

  /// The longest texts that a server may ask for.
  static let longestChat = 1_000
  /// Characters.
  private static let longestName = 150
  private static let longestFile = 250

  case hello(name: String, room: String, longestChat: Int)
  case refusal(String)
  /// In this room or in another one.
  case user(User)
  case left(String)
  case ready(String, Bool?)
  /// Everybody, as it is now.
  case everybody([User])
  case state(State)
  case chat(by: String, String)

  /// nil: the line is no object of JSON. What is not known, or not as it must be, is left out.
  static func messages(of line: [UInt8]) -> [SyncplayMessage]? {
    guard let members = JSONValue(line)?.members else { return nil }
    var messages: [SyncplayMessage] = []
    for (command, value) in members.sorted(by: { $0.key < $1.key }) {
      switch command {
      case "Hello": messages += hello(value).map { [$0] } ?? []
      case "Set": messages += settings(value)
      case "List": messages.append(.everybody(list(value)))
      case "State": messages.append(.state(state(value)))
      case "Chat":
        guard let name = name(value["username"]), let said = value["message"]?.text else { continue }
        messages.append(.chat(by: name, text(said, longestChat)))
      case "Error": messages.append(.refusal(text(value["message"]?.text ?? "no reason was given", 300)))
      default: continue
      }
    }
    return messages
  }

  private static func text(_ text: String, _ longest: Int) -> String { String(VisibleText.plain(text).prefix(longest)) }

  private static func name(_ value: JSONValue?) -> String? {
    guard let found = value?.text else { return nil }
    return name(found)
  }

  private static func name(_ name: String) -> String? { name.isEmpty ? nil : text(name, longestName) }

  private static func hello(_ value: JSONValue) -> SyncplayMessage? {
    guard let name = name(value["username"]), let room = roomName(value["room"]) else { return nil }
    let longest = value["features"]?["maxChatMessageLength"]?.number ?? 50
    return .hello(name: name, room: room, longestChat: Int(min(max(longest, 20), Double(longestChat))))
  }

  private static func roomName(_ room: JSONValue?) -> String? { name(room?["name"]) }

  private static func settings(_ value: JSONValue) -> [SyncplayMessage] {
    var messages: [SyncplayMessage] = []
    for (given, settings) in value["user"]?.members ?? [:] {
      guard let user = name(given) else { continue }
      if settings["event"]?["left"] != nil {
        messages.append(.left(user))
      } else if let room = roomName(settings["room"]) {
        messages.append(.user(User(name: user, room: room, file: file(settings["file"]))))
      }
    }
    if let ready = value["ready"], let user = name(ready["username"]) {
      messages.append(.ready(user, ready["isReady"]?.flag))
    }
    return messages
  }

  private static func list(_ value: JSONValue) -> [User] {
    var users: [User] = []
    for (given, room) in value.members ?? [:] {
      guard let place = name(given) else { continue }
      for (given, user) in room.members ?? [:] {
        guard let name = name(given) else { continue }
        users.append(User(name: name, room: place, file: file(user["file"]), isReady: user["isReady"]?.flag))
      }
    }
    return users.sorted { ($0.room, $0.name) < ($1.room, $1.name) }
  }

  private static func file(_ value: JSONValue?) -> File? {
    guard let given = value?["name"]?.text, !given.isEmpty else { return nil }
    let size = value?["size"]?.number ?? 0
    return File(
      name: text(given, longestFile), duration: time(value?["duration"]) ?? 0,
      size: (0..<1e18).contains(size) ? Int64(size) : 0)
  }

  /// Seconds as ns; nil: none, or what no film has.
  private static func time(_ value: JSONValue?) -> Int64? {
    guard let seconds = value?.number, (0..<1e7).contains(seconds) else { return nil }
    return Int64(seconds * 1e9)
  }

  private static func state(_ value: JSONValue) -> State {
    var state = State()
    if let play = value["playstate"], let position = time(play["position"]), let isPaused = play["paused"]?.flag {
      state.play = PlayState(
        position: position, isPaused: isPaused, isSeek: play["doSeek"]?.flag ?? false, setBy: name(play["setBy"]))
    }
    state.ignoring.server = count(value["ignoringOnTheFly"]?["server"])
    state.ignoring.client = count(value["ignoringOnTheFly"]?["client"])
    state.serverTime = value["ping"]?["latencyCalculation"]?.number
    state.clientTime = value["ping"]?["clientLatencyCalculation"]?.number
    state.serverRoundTrip = value["ping"]?["serverRtt"]?.number ?? 0
    return state
  }

  private static func count(_ value: JSONValue?) -> Int {
    guard let number = value?.number, (1..<1e6).contains(number) else { return 0 }
    return Int(number)
  }
}

/// How many changes of each side are on the way, so that neither takes what was sent before one for an answer to it; 0: none.
struct SyncplayIgnoring: Equatable {
  var server = 0
  var client = 0
}
