import Testing
import UnisonoBase
import UnisonoCoordination
import UnisonoReplica

@testable import UnisonoCrypto
@testable import UnisonoRuntime

/// Sessions on a virtual network, with hosts that do what they are told.
final class SessionWorld {
  let network: VirtualNetwork
  private(set) var players: [SessionPlayer] = []
  static let activity = Activity(type: 1, identifier: "org.example.film", title: "Film")

  /// Of the sessions that are made from now on.
  var keepsStandbyHubs = true
  var person: [UInt8]?
  var roleWish: Role?
  /// Who stands in for the hosts of the sessions.
  var succession = SuccessionTerms()
  /// What calendars show where sessions are made from now on.
  var calendarTime: Int64 = 0
  private var listeners: [any StreamListener] = []

  convenience init(seed: UInt64 = 1) { self.init(on: VirtualNetwork(seed: seed)) }

  init(on network: VirtualNetwork) { self.network = network }

  /// Creates a session with a hub in the same process.
  func host(
    on machine: VirtualEnvironment? = nil, named name: String = "Ann", activity: Activity? = SessionWorld.activity,
    hub: HubAddress? = nil
  ) throws -> SessionPlayer {
    try add(
      machine ?? network.machine(clockOffset: .seconds(7_000), clockDrift: -20e-6), name,
      .host(hub: hub.map { HubLine(address: $0) }, hubOptions: HubOptions(), controlPolicy: 0, activity: activity))
  }

  /// Opens an invite on a machine whose clock is another, at the end of a path of 20 ms with jitter.
  func guest(
    of host: SessionPlayer, named name: String = "Ben", path: VirtualPath? = nil,
    change: (inout Invite) -> Void = { _ in }
  ) throws -> SessionPlayer {
    let number = Int64(players.count)
    let machine = network.machine(clockOffset: .seconds(100 * number), clockDrift: 15e-6 * Double(number))
    network.setPath(
      host.machine, machine, path ?? VirtualPath(delay: .milliseconds(20), jitter: .milliseconds(3), loss: 0.01))
    var invite = try Invite(parsing: host.engine.invite())
    change(&invite)
    return try add(machine, name, .invited(invite))
  }

  /// Goes on from what a player had, on a machine of its own, at a calendar time.
  func goOn(
    from past: Continuation, named name: String, on machine: VirtualEnvironment? = nil, at calendarTime: Int64, invite: Invite? = nil,
    hub: HubAddress? = nil
  ) throws -> SessionPlayer {
    let number = Int64(players.count)
    self.calendarTime = calendarTime
    let player = try add(
      machine ?? network.machine(clockOffset: .seconds(100 * number), clockDrift: 15e-6 * Double(number % 4)), name,
      .continued(past, invite: invite, hub: hub.map { HubLine(address: $0) }, hubOptions: HubOptions()))
    player.do { $0.join() }
    return player
  }

  func add(_ machine: VirtualEnvironment, _ name: String, _ origin: SessionSetup.Origin) throws -> SessionPlayer {
    let player = try SessionPlayer(
      on: machine,
      SessionSetup(
        origin: origin, displayName: name, deviceName: "\(name)'s device", firstCommand: 1,
        seed: UInt64(players.count + 1), person: person, keepsStandbyHub: keepsStandbyHubs, roleWish: roleWish,
        succession: succession, calendarTime: calendarTime))
    players.append(player)
    return player
  }

  /// A host and guests, all joined and with a clock.
  func joined(
    _ count: Int = 2, path: VirtualPath? = nil, hub: HubAddress? = nil, keepingStandbyHubs: Bool = true
  ) throws -> [SessionPlayer] {
    keepsStandbyHubs = keepingStandbyHubs
    let host = try host(hub: hub)
    var all = [host]
    for number in 1..<count { all.append(try guest(of: host, named: "Ben\(number)", path: path)) }
    for player in all { player.do { $0.join() } }
    _ = network.run(atMost: .seconds(5)) {
      all.allSatisfy { $0.isJoined && $0.engine.groupClock != nil && $0.people.count == count }
    }
    network.run(for: .seconds(1))
    return all
  }

