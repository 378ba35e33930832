import UnisonoCore
import UnisonoCrypto

/// One session object: hub client, secure room, clock and coordination, joined together.
///
/// Loop thread only. Everything that decides lies in the pure parts; this class carries their effects to and fro. Its
/// owner calls `settle` once per loop turn and gets events through `deliver`.
public final class SessionEngine {
  public let identity: Identity
  public private(set) var state = SessionState()
  public private(set) var statistics = SessionStatistics()
  /// The hub in this process, where there is one.
  public let hub: HubServer?

  private let environment: any Environment
  private let deliver: (SessionEvent) -> Void
  private let origin: Origin
  private let doorSecret: Secret
  private let invitedHubs: [HubAddress]
  private var room: SecureRoom
  private var clock: SessionClock
  private var sleep: SleepDetector
  private var coordination: Coordination
  private var client: HubClient?
  private var timer: (any LoopTimer)?
  /// What the timer is armed for.
  private var armed: HostTime?
  private var wasConnected = false
  private var asksToJoin = false
  private var lastHub: [UInt8]?

  /// Binds the hub in this process, where one is asked for, and begins to connect at once: an activity is known, and a
  /// newcomer welcomed, before `join`.
  public init(environment: any Environment, setup: SessionSetup, deliver: @escaping (SessionEvent) -> Void)
    throws(NetworkError)
  {
    self.environment = environment
    self.deliver = deliver
    let random = environment.randomBytes
    let identity = Identity(random: random)
    self.identity = identity

    var activity: Activity?
    var isCreator = false
    switch setup.origin {
    case .host(let named, let hubOptions, let controlPolicy, let firstActivity):
      isCreator = true
      activity = firstActivity
      origin = Origin(root: identity.id, controlPolicy: controlPolicy, joinerRole: 2)
      doorSecret = Secret(random: random)
      if let named {
        hub = nil
        invitedHubs = [named]
      } else {
        let server = try HubServer(environment: environment, options: hubOptions) { line in
          deliver(.log(line.level.logLevel, "hub: \(line.text)"))
        }
        hub = server
        invitedHubs = server.addresses.map { HubAddress(address: $0, hub: server.hubID) }
      }
    case .invited(let invite):
      origin = invite.origin
      doorSecret = invite.door
      invitedHubs = invite.hubs
      hub = nil
    }

    let door = Door(session: origin.session, secret: doorSecret)
    hub?.onlyTopics = [door.topic]
    room = SecureRoom(door: door, identity: identity, isCreator: isCreator, policy: PolicyStack.origin, random: random)
    clock = SessionClock(own: hub.map { ($0.clockID, $0.clock) })
    sleep = SleepDetector(total: environment.timeAsleep)
    coordination = Coordination(
      Coordination.Configuration(
        local: identity.id, incarnation: random(8).reduce(0) { $0 << 8 | UInt64($1) }, displayName: setup.displayName,
        deviceName: setup.deviceName, seed: setup.seed, firstCommand: setup.firstCommand, isCreator: isCreator,
        policy: PolicyStack.origin, participates: false, hash: Hash.sha256))

    timer = environment.makeTimer { [weak self] in self?.tick() }
    // The own hub is reached through the loopback, whatever address it tells others.
    let addresses = hub.map { [HubAddress(address: $0.ownAddress, hub: $0.hubID)] } ?? invitedHubs
    client = HubClient(
      environment: environment, addresses: addresses, door: door, identity: identity, events: linkEvents())
    state.connection = .connecting
    if let activity { handle(.setActivity(activity)) }
  }

  /// The invitation text.
  public func invite() throws(InviteError) -> String {
    try Invite(origin: origin, door: doorSecret, hubs: Array(invitedHubs.prefix(Invite.maximumHubs))).text
  }

  public var view: CoordinationView { coordination.view }
  /// Group time against host time; nil: not known yet.
  public var groupClock: ClockModel? { coordination.groupClock }
  public var clockStatus: SessionClock.Status { clock.status }
  public var queuedBytes: Int { client?.queuedBytes ?? 0 }

  // MARK: What the owner asks for

  /// Becomes a participant; JOINED once all registers came.
  public func join() {
    guard state.status == .waiting, !asksToJoin else { return }
    asksToJoin = true
    handle(.participate)
  }

  public func leave() {
    guard state.status != .invalidated else { return }
    handle(.leave)
    settle()
    invalidate(.left, "left")
  }

  /// Ends the session for everybody.
  public func end() {
    guard state.status != .invalidated else { return }
    handle(.end)
    settle()
    invalidate(.ended, "ended for everybody by this participant")
  }

  /// Ends without events: the session object goes, and with it the hub in this process, which served the others until now.
  public func close() {
    if state.status != .invalidated {
      carryOut(coordination.handle(.leave, now: environment.now) + coordination.settle(now: environment.now))
      state.status = .invalidated
    }
    shutDown()
    hub?.close()
  }

  public func handle(_ event: CoordinationEvent) {
    guard state.status != .invalidated else { return }
    carryOut(coordination.handle(event, now: environment.now))
  }

  /// Ends a loop turn: decides, commands, tells; arms the timer for what comes next.
  public func settle() {
    guard state.status != .invalidated else { return }
    noticeSleep()
    carryOut(coordination.settle(now: environment.now))
    arm()
  }

  // MARK: The link

  private func linkEvents() -> HubClientEvents {
    HubClientEvents(
      entered: { [weak self] in self?.entered($0) },
      presence: { [weak self] in self?.presence(joined: $0, gone: $1) },
      delivered: { [weak self] in self?.delivered($0) },
      probed: { [weak self] in self?.probed($0) },
      lost: { [weak self] in self?.lost($0, retry: $1) })
  }

