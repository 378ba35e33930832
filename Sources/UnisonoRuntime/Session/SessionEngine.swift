import UnisonoCore
import UnisonoCrypto

/// One session object: hub client, secure room, clock and coordination, joined together.
///
/// Loop thread only. Everything that decides lies in the pure parts; this class carries their effects to and fro. Its
/// owner calls `settle` once per loop turn and gets events through `deliver`.
public final class SessionEngine {
  public let identity: Identity
  public private(set) var state = SessionState()
  public internal(set) var statistics = SessionStatistics()
  /// The hub in this process: of the one who made the session, or kept ready for the others.
  public internal(set) var hub: HubServer?

  let environment: any Environment
  let deliver: (SessionEvent) -> Void
  let origin: Origin
  var doorSecret: Secret
  private let keepsStandbyHub: Bool
  var room: SecureChannel
  var moves = SessionMoves()
  /// Of the link whose words count now; others are those of former rooms, or of the next.
  var linkNumber = 0
  private var links = 0
  var clock: SessionClock
  private var sleep: SleepDetector
  var coordination: Coordination
  var client: HubClient?
  var directory: HubDirectory
  /// What the invitation lists, as it was told last.
  var hubsInvited: [HubAddress]
  /// What that was derived of.
  var hubSources: HubSources?
  /// Registers came, or who is there changed: hubs and who is missing are to be looked at.
  var isDirectoryStale = false
  /// When the own hub's addresses are looked at again: they change with the network.
  var nextAddressCheck: HostTime = .min
  var door: Door { room.door }
  /// What of the application's messages may wait; asked by any thread.
  public let outgoing = OutgoingBudget()
  var messenger = Messenger()
  var inbox = MessageInbox()
  var requests: CommandRequests
  /// Content keys are there: something can be said.
  var canSpeak = false
  /// This participant speaks, and the others who do.
  public internal(set) var isSpeaking = false
  public internal(set) var speakers: Set<ParticipantID> = []
  /// Participants who can hear us.
  var greeted: Set<ParticipantID> = []
  var ignoredBy = IgnoredBy()
  let startedInBackground: Bool
  /// When others' links were lost, this one's included in theirs.
  var lostAt: [ParticipantID: HostTime] = [:]
  private var linkLost: HostTime?
  /// Who set the activity that everybody sees, and whether the session ends with it.
  var initiator: (id: ParticipantID, endsSession: Bool)?
  private var timer: (any LoopTimer)?
  /// What the timer is armed for.
  private var armed: HostTime?
  private var wasConnected = false
  private var isLinked = false
  /// A hub was entered then, and the group not met yet.
  private var unmetSince: HostTime?
  private var asksToJoin = false
  /// Of whom the log has said that they are here.
  private var namedInLog: Set<ParticipantID> = []
  /// The members say that there is no place: connected to the hub, but not to them.
  private var isTurnedAway = false
  /// As it was told last.
  private var stateTold = SessionState()
  /// Id of the hub in use, or of the last one.
  private(set) var lastHub: [UInt8]?

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

