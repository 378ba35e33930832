import UnisonoBase
import UnisonoCoordination
import UnisonoReplica

@testable import UnisonoCrypto
@testable import UnisonoRuntime

/// One who listens, its machine, and a host that prepares in 30 ms and then obeys; it turns to the item that the publisher is at.
final class ListeningPlayer: PlacedPlayer {
  let machine: VirtualEnvironment
  private(set) var listener: AudienceListener!
  private(set) var commands: [PlaybackCommand] = []
  private(set) var news: [AudienceListener.News] = []
  private(set) var activities: [Activity?] = []
  private(set) var refusals: [(operation: Operation, status: CoordinationStatus)] = []
  private(set) var logs: [String] = []
  private(set) var invites: [String] = []
  /// It becomes ready when it is told to prepare.
  var prepares = true
  /// It turns to what the publisher is at.
  var follows = true
  private var item: ItemID?

  init(on machine: VirtualEnvironment, _ link: AudienceLink) {
    self.machine = machine
    let setup = AudienceListener.Setup(link: link, displayName: "Lis", deviceName: "device", seed: 7, firstCommand: 1)
    listener = AudienceListener(environment: machine, setup: setup) { [unowned self] in take($0) }
    machine.onEndOfTurn { [unowned self] in
      if follows, let new = news.last?.item, new != item {
        item = new
        listener.handle(.transition(to: new, proposal: Proposal(rate: 1, itemTime: .seconds(7))))
      }
      listener.settle()
    }
    machine.submit {}
  }

  private func take(_ event: AudienceListener.Event) {
    switch event {
    case .news(let one): news.append(one)
    case .activity(let activity): activities.append(activity)
    case .invited(let text): invites.append(text)
    case .log(_, let text): logs.append(text)
    case .playback(.refused(let operation, let status, _)): refusals.append((operation, status))
    case .playback(.command(let command)):
      commands.append(command)
      guard command.kind != .play, prepares || command.kind == .pause else { return }
      machine.network.schedule(at: machine.network.trueTime + .milliseconds(30), on: machine) { [weak self] in
        self?.listener.handle(.completed(command: command.id))
      }
    case .playback, .participants: break
    }
  }

  func `do`(_ call: (AudienceListener) -> Void) { machine.turn { call(listener) } }

  var status: AudienceListener.Status { listener.news.status }

  var line: Line? {
    guard let last = commands.last, last.kind == .play, let since = last.hostTime else { return nil }
    return Line(at: last.itemTime, rate: last.rate, since: since)
  }

  func position(at trueTime: Int64) -> ItemTime? { line?.position(at: machine.hostTime(at: trueTime)) }
}

/// A session of hosts only at a hub that stands alone, with an audience.
final class AudienceWorld {
  let world: SessionWorld
  let hubMachine: VirtualEnvironment
  let hub: HubServer
  private(set) var all: [SessionPlayer] = []
  private(set) var listeners: [ListeningPlayer] = []
  /// By which all are at the hub; nil: by none.
  private(set) var crooked: CrookedHub?
  var network: VirtualNetwork { world.network }
  var host: SessionPlayer { all[0] }
  var member: SessionPlayer { all[1] }

  /// Some who play "film", of whom the first are hosts, and the first has opened an audience.
  init(seed: UInt64, players: Int = 2, hosts: Int = 1, terms: AudienceTerms = AudienceTerms(), isCrooked: Bool = false) throws {
    world = SessionWorld(seed: seed)
    hubMachine = world.network.machine()
    hub = try HubServer(environment: hubMachine, options: HubOptions(listen: ["0.0.0.0:7400"]))
    if isCrooked { crooked = try CrookedHub(before: hub, at: "\(hubMachine.host):7400", on: world.network.machine()) }
    let address = crooked?.address ?? hub.address(on: hubMachine)
    all = try world.playing(players, path: .lan, hub: address, keepingStandbyHubs: false)
    host.do { engine in
      engine.setControl(.hostsOnly)
      for other in all.dropFirst().prefix(hosts - 1) { engine.setRole(of: other.id, to: .host) }
    }
    network.run(for: .seconds(1))
    host.do { try? $0.openAudience(terms) }
  }

  /// Another one who listens, at the end of a path of 20 ms with jitter and a clock that is elsewhere.
  func listen(path: VirtualPath? = nil, change: (AudienceLink) throws -> AudienceLink = { $0 }) throws -> ListeningPlayer {
    let number = Int64(listeners.count + 1)
    let machine = network.machine(clockOffset: .seconds(3_000 * number), clockDrift: 11e-6 * Double((number - 1) % 9 + 1))
    network.setPath(hubMachine, machine, path ?? VirtualPath(delay: .milliseconds(20), jitter: .milliseconds(3), loss: 0.01))
    let link = try change(AudienceLink(parsing: all.compactMap { $0.isAlive ? $0.engine.audienceLink : nil }.first ?? ""))
    let player = ListeningPlayer(on: machine, link)
    listeners.append(player)
    return player
  }

  /// Another one who listens by way of this hub.
  func listen(by crooked: CrookedHub) throws -> ListeningPlayer {
    try listen { try AudienceLink(origin: $0.origin, secret: $0.secret, topic: $0.topic, hubs: [crooked.address]) }
  }

  func crookedHub() throws -> CrookedHub {
    try CrookedHub(before: hub, at: "\(hubMachine.host):7400", on: network.machine())
  }

  /// The greatest distance between all who play now, ns; nil: one does not. `player`: nil: the one who opened the audience.
  func spread(_ some: [ListeningPlayer], with player: SessionPlayer? = nil) -> Nanoseconds? {
    let places: [any PlacedPlayer] = some + [player ?? host]
    let positions = places.compactMap { $0.position(at: network.trueTime) }
    guard positions.count == places.count, let least = positions.min(), let most = positions.max() else { return nil }
    return most - least
  }
}
