import UnisonoBase
import UnisonoCrypto
import UnisonoReplica
import UnisonoWire

/// Where a session begins: whose group it is, how its door opens and where its hubs are, with the hub in this process where one is
/// asked for.
struct SessionStart {
  let origin: Origin
  /// What the door's key is made of.
  let doorSecret: Secret
  /// Where the group may be found.
  let hubs: [HubAddress]
  /// Passes of those that ask for one, by their ids.
  private(set) var passes: [[UInt8]: [UInt8]] = [:]
  /// The hub in this process, and what its key is made of; nil: there is none.
  private(set) var server: HubServer?
  private(set) var hubSeed: Secret?
  /// What a new group does first.
  private(set) var activity: Activity?
  private(set) var isCreator = false

  init(
    _ setup: SessionSetup.Origin, by local: ParticipantID, environment: any Environment, deliver: @escaping (SessionEvent) -> Void
  ) throws(NetworkError) {
    switch setup {
    case .host(let named, let options, let controlPolicy, let activity):
      origin = Origin(root: local, controlPolicy: controlPolicy, joinerRole: 2)
      doorSecret = Secret(random: environment.randomBytes)
      self.activity = activity
      isCreator = true
      if let named {
        hubs = [named.address]
        passes.admit(by: named, environment)
      } else {
        let seed = Secret(random: environment.randomBytes)
        let own = try Self.hub(seed, called: "hub", options, environment, deliver)
        (server, hubSeed) = (own, seed)
        hubs = SessionHubs.reachable(own)
      }
    case .continued(let past, let invite, let named, let options):
      origin = past.origin
      doorSecret = invite?.door ?? past.door
      hubSeed = past.hub
      passes = past.text.passes
      for (hub, pass) in invite?.passes ?? [:] { passes[hub] = pass }
      let ways = (invite?.hubs ?? []) + (named.map { [$0.address] } ?? [])
      if let named {
        passes.admit(by: named, environment)
      } else if invite == nil {
        server = try Self.hub(past.hub, called: "hub", options, environment, deliver)
      }
      hubs = Array((ways + past.text.hubs.filter { !ways.contains($0) }).prefix(Invite.maximumHubs))
    case .invited(let invite):
      origin = invite.origin
      doorSecret = invite.door
      hubs = invite.hubs
      passes = invite.passes
    }
  }

  /// A hub in this process, whose key is made of `seed`; its log is the session's.
  static func hub(
    _ seed: Secret, called name: String, _ options: HubOptions, _ environment: any Environment,
    _ deliver: @escaping (SessionEvent) -> Void
  ) throws(NetworkError) -> HubServer {
    try HubServer(environment: environment, options: options, identity: SigningKey(seed: seed)) { line in
      deliver(.log(line.level.logLevel, "\(name): \(line.text)"))
    }
  }
}

extension [[UInt8]: [UInt8]] {
  /// The pass of a hub whose token its line has.
  fileprivate mutating func admit(by named: HubLine, _ environment: any Environment) {
    guard let token = named.token else { return }
    self[named.address.hub] = token.pass(hub: named.address.hub, group: environment.randomBytes(HubPass.groupLength))
  }
}