  private func entered(_ seat: HubSeat) {
    if wasConnected { statistics.reconnects += 1 }
    if let lastHub, lastHub != seat.hubID { statistics.hubChanges += 1 }
    lastHub = seat.hubID
    wasConnected = true
    let others = seat.members.filter { $0.id != identity.id }
    clock.enter(seat.clockID, hasDatagrams: seat.udpPort != 0, now: environment.now)
    carryOut(coordination.handle(.linkUp(members: others, clock: seat.clockID), now: environment.now))
    carryOut(room.entered(members: others, now: environment.now))
    tellClock()
    set(connection: .connected, reason: .none, message: "connected to \(seat.address)")
  }

  private func presence(joined: [Member], gone: [Departure]) {
    carryOut(room.presence(joined: joined, gone: gone, now: environment.now))
    handle(.presence(joined: joined, gone: gone))
  }

  private func delivered(_ envelope: [UInt8]) {
    statistics.messagesReceived += 1
    statistics.bytesReceived += UInt64(envelope.count)
    carryOut(room.received(envelope, now: environment.now))
  }

  private func lost(_ end: HubLinkEnd, retry: HostTime?) {
    if state.connection == .connected {
      room.linkDown(now: environment.now)
      clock.linkDown()
      handle(.linkDown)
    }
    guard retry == nil else {
      return set(
        connection: wasConnected ? .reconnecting : .connecting, reason: SessionReason(end), message: end.reason)
    }
    invalidate(SessionReason(end), end.reason)
  }

  private func probed(_ sample: ProbeSample) {
    // Asked before this machine slept: its times do not belong together.
    if noticeSleep() { return }
    statistics.probesReceived += 1
    statistics.lastRoundTrip = sample.roundTrip
    clock.add(sample, now: environment.now, mayStep: coordination.view.timing.status != .playing)
    tellClock()
  }

  private func tellClock() {
    statistics.roundTrip = clock.roundTrip
    handle(.clock(clock.model(now: environment.now).model, roundTrip: clock.usualRoundTrip))
  }

  // MARK: Time

  /// After sleep the clock is measured anew before anything is corrected by it; true: this machine slept.
  @discardableResult
  private func noticeSleep() -> Bool {
    guard let length = sleep.slept(total: environment.timeAsleep) else { return false }
    let seconds = length / .seconds(1)
    deliver(.log(.info, "this machine slept for \(seconds) s: the session's clock is measured anew"))
    hub?.noticeSleep()
    client?.forgetProbes()
    clock.slept(own: hub.map { ($0.clockID, $0.clock) }, now: environment.now)
    carryOut(coordination.handle(.slept, now: environment.now))
    return true
  }

  private func tick() {
    armed = nil
    guard state.status != .invalidated else { return }
    noticeSleep()
    let now = environment.now
    carryOut(room.tick(now: now))
    handle(.tick)
    let ways = clock.takeProbe(now: now)
    if !ways.isEmpty {
      statistics.probesSent += 1
      client?.probe(ways)
    }
    if clock.model(now: now).changed { tellClock() }
  }

  private func arm() {
    let wakes = [coordination.nextWake, room.nextWake, clock.nextWake(now: environment.now)].compactMap { $0 }
    let wake = wakes.min()
    // Most turns change nothing of it.
    guard wake != armed else { return }
    armed = wake
    timer?.arm(at: wake)
  }

  // MARK: Effects

  private func carryOut(_ effects: [RoomEffect]) {
    for effect in effects {
      switch effect {
      case .transmit(let envelope, let to):
        guard client?.send(envelope, to: to) == true else { continue }
        statistics.messagesSent += 1
        statistics.bytesSent += UInt64(envelope.count)
      case .secured: handle(.secured)
      case .deliver(let message, let sender): handle(.message(message, from: sender))
      case .other: continue
      case .refused(let sender, let reason):
        statistics.messagesRefused += 1
        deliver(.log(.debug, "a message of participant \(sender) was refused: \(reason.rawValue)"))
      case .log(let level, let text): deliver(.log(level, text))
      }
    }
  }

  private func carryOut(_ effects: [CoordinationEffect]) {
    for effect in effects {
      switch effect {
      case .send(let message, let to): carryOut(room.send(message, to: to, now: environment.now))
      case .joined:
        state.status = .joined
        deliver(.state(state))
      case .invalidated(.ended(let author)):
        if state.status != .invalidated, author != identity.id {
          invalidate(.ended, "ended for everybody by \(name(of: author))")
        }
      case .invalidated(.duplicateKey):
        invalidate(
          .duplicateKey, "another process uses this session's keys: two sessions were made from one memory image")
      case .log(let level, let text): deliver(.log(level, text))
      case .command, .timingChanged, .suspensionsChanged, .participantsChanged, .activityChanged, .refused:
        deliver(.effect(effect))
      }
    }
  }

  private func name(of id: ParticipantID) -> String {
    let name = coordination.view.participants.first { $0.id == id }?.displayName ?? ""
    return name.isEmpty ? id.description : name
  }

  private func set(connection: SessionConnection, reason: SessionReason, message: String) {
    guard state.status != .invalidated, state.connection != connection || state.reason != reason else { return }
    state.connection = connection
    state.reason = reason
    state.message = message
    deliver(.state(state))
  }

  private func invalidate(_ reason: SessionReason, _ message: String) {
    guard state.status != .invalidated else { return }
    state = SessionState(status: .invalidated, connection: .none, reason: reason, message: message)
    shutDown()
    deliver(.state(state))
  }

  private func shutDown() {
    client?.leave()
    client = nil
    timer?.close()
    timer = nil
  }
}
