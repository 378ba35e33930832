import ArgumentParser

/// The options of a hub. Each has its name in the file and in the environment as well (`HubKey`); what is not given there is nil.
struct HubArguments: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "An address to listen on; may be repeated. Port 0: a free one. (default: every interface, port 7400)",
      valueName: "host:port"))
  var listen: [String] = []

  @Option(
    help: ArgumentHelp(
      "An address under which others reach this hub, instead of those found; may be repeated. Port 1024 and up.",
      valueName: "host:port"))
  var advertise: [String] = []

  @Option(
    help: ArgumentHelp(
      "A hub that participants are told of when this one ends, by its line; may be repeated. They go there if they know it.",
      valueName: "line"))
  var next: [String] = []

  @Option(
    help: ArgumentHelp(
      "Pages from there may use this hub through WebSocket, beside pages from the hub's own host: https://host, or * for all; may be repeated.",
      valueName: "origin"))
  var origin: [String] = []

  @Option(
    help: ArgumentHelp(
      "A proxy in front of this hub, whose X-Forwarded-For is believed; may be repeated.", valueName: "address"))
  var proxy: [String] = []

  @Option(
    help: ArgumentHelp(
      "Serves the page for browsers at this port, over plain HTTP: the folder that `make web` makes; installed: the one beside this command. (default: no page)",
      valueName: "folder"),
    completion: .directory)
  var web: String?

  @Option(
    help: ArgumentHelp(
      "Serves the films of this folder at /media/NAME to whoever knows their names; needs --web. (default: none)", valueName: "folder"),
    completion: .directory)
  var media: String?

  @Option(
    help: ArgumentHelp(
      "Keeps the hub's key, so that its id stays the same; made if it is not there. (default: a new key every time)",
      valueName: "file"))
  var key: String?

  @Option(
    help: ArgumentHelp(
      "A set's word that this hub is one of its, as \"unisono hub certify\" prints it: sessions may know the hub by the set's id. (default: none)",
      valueName: "file"))
  var certificate: String?

  @Flag(inversion: .prefixedNo, help: "Anybody may open rooms, also strangers from the internet.")
  var open: Bool?

  @Option(
    help: ArgumentHelp(
      "Keeps the secret that tokens are made from; made if it is not there. (default: strangers open no rooms)",
      valueName: "file"))
  var secret: String?

  @Option(help: ArgumentHelp("A token of this serial is good no more; may be repeated.", valueName: "serial"))
  var revoke: [String] = []

  @Option(help: "Participants in one room, 1...100000. (default: 256)")
  var participantsPerRoom: Int?

  @Option(help: "Rooms at a time. (default: 1024)")
  var rooms: Int?

  @Option(help: "Connections at a time. (default: 4096)")
  var connections: Int?

  @Option(help: "Connections of one address (IPv6: of one /64) at a time. (default: 64)")
  var connectionsPerAddress: Int?

  @Option(help: "Listeners of audiences at a time, beside the connections. (default: 16384)")
  var listeners: Int?

  @Option(help: "Listeners of one address (IPv6: of one /64) at a time. (default: 256)")
  var listenersPerAddress: Int?

  @Option(help: "Bytes a second that are read from one connection. (default: 262144)")
  var bytesPerSecond: Int?

  @Option(help: "Bytes a second that the members of one room are sent, together. (default: 33554432)")
  var roomBytesPerSecond: Int?

  @Option(help: "Memory for what was received and what waits to be sent, in all, MiB. (default: 320)")
  var memory: Int?

  @Option(
    help: ArgumentHelp(
      "Serves /metrics, /healthz and /readyz here; it is for its operator alone. (default: nowhere)",
      valueName: "host:port"))
  var metrics: String?

  @Option(
    help: ArgumentHelp(
      "Time that participants have to move to another hub at the end. (default: 10s)", valueName: "time"))
  var drain: String?

  @Flag(
    inversion: .prefixedNo,
    help: "Participants who ask (unisono doctor) are told whether a port of theirs is reached from here. (default: --try-back)")
  var tryBack: Bool?

  @Option(help: "Least important lines to log: trace, debug, info, notice, warning, error, critical. (default: info)")
  var logLevel: String?

  @Option(help: "Lines of the log: text, or json, one object a line. (default: text)")
  var logFormat: String?

  @Option(
    help: ArgumentHelp(
      "A NATS server through which the hubs of a set hear each other, nats:// or tls://; may be repeated. (default: a hub of its own)",
      valueName: "url"))
  var nats: [String] = []

  @Option(help: ArgumentHelp("The user that NATS lets in, as nsc writes it. (default: what the url says)", valueName: "file"))
  var natsCredentials: String?

  @Option(
    name: .customLong("nats-ca"),
    help: ArgumentHelp("Authorities of NATS's certificate, PEM. (default: the system's)", valueName: "file"))
  var natsAuthorities: String?

  @Option(
    help: ArgumentHelp(
      "The secret that all hubs of a set share, 32 bytes; twice while it is being changed, the one to use first.", valueName: "file"))
  var setKey: [String] = []

  /// What was given.
  var layer: HubSources.Layer {
    var layer: HubSources.Layer = [:]
    func add(_ key: HubKey, _ values: [String]) {
      if !values.isEmpty { layer[key] = HubSetting(values: values, origin: .option) }
    }
    func add(_ key: HubKey, _ value: (some CustomStringConvertible)?) {
      if let value { layer[key] = HubSetting(values: [value.description], origin: .option) }
    }
    add(.listen, listen)
    add(.advertise, advertise)
    add(.next, next)
    add(.origin, origin)
    add(.proxy, proxy)
    add(.web, web)
    add(.media, media)
    add(.key, key)
    add(.certificate, certificate)
    add(.open, open)
    add(.secret, secret)
    add(.revoke, revoke)
    add(.participantsPerRoom, participantsPerRoom)
    add(.rooms, rooms)
    add(.connections, connections)
    add(.connectionsPerAddress, connectionsPerAddress)
    add(.listeners, listeners)
    add(.listenersPerAddress, listenersPerAddress)
    add(.bytesPerSecond, bytesPerSecond)
    add(.roomBytesPerSecond, roomBytesPerSecond)
    add(.memory, memory)
    add(.metrics, metrics)
    add(.drain, drain)
    add(.tryBack, tryBack)
    add(.logLevel, logLevel)
    add(.logFormat, logFormat)
    add(.nats, nats)
    add(.natsCredentials, natsCredentials)
    add(.natsAuthorities, natsAuthorities)
    add(.setKey, setKey)
    return layer
  }
}