    requests = CommandRequests(local: identity.id)
    keepsStandbyHub = setup.keepsStandbyHub
    startedInBackground = setup.inBackground
    let invitedHubs: [HubAddress]
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
        invitedHubs = Self.reachable(server)
      }
    case .invited(let invite):
      origin = invite.origin
      doorSecret = invite.door
      invitedHubs = invite.hubs
      hub = nil
    }

    hubsInvited = invitedHubs
    let session = origin.session
    let door = Door(session: session, secret: doorSecret)
    directory = HubDirectory(local: identity.id, invited: invitedHubs)
    hub?.onlyTopics = [door.topic]
    room = SecureChannel(
      door: door, identity: identity, root: origin.root, isCreator: isCreator,
      person: setup.person.map { PersonKey(person: $0, session: session) }, random: random)
    clock = SessionClock(own: hub.map { ($0.clockID, $0.clock) })
    sleep = SleepDetector(total: environment.timeAsleep)
    coordination = Coordination(
      Coordination.Configuration(
        local: identity.id, incarnation: random(8).reduce(0) { $0 << 8 | UInt64($1) }, displayName: setup.displayName,
        deviceName: setup.deviceName, seed: setup.seed, firstCommand: setup.firstCommand, isCreator: isCreator,
        policy: PolicyStack.origin, origin: origin.policy, participates: false, roleWish: setup.roleWish,
        succession: isCreator ? setup.succession : nil,
        hash: Hash.sha256,
        sign: { PolicySignature.sign($0, session: session, author: identity.signing) }))

    timer = environment.makeTimer { [weak self] in self?.tick() }
    noteOwnHub()
    watchOwnHub()
    client = HubClient(
      environment: environment, candidates: directory.candidates,
      group: HubGroup(isNewcomer: !isCreator, known: directory.known), door: door, identity: identity,
      events: linkEvents(0))
    state.connection = .connecting
    stateTold = state
    log("connecting to \(directory.candidates.map(\.address.address).joined(separator: ", "))")
    if let activity { handle(.setActivity(activity)) }
  }

  public var view: CoordinationView {
    var view = coordination.view
    view.participants = view.participants.map(withPerson)
    return view
  }

  /// Who stands behind a participant, only the introductions say.
  private func withPerson(_ participant: ParticipantView) -> ParticipantView {
    var participant = participant
    participant.person = room.person(of: participant.id)
    return participant
  }
  /// Group time against host time; nil: not known yet.
  public var groupClock: ClockModel? { coordination.groupClock }
  public var clockStatus: SessionClock.Status { clock.status }
  public var queuedBytes: Int { (client?.queuedBytes ?? 0) + outgoing.bytes }

  // MARK: What the owner asks for

  /// Becomes a participant; JOINED once all registers came.
  public func join() {
    guard state.status == .waiting, !asksToJoin else { return }
    asksToJoin = true
    log("joining")
    if keepsStandbyHub { keepStandbyHub() }
    handle(.participate)
  }

  public func leave() {
    guard state.status != .invalidated else { return }
    sayGoodbye()
    settle()
    invalidate(.left, "left")
  }

  /// Ends the session for everybody.
  public func end() {
    guard state.status != .invalidated else { return }
    guard coordination.view.mayCommand else { return handle(.end) }
    handle(.end)
    settle()
    invalidate(.ended, "ended for everybody by this participant")
  }

  /// Ends without events: the session object goes, and with it the hub in this process, which served the others until now.
  public func close() {
    if state.status != .invalidated {
      sayGoodbye()
      carryOut(coordination.settle(now: environment.now))
      state.status = .invalidated
    }
    shutDown()
    hub?.close(after: identity.id)
  }

  private func sayGoodbye() {
    if let initiator, initiator.endsSession, initiator.id == identity.id { handle(.end) }
    handle(.leave)
    transmit(.bye, to: nil)
  }

  public func handle(_ event: CoordinationEvent) {
    guard state.status != .invalidated else { return }
    carryOut(coordination.handle(event, now: environment.now))
  }

  /// Ends a loop turn: decides, commands, tells; arms the timer for what comes next.
  public func settle() {
    guard state.status != .invalidated else { return }
    noticeSleep()
    reviewDirectory()
    reviewMoves()
    carryOut(coordination.settle(now: environment.now))
    tellLink()
    room.forgetStrangers(authors: { coordination.authors }, now: environment.now)
    arm()
  }

  // MARK: The link

  func nextLinkNumber() -> Int {
    links += 1
    return links
  }

  /// Words of the link with this number: of the room where the session is, of the next, or of one that it left.
  func linkEvents(_ number: Int) -> HubClientEvents {
    HubClientEvents(
      entered: { [weak self] seat in
        guard let self else { return }
        if number == linkNumber {
          entered(seat)
        } else if number == moves.next?.number {
          enteredNext(seat)
        } else {
          formerEntered(number, seat)
        }
      },
      presence: { [weak self] joined, gone in
        guard let self else { return }
        if number == linkNumber {
          presence(joined: joined, gone: gone)
        } else {
          formerPresence(number, joined: joined, gone: gone)
        }
      },
      delivered: { [weak self] envelope in
        guard let self else { return }
        if number == linkNumber { delivered(envelope) } else { formerDelivered(number, envelope) }
      },
      probed: { [weak self] in if self?.linkNumber == number { self?.probed($0) } },
      drained: { [weak self] in if self?.linkNumber == number { self?.pumpMessages() } },
      lost: { [weak self] end, retry in
        guard let self else { return }
        if number == linkNumber {
          lost(end, retry: retry)
        } else if number == moves.next?.number {
          lostNext(end, retry: retry)
        } else {
          formerLost(number, retry: retry)
        }
      })
  }

  private func entered(_ seat: HubSeat) {
    // Gone over to another hub without losing this one: to those who were together there.
    let hasMoved = isLinked
    if hasMoved { linkDown() }
    noteAbsent(since: linkLost, members: seat.members)
    linkLost = nil
    if wasConnected { statistics.reconnects += 1 }
    take(seat, mergedWithOthers: hasMoved)
  }

  /// In a room. `expected`: not there yet, but about to come.
  func take(_ seat: HubSeat, mergedWithOthers: Bool = false, awaiting expected: [Member] = []) {
    isLinked = true
    if let lastHub, lastHub != seat.hubID {
      statistics.hubChanges += 1
      log("at another hub: \(seat.address)")
    }
    lastHub = seat.hubID
    unmetSince = environment.now
    directory.note(seat)
    isDirectoryStale = true
    isTurnedAway = false
    let others = seat.members.filter { $0.id != identity.id }
    clock.enter(seat.clockID, hasDatagrams: seat.udpPort != 0, now: environment.now)
    carryOut(coordination.handle(.linkUp(members: others + expected, clock: seat.clockID), now: environment.now))
    carryOut(room.entered(members: others, mergedWithOthers: mergedWithOthers, now: environment.now))
    tellClock()
    tellLink()
  }

  /// So long after a hub was entered it is told that nobody of the group is at it.
  private static let meeting = Nanoseconds.seconds(1)

  /// Tells what changed of the link: whether the group is reached by it, through which hub, and whether anybody is in touch.
  private func tellLink(isNews: Bool = false) {
    guard state.status != .invalidated else { return }
    state.hub = hubInUse
    state.isAlone = !coordination.isInTouch
    if let seat = client?.current {
      if isTurnedAway {
        (state.connection, state.reason) = (.connecting, .full)
        state.message = "the session has \(WireLimits.participants) participants, as many as it can; waiting for a place"
      } else if coordination.hasState, !isAtOwnHubAlone {
        wasConnected = true
        (state.connection, state.reason, state.message) = (.connected, .none, "connected to \(seat.address)")
      } else if !coordination.hasState, isUnmet {
        (state.reason, state.message) = (.nobodyThere, "nobody of the group is at \(seat.address); it is looked for")
      }
    }
    let before = stateTold
    guard isNews || !state.isToldAs(before) else { return }
    stateTold = state
    if state.connection != before.connection || state.reason != before.reason {
      log(state.connection == .connected ? state.message : "\(state.connection): \(state.message)")
    }
    deliver(.state(state))
  }

  /// At a hub, and nobody of the group came there for a while.
  private var isUnmet: Bool { unmetSince.map { environment.now >= $0.adding(Self.meeting) } ?? false }

  private func presence(joined: [Member], gone: [Departure]) {
    for departure in gone where departure.left { directory.forget(departure.id) }
    isDirectoryStale = true
    carryOut(room.presence(joined: joined, gone: gone, now: environment.now))
    handle(.presence(joined: joined, gone: gone))
    notePresence(joined: joined, gone: gone)
    tellLink()
  }

  private func linkDown() {
    isLinked = false
    isDirectoryStale = true
    unmetSince = nil
    linkLost = linkLost ?? environment.now
    ceaseSpeaking()
    room.linkDown(now: environment.now)
    clock.linkDown()
    handle(.linkDown)
  }

  private func delivered(_ envelope: [UInt8]) {
    statistics.messagesReceived += 1
    statistics.bytesReceived += UInt64(envelope.count)
    isDirectoryStale = true
    carryOut(room.received(envelope, now: environment.now))
  }

  private func lost(_ end: HubLinkEnd, retry: HostTime?) {
    if isLinked { linkDown() }
    guard retry == nil else {
      // Why the link broke says more than why the next hub, and the one after it, is none.
      let connection = wasConnected ? SessionConnection.reconnecting : .connecting
      if state.connection != connection || connection == .connecting {
        (state.connection, state.reason, state.message) = (connection, SessionReason(end), end.reason)
      }
      return tellLink()
    }
    if case .refused(let status, _, _) = end, HubRefusal(rawValue: status) == .auth {
      return invalidate(.authentication, "not let in: the invitation was renewed; ask for a new one")
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
    tickMessages()
    tickRequests()
    let ways = clock.takeProbe(now: now)
    if !ways.isEmpty {
      statistics.probesSent += 1
      client?.probe(ways)
    }
    if clock.model(now: now).changed { tellClock() }
  }

  private func arm() {
    var wakes = [coordination.nextWake, room.nextWake, movesWake, clock.nextWake(now: environment.now)]
    wakes.append(inbox.nextWake)
    wakes.append(requests.nextWake)
    if canSpeak { wakes.append(messenger.nextWake(now: environment.now)) }
    if !coordination.hasState, let unmetSince, !isUnmet { wakes.append(unmetSince.adding(Self.meeting)) }
    if hub != nil { wakes.append(nextAddressCheck) }
    let wake = wakes.compactMap { $0 }.min()
    // Most turns change nothing of it.
    guard wake != armed else { return }
    armed = wake
    timer?.arm(at: wake)
  }

  // MARK: Effects

  func carryOut(_ effects: [ChannelEffect]) {
    for effect in effects {
      switch effect {
      case .transmit(let envelope, let to):
        guard client?.send(envelope, to: to) == true else { continue }
        statistics.messagesSent += 1
        statistics.bytesSent += UInt64(envelope.count)
      case .secured:
        isTurnedAway = false
        handle(.secured)
        beginSpeaking()
      case .full:
        isTurnedAway = true
        tellLink()
      case .ignored(let participant, let reason, let until):
        tell(Ignored(participant: participant, byOther: false, reason: reason, until: until))
      case .deliver(let message, let sender):
        if case .snapshot(let statements?) = message { noteHubs(in: statements) }
        handle(.message(message, from: sender))
      case .relocates(let secrets, let isLate): note(secrets, isLate: isLate)
      case .nobodyAnswers:
        invalidate(
          .authentication, "nobody in the room answers: the invitation was renewed; ask for a new one")
      case .relocationNotice(let levels): takeNotice(levels)
      case .other(let message, let sender): take(message, from: sender)
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
      case .send(let message, let to):
        carryOut(room.send(message, to: to, now: environment.now))
        if case .levels(let levels) = message, to == nil { tellFormer(levels) }
      case .policyChanged(let stack): follow(stack)
      case .removalWanted(let participants): removeOnceThere(participants)
      case .joined:
        state.status = .joined
        log("joined")
        tellLink(isNews: true)
      case .invalidated(.ended(let author)):
        if state.status != .invalidated, author != identity.id {
          invalidate(.ended, "ended for everybody by \(name(of: author))")
        }
      case .invalidated(.removed(let author)):
        invalidate(.removed, "removed from the session by \(name(of: author))")
      case .invalidated(.duplicateKey):
        invalidate(
          .duplicateKey, "another process uses this session's keys: two sessions were made from one memory image")
      case .log(let level, let text): deliver(.log(level, text))
      case .participantsChanged(var change):
        change.joined = change.joined.map(withPerson)
        change.updated = change.updated.map(withPerson)
        change.left = change.left.map(withPerson)
        logPeople(change)
        deliver(.effect(.participantsChanged(change)))
        greet(change)
        forgetRequests(with: change.left.map(\.id))
        endWithInitiator(change.left)
      case .activityChanged(let activity, let originator):
        let id = originator == .none ? identity.id : originator
        initiator = activity.map { (id, $0.lifetime == 1) }
        deliver(.effect(effect))
      case .command, .commandOverdue, .timingChanged, .suspensionsChanged, .notice, .refused, .successionChanged:
        deliver(.effect(effect))
      }
    }
  }

  func name(of id: ParticipantID) -> String {
    let name = coordination.view.participants.first { $0.id == id }?.displayName ?? ""
    return name.isEmpty ? id.description : name
  }

  // MARK: The life of the session, in the log

  private func log(_ line: String) { deliver(.log(.info, "session: \(line)")) }

  /// Who is first seen may have no name yet: it comes with the next look at it.
  private func logPeople(_ change: ParticipantsChange) {
    let arrived = (change.joined + change.updated).filter {
      !$0.isLocal && !$0.displayName.isEmpty && namedInLog.insert($0.id).inserted
    }
    if change.isComplete, !arrived.isEmpty {
      log("here: \(arrived.map(\.displayName).joined(separator: ", "))")
    } else {
      for participant in arrived { log("\(participant.displayName) came") }
    }
    for participant in change.left where namedInLog.remove(participant.id) != nil {
      log("\(participant.displayName) is gone")
    }
  }

  func invalidate(_ reason: SessionReason, _ message: String) {
    guard state.status != .invalidated else { return }
    state = SessionState(status: .invalidated, connection: .none, reason: reason, message: message)
    log("over: \(message)")
    shutDown()
    deliver(.state(state))
  }

  private func shutDown() {
    closeMoves()
    dropMessages()
    client?.leave()
    client = nil
    timer?.close()
    timer = nil
  }
}
