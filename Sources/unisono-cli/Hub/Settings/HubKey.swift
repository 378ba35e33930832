/// One setting of a hub. Its name is that of the option and of the key in the file; the variable is the same in capitals, with
/// underscores, behind UNISONO_HUB_.
enum HubKey: String, CaseIterable {
  case listen, advertise, next, origin, proxy, web, media, key, certificate, secret, revoke, open
  case participantsPerRoom = "participants-per-room"
  case rooms, connections
  case connectionsPerAddress = "connections-per-address"
  case listeners
  case listenersPerAddress = "listeners-per-address"
  case bytesPerSecond = "bytes-per-second"
  case roomBytesPerSecond = "room-bytes-per-second"
  case memory, metrics, drain
  case tryBack = "try-back"
  case logLevel = "log-level"
  case logFormat = "log-format"
  case nats
  case natsCredentials = "nats-credentials"
  case natsAuthorities = "nats-ca"
  case setKey = "set-key"

  enum Kind {
    case text
    case texts
    case boolean
    case number(ClosedRange<Int>)
    /// Seconds, or with a unit: 500ms, 10s, 2m.
    case duration
  }

  static let prefix = "UNISONO_HUB_"

  /// The variable of the environment.
  var variable: String { Self.prefix + rawValue.uppercased().map { $0 == "-" ? "_" : String($0) }.joined() }

  var kind: Kind {
    switch self {
    case .listen, .advertise, .next, .origin, .proxy, .revoke, .nats, .setKey: .texts
    case .web, .media, .key, .certificate, .secret, .metrics, .logLevel, .logFormat, .natsCredentials, .natsAuthorities: .text
    case .open, .tryBack: .boolean
    case .participantsPerRoom: .number(1...100_000)
    case .rooms, .connections, .connectionsPerAddress, .listeners, .listenersPerAddress: .number(1...1_000_000)
    case .bytesPerSecond: .number(1_024...Int(UInt32.max))
    case .roomBytesPerSecond: .number(1_024...1 << 40)
    case .memory: .number(1...1 << 20)
    case .drain: .duration
    }
  }

  /// Whether SIGHUP brings it into force; the others wait for the next start.
  var isReloaded: Bool {
    switch self {
    case .listen, .origin, .proxy, .web, .media, .key, .metrics, .logFormat, .tryBack: false
    case .nats, .natsCredentials, .natsAuthorities, .setKey: false
    default: true
    }
  }

  /// The name most like `name`, where one is much like it.
  static func resembling(_ name: String) -> HubKey? {
    let wanted = Array(name.utf8.prefix(64))
    let near = allCases.map { (key: $0, distance: distance(Array($0.rawValue.utf8), wanted)) }
      .min { $0.distance < $1.distance }
    return near.flatMap { $0.distance <= 2 + wanted.count / 6 ? $0.key : nil }
  }

  /// Bytes to insert, remove or replace to make one of the other.
  private static func distance(_ one: [UInt8], _ other: [UInt8]) -> Int {
    var row = Array(0...other.count)
    for (index, byte) in one.enumerated() {
      var corner = row[0]
      row[0] = index + 1
      for place in other.indices {
        let above = row[place + 1]
        row[place + 1] = min(corner + (other[place] == byte ? 0 : 1), above + 1, row[place] + 1)
        corner = above
      }
    }
    return row[other.count]
  }
}