  /// A host and guests that play one item, started by the first.
  func playing(
    _ count: Int = 2, path: VirtualPath? = nil, hub: HubAddress? = nil, keepingStandbyHubs: Bool = true
  ) throws -> [SessionPlayer] {
    let all = try joined(count, path: path, hub: hub, keepingStandbyHubs: keepingStandbyHubs)
    for player in all { player.do { $0.handle(.transition(to: "film", proposal: nil)) } }
    network.run(for: .seconds(2))
    all[0].do { $0.handle(.rateChange(rate: 1, immediately: false)) }
    _ = network.run(atMost: .seconds(5)) { all.allSatisfy { $0.line != nil } }
    network.run(for: .seconds(1))
    return all
  }

  /// Nothing passes between the two sides, until `mend`.
  func split(_ left: [SessionPlayer], _ right: [SessionPlayer]) {
    for one in left {
      for other in right {
        network.cut(one.machine, other.machine)
        network.breakStreams(one.machine, other.machine)
      }
    }
  }

  func mend(_ left: [SessionPlayer], _ right: [SessionPlayer]) {
    for one in left { for other in right { network.heal(one.machine, other.machine) } }
  }

  /// Whose hub a player is at.
  func holder(of player: SessionPlayer) -> SessionPlayer? {
    players.first { $0.engine.hub?.hubID == player.engine.lastHub }
  }

  /// A member lets in so many invented ones, by records one after the other.
  func admit(invented count: Int, by player: SessionPlayer, pause: Nanoseconds) -> [ParticipantID] {
    let machine = player.machine
    let all = (0..<count).map { _ in
      Introduction(Identity { machine.randomBytes($0) }, session: player.engine.origin.session)
    }
    for first in stride(from: 0, to: count, by: WireLimits.admitted) {
      let some = Array(all[first..<min(first + WireLimits.admitted, count)])
      player.do { engine in
        engine.perform { channel in
          for one in some { _ = channel.introduce(one, by: one.id, now: machine.now) }
          return channel.makeRecord(admitting: some, now: machine.now) ?? []
        }
      }
      network.run(for: pause)
    }
    return all.map(\.id)
  }

  func keep(_ listener: any StreamListener) { listeners.append(listener) }

  /// The greatest distance between the players' positions now, ns; nil: one does not play.
  func spread(_ players: [some PlacedPlayer]) -> Nanoseconds? {
    let positions = players.compactMap { $0.position(at: network.trueTime) }
    guard positions.count == players.count, let least = positions.min(), let greatest = positions.max() else {
      return nil
    }
    return greatest - least
  }

  /// Runs for `length`; the largest jump of anybody's position against time passing, ns. Nobody stops meanwhile.
  func largestJump(_ players: [some PlacedPlayer], during length: Nanoseconds) throws -> Nanoseconds {
    let step: Nanoseconds = .milliseconds(10)
    var largest: Nanoseconds = 0
    var last = try players.map { try #require($0.position(at: network.trueTime)) }
    for _ in 0..<(length / step) {
      network.run(for: step)
      for (index, player) in players.enumerated() {
        let position = try #require(player.position(at: network.trueTime))
        largest = max(largest, abs(position - last[index] - step))
        last[index] = position
      }
    }
    return largest
  }
}

/// Whose host is at a place of its item.
protocol PlacedPlayer {
  /// nil: it does not play.
  func position(at trueTime: Nanoseconds) -> ItemTime?
}

/// One session, its machine, and a host that prepares in 30 ms and then obeys.
final class SessionPlayer: PlacedPlayer {
  let machine: VirtualEnvironment
  let name: String
  private(set) var engine: SessionEngine!
  private(set) var states: [SessionState] = []
  private(set) var commands: [PlaybackCommand] = []
  private(set) var activities: [Activity?] = []
  private(set) var changes: [ParticipantsChange] = []
  private(set) var refusals: [(operation: Operation, message: String)] = []
  private(set) var logs: [String] = []
  /// Lines of the session's life, which are at INFO.
  private(set) var life: [String] = []
  private(set) var inviteChanges = 0
  private(set) var messages: [(bytes: [UInt8], sender: ParticipantID, isReliable: Bool)] = []
  private(set) var notices: [(notice: NoticeMessage, id: ParticipantID)] = []
  /// Of coordinators beside the first one.
  private(set) var namedNotices: [(kind: UInt8, coordinator: String)] = []
  private(set) var personNotices: [PersonNotice] = []
  private(set) var foregroundRequests: [ParticipantID] = []
  private(set) var speaking: [(ParticipantID, Bool)] = []
  private(set) var ignored: [Ignored] = []
  private(set) var clockDoubts: [ClockDoubtNews] = []
  private(set) var splits: [SplitNews] = []
  private(set) var hubDoubts: [HubDoubtNews] = []
  private(set) var chat: [ChatNews] = []
  private(set) var playlistChanges: [PlaylistChange] = []
  private(set) var copies: [CopyNews] = []
  private(set) var attachments: [AttachmentNews] = []
  private(set) var audience: [AudienceNews] = []
  /// What listeners of its audience said.
  private(set) var heard: [ListenerNews] = []
  private var lastNumber: UInt64 = 0
  private(set) var writables = 0
  private(set) var requests: [CommandRequestNews] = []
  private(set) var requestRefusals: [(operation: Operation, refusal: CommandRequests.Refusal)] = []
  private(set) var successions: [SuccessionChange] = []
  private(set) var isAlive = true
  var latency: Nanoseconds = .milliseconds(30)

