import Logging
import UnisonoCrypto
import UnisonoReplica
import UnisonoRuntime

/// Settings of a hub: options before the environment before the file before the defaults, each judged, with the place it is from.
struct HubSettings {
  enum LogFormat: String, CaseIterable {
    case text, json
  }

  /// Every interface, where IPv6 is there and where it is not.
  static let everywhere = ["[::]:7400", "0.0.0.0:7400"]
  /// Read where nobody names another.
  static let standardFile = "/etc/unisono/hub.toml"
  /// Addresses of a kind.
  private static let most = 16

  private let settings: [HubKey: HubSetting]

  /// Empty: every interface, port 7400.
  let listen: [String]
  let advertise: [String]
  /// Hubs that participants are told of when this one ends.
  let next: [HubAddress]
  /// Pages that may use the hub through WebSocket, beside pages from its own host.
  let origins: [String]
  /// Numeric addresses of proxies in front of it, which are believed about where clients are.
  let proxies: [String]
  /// Folders of the page for browsers, or `WebFolder.installed`, and of films; nil: there are none.
  let web: String?
  let media: String?
  let key: String?
  /// The file with a set's word that the hub is one of its; nil: there is none.
  let certificate: String?
  let secret: String?
  let revoked: Set<UInt64>
  let isOpen: Bool
  /// Participants who ask are told whether they are reached from here.
  let triesBack: Bool
  let limits: HubLimits
  /// "host:port"; nil: there are none.
  let metrics: String?
  /// Time that participants are given to move at the end, ms.
  let drain: Int
  let logLevel: Logger.Level
  let logFormat: LogFormat
  /// The set that the hub is one of; nil: it is alone.
  let hubSet: HubSetSettings?

  /// `layers`: what was written, the one that counts most first. Throws a sentence that names the place.
  init(_ layers: [HubSources.Layer]) throws(SettingsError) {
    var settings: [HubKey: HubSetting] = [:]
    for key in HubKey.allCases { settings[key] = layers.lazy.compactMap { $0[key] }.first ?? Self.standard(key) }
    self.settings = settings
    let reader = Reader(settings: settings)
    listen = try reader.texts(.listen, upTo: Self.most)
    for address in listen { try reader.checkAddress(address, .listen) }
    advertise = try reader.texts(.advertise, upTo: Self.most)
    for address in advertise where !RoomEntry.mayAdvertise(address) {
      throw reader.fault(.advertise, "\(address): write host:port with a port of 1024...65535; invites have no other")
    }
    next = try reader.hubs(.next, upTo: Self.most)
    origins = try reader.texts(.origin, upTo: Self.most)
    for origin in origins where !HubOptions.isOrigin(origin) {
      throw reader.fault(.origin, "\(origin): write scheme://host or scheme://host:port, http or https; * lets every page in")
    }
    proxies = try reader.texts(.proxy, upTo: Self.most)
    for proxy in proxies where !HubOptions.isProxy(proxy) {
      throw reader.fault(.proxy, "\(proxy): write the numeric address from which the proxy connects, without a port")
    }
    web = reader.text(.web)
    media = reader.text(.media)
    if media != nil, web == nil { throw reader.fault(.media, "is for the page that --web serves, which is not set") }
    key = reader.text(.key)
    certificate = reader.text(.certificate)
    if certificate != nil, key == nil {
      throw reader.fault(.certificate, "is for a hub that keeps its id: name the file of its key with --key")
    }
    secret = reader.text(.secret)
    revoked = try reader.serials(.revoke)
    isOpen = try reader.boolean(.open)
    triesBack = try reader.boolean(.tryBack)
    var limits = HubLimits()
    limits.participantsPerRoom = try reader.number(.participantsPerRoom)
    limits.rooms = try reader.number(.rooms)
    limits.connections = try reader.number(.connections)
    limits.connectionsPerAddress = try reader.number(.connectionsPerAddress)
    limits.listeners = try reader.number(.listeners)
    limits.listenersPerAddress = try reader.number(.listenersPerAddress)
    limits.bytesPerSecond = try reader.number(.bytesPerSecond)
    limits.roomBytesPerSecond = try reader.number(.roomBytesPerSecond)
    limits.setMemory(try reader.number(.memory) << 20)
    self.limits = limits
    metrics = reader.text(.metrics)
    if let metrics { try reader.checkAddress(metrics, .metrics) }
    drain = try reader.milliseconds(.drain)
    guard let level = Logger.Level(rawValue: reader.text(.logLevel) ?? "") else {
      let all = Logger.Level.allCases.map(\.rawValue).joined(separator: ", ")
      throw reader.fault(.logLevel, "is \(reader.text(.logLevel) ?? "nothing"), which is no level; there are \(all)")
    }
    logLevel = level
    guard let format = LogFormat(rawValue: reader.text(.logFormat) ?? "") else {
      throw reader.fault(.logFormat, "is text or json")
    }
    logFormat = format
    hubSet = try reader.hubSet()
  }

  /// All settings in force, as a file would have them, each with the place it is from.
  var listing: String {
    let lines = HubKey.allCases.map { key in
      let setting = settings[key] ?? Self.standard(key)
      let values = key == .nats ? setting.values.map(HubSetSettings.shown) : setting.values
      return (text: "\(key.rawValue) = \(Self.spelled(values, as: key.kind))", source: setting.source(of: key))
    }
    let width = min(48, lines.map(\.text.count).max() ?? 0)
    return lines.map { line in
      let gap = String(repeating: " ", count: max(0, width - line.text.count))
      return "\(line.text)\(gap)  # \(line.source)"
    }.joined(separator: "\n")
  }

  /// Settings that differ from `running` and that only the next start brings into force.
  func unreloaded(against running: HubSettings) -> [HubKey] {
    HubKey.allCases.filter { !$0.isReloaded && settings[$0]?.values != running.settings[$0]?.values }
  }

  private static func standard(_ key: HubKey) -> HubSetting {
    let limits = HubLimits()
    let values: [String]
    switch key {
    case .listen, .advertise, .next, .origin, .proxy, .revoke, .web, .media, .key, .certificate, .secret, .metrics: values = []
    case .nats, .natsCredentials, .natsAuthorities, .setKey: values = []
    case .open: values = ["false"]
    case .tryBack: values = ["true"]
    case .participantsPerRoom: values = [String(limits.participantsPerRoom)]
    case .rooms: values = [String(limits.rooms)]
    case .connections: values = [String(limits.connections)]
    case .connectionsPerAddress: values = [String(limits.connectionsPerAddress)]
    case .listeners: values = [String(limits.listeners)]
    case .listenersPerAddress: values = [String(limits.listenersPerAddress)]
    case .bytesPerSecond: values = [String(limits.bytesPerSecond)]
    case .roomBytesPerSecond: values = [String(limits.roomBytesPerSecond)]
    case .memory: values = ["320"]
    case .drain: values = ["10s"]
    case .logLevel: values = ["info"]
    case .logFormat: values = ["text"]
    }
    return HubSetting(values: values, origin: .standard)
  }

  /// As TOML has it, but that an empty string stands for what is not set.
  private static func spelled(_ values: [String], as kind: HubKey.Kind) -> String {
    switch kind {
    case .texts: "[" + values.map(JSONText.quoted).joined(separator: ", ") + "]"
    case .text: JSONText.quoted(values.first ?? "")
    case .duration: JSONText.quoted(values.first ?? "")
    case .number, .boolean: values.first ?? ""
    }
  }
}

/// Judge of what was written: each value, or a sentence with the place of what is wrong.
private struct Reader {
  /// An hour.
  private static let longest = 3_600_000
  private static let mostServers = 16

  let settings: [HubKey: HubSetting]