  init(on machine: VirtualEnvironment, _ setup: SessionSetup) throws {
    self.machine = machine
    name = setup.displayName
    engine = try SessionEngine(environment: machine, setup: setup) { [unowned self] event in take(event) }
    machine.onEndOfTurn { [unowned self] in engine.settle() }
    machine.submit {}
  }

  private func take(_ event: SessionEvent) {
    switch event {
    case .state(let state): states.append(state)
    case .inviteChanged: inviteChanges += 1
    case .message(let bytes, _, _, let sender, let isReliable): messages.append((bytes, sender, isReliable))
    case .writable: writables += 1
    case .notice(let notice, let id, nil): notices.append((notice, id))
    case .notice(let notice, _, let coordinator?): namedNotices.append((notice.kind, coordinator.description))
    case .person(let news): personNotices.append(news)
    case .foregroundRequested(let id): foregroundRequests.append(id)
    case .speaking(let id, let speaks): speaking.append((id, speaks))
    case .request(let news): requests.append(news)
    case .requestRefused(let refusal, let operation): requestRefusals.append((operation, refusal))
    case .succession(let change): successions.append(change)
    case .ignored(let one): ignored.append(one)
    case .clockDoubt(let doubt): clockDoubts.append(doubt)
    case .split(let news): splits.append(news)
    case .hubDoubt(let news): hubDoubts.append(news)
    case .chat(let news): chat.append(news)
    case .playlist(let change): playlistChanges.append(change)
    case .copy(let news): copies.append(news)
    case .listener(let news): heard.append(news)
    case .audience(let news): audience.append(news)
    case .schedule: break
    case .attachment(let news): attachments.append(news)
    case .log(let level, let text):
      logs.append(text)
      if level == .info, text.hasPrefix("session: ") { life.append(String(text.dropFirst(9))) }
    case .playback(.command(let command)):
      commands.append(command)
      guard command.kind != .play else { return }
      machine.network.schedule(at: machine.network.trueTime + latency, on: machine) { [weak self] in
        self?.engine.handle(.completed(command: command.id))
      }
    case .activity(let activity, _): activities.append(activity)
    case .participants(let change): changes.append(change)
    case .refused(let operation, _, let message), .playback(.refused(let operation, _, let message)):
      refusals.append((operation, message))
    case .playback: break
    }
  }

  /// Calls the engine in a turn of its machine.
  func `do`(_ call: (SessionEngine) -> Void) { machine.turn { call(engine) } }

  /// Says something in the chat.
  func say(_ text: String) {
    lastNumber += 1
    self.do { $0.say(text, number: lastNumber) }
  }

  func forgetCommands() { commands = [] }
  func forgetStates() { states = [] }
  func forgetChanges() { changes = [] }

  /// SIGKILL.
  func kill() {
    machine.kill()
    isAlive = false
  }

  var id: ParticipantID { engine.identity.id }
  var isJoined: Bool { engine.state.status == .joined }
  /// Names of all whom it shows as connected, itself included.
  var people: [String] {
    engine.view.participants.filter { $0.connection == .connected }.map(\.displayName).sorted()
  }

  /// The line that its host plays by its last command, host time; nil: it does not play.
  var line: Line? {
    guard let last = commands.last, last.kind == .play, let since = last.hostTime else { return nil }
    return Line(at: last.itemTime, rate: last.rate, since: since)
  }

  /// Where its host is at a true time.
  func position(at trueTime: Int64) -> ItemTime? { line?.position(at: machine.hostTime(at: trueTime)) }

  /// Group time at a true time, by its own clock.
  func groupTime(at trueTime: Int64) -> GroupTime? {
    engine.groupClock?.remote(at: machine.hostTime(at: trueTime))
  }
}