  func fault(_ key: HubKey, _ text: String) -> SettingsError {
    SettingsError("\(settings[key]?.place(of: key) ?? key.rawValue) \(text)")
  }

  /// nil: not set, or nothing.
  func text(_ key: HubKey) -> String? { settings[key]?.values.first.flatMap { $0.isEmpty ? nil : $0 } }

  func texts(_ key: HubKey, upTo most: Int) throws(SettingsError) -> [String] {
    let values = settings[key]?.values ?? []
    guard values.count <= most else { throw fault(key, "has \(values.count) addresses; at most \(most) are possible") }
    return values
  }

  func boolean(_ key: HubKey) throws(SettingsError) -> Bool {
    switch text(key) {
    case "true", "1", "yes": return true
    case "false", "0", "no", nil: return false
    case let other?: throw fault(key, "is \(other); it is true or false")
    }
  }

  func number(_ key: HubKey) throws(SettingsError) -> Int {
    guard case .number(let range) = key.kind else { return 0 }
    let text = text(key) ?? ""
    guard let value = Int(text), range.contains(value) else {
      throw fault(key, "is \(text); it must be \(range.lowerBound)...\(range.upperBound)")
    }
    return value
  }

  func milliseconds(_ key: HubKey) throws(SettingsError) -> Int {
    let text = text(key) ?? ""
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    let units = ["": 1_000, "ms": 1, "s": 1_000, "m": 60_000]
    guard let count = Int(digits), let unit = units[String(text.dropFirst(digits.count))],
      count <= Self.longest / unit
    else { throw fault(key, "is \(text); write seconds, or 500ms, 10s, 2m, at most an hour") }
    return count * unit
  }

  func serials(_ key: HubKey) throws(SettingsError) -> Set<UInt64> {
    var serials: Set<UInt64> = []
    for text in settings[key]?.values ?? [] {
      guard let serial = UInt64(text) else {
        throw fault(key, "\(text) is no serial; unisono hub token printed it as a number")
      }
      serials.insert(serial)
    }
    return serials
  }

  func hubs(_ key: HubKey, upTo most: Int) throws(SettingsError) -> [HubAddress] {
    var hubs: [HubAddress] = []
    for text in try texts(key, upTo: most) {
      guard let line = try? HubLine(parsing: text) else {
        throw fault(key, "\(text) is no hub's line, unisono-hub://host:port/id")
      }
      guard line.token == nil else {
        throw fault(key, "has a token behind a hub's line, which everybody would be told; take it off")
      }
      hubs.append(line.address)
    }
    return hubs
  }

  /// nil: the hub is alone, and nothing is set that is for a set.
  func hubSet() throws(SettingsError) -> HubSetSettings? {
    let servers = try texts(.nats, upTo: Self.mostServers)
    guard !servers.isEmpty else {
      for key in [HubKey.setKey, .natsCredentials, .natsAuthorities] where text(key) != nil {
        throw fault(key, "is for hubs of a set, which hear each other through --nats, which is not set")
      }
      return nil
    }
    if let sentence = HubSetSettings.missing { throw fault(.nats, sentence) }
    for server in servers {
      if let sentence = HubSetSettings.fault(ofServer: server) { throw fault(.nats, "is wrong: \(sentence)") }
    }
    let keys = settings[.setKey]?.values ?? []
    guard !keys.isEmpty else { throw fault(.nats, "is for hubs of a set, which share a secret: name its file with --set-key") }
    guard keys.count <= 2 else {
      throw fault(.setKey, "names \(keys.count) files; at most two are possible, while one takes the other's place")
    }
    return HubSetSettings(
      servers: servers, credentials: text(.natsCredentials), authorities: text(.natsAuthorities), keys: keys)
  }

  func checkAddress(_ address: String, _ key: HubKey) throws(SettingsError) {
    guard let message = HubOptions.fault(ofListeningOn: address) else { return }
    throw fault(key, "\(address): \(message)")
  }
}
