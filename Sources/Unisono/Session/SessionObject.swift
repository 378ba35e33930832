import CUnisono
import Synchronization
import UnisonoBase
import UnisonoCoordination
import UnisonoCrypto
import UnisonoRuntime

/// A session: checks and queues what the host asks, tells it what the engine tells.
final class SessionObject: ContextChild, EndOfTurnParticipant, @unchecked Sendable {
  override class var kind: HandleKind { .session }

  let localID: ParticipantID
  let firstCommand: UInt64
  let callbacks: unisono_session_callbacks?
  let outgoing: OutgoingBudget
  let inBackground: Bool
  let noticeRate = CallRate(perSecond: 20)
  let foregroundRate = CallRate(perSecond: 1)
  let requestRate = CallRate(perSecond: 1)
  let requestNumbers: Mutex<UInt64>
  let spoken: Mutex<Spoken>
  let playlist = SharedPlaylist()
  let attached = Mutex(Attached())
  let activations = Mutex(Activations())
  private let published: Mutex<SessionSnapshot>
  /// By name; nil: the first one.
  private let coordinators = Mutex<[CoordinatorName?: CoordinatorObject]>([:])

  /// The one activation that people may be asked about at a time.
  struct Activations {
    var open: OpenActivation?
    var lastRequest: UInt64 = 0
    /// How long people have to answer.
    var patience = OpenActivation.patience
  }

  // On the loop.
  private let engine: SessionEngine
  private let mailbox: Mailbox
  private var clock = SessionClockReport()
  private var inviteText: Result<String, Failure> = .success("")

  /// What the engine tells before the object exists, and afterwards the object.
  final class Mailbox {
    weak var session: SessionObject?
    var early: [SessionEvent] = []

    func handle(_ event: SessionEvent) {
      if let session { session.handle(event) } else { early.append(event) }
    }
  }

  /// On the loop; binds the hub in this process, where one is asked for.
  init(
    token: HandleToken, context: ContextObject, options: SessionOptions, origin: SessionSetup.Origin
  ) throws(NetworkError) {
    let mailbox = Mailbox()
    let setup = SessionSetup(
      origin: origin, displayName: options.displayName, deviceName: context.options.deviceName,
      firstCommand: context.nextCommandRange(), seed: context.options.seed, person: context.options.person,
      keepsStandbyHub: options.keepsStandbyHub, inBackground: options.inBackground, roleWish: options.roleWish,
      succession: options.succession, calendarTime: context.calendarTime)
    engine = try SessionEngine(environment: context.loop, setup: setup) { mailbox.handle($0) }
    self.mailbox = mailbox
    requestNumbers = Mutex(engine.lastNumber)
    spoken = Mutex(Spoken(numbersAfter: engine.lastNumber))
    callbacks = options.callbacks
    outgoing = engine.outgoing
    inBackground = options.inBackground
    localID = engine.identity.id
    firstCommand = setup.firstCommand
    published = Mutex(SessionSnapshot())
    super.init(token: token, context: context, user: options.user, released: options.callbacks?.released)
    renewInvite()
    publish()
  }

  /// On the loop, when the handle is there: the present state is told first.
  func begin() {
    deliverState(engine.state)
    mailbox.session = self
    for event in mailbox.early { handle(event) }
    mailbox.early = []
    context.settleEveryTurn(self)
  }

  var snapshot: SessionSnapshot { published.withLock { $0 } }

  func listed(_ participants: some Sequence<ParticipantView>) -> [ListedParticipant] {
    let speakers = snapshot.speakers
    return participants.map { ListedParticipant(view: $0, isSpeaking: speakers.contains($0.id)) }
  }

  // MARK: Calls

  func submit(_ work: @escaping @Sendable (SessionEngine) -> Void) throws(Failure) {
    try submit(cost: .plain, work)
  }

  func submit(cost: CallCost, _ work: @escaping @Sendable (SessionEngine) -> Void) throws(Failure) {
    try context.submit(cost: cost) { [self] in
      guard !isDead else { return }
      work(engine)
    }
  }

  func requireLife() throws(Failure) {
    guard snapshot.state.status != .invalidated else {
      throw Failure(.UNISONO_ESTATE, "the session is invalidated; make a new session object")
    }
  }

  func requireJoined() throws(Failure) {
    try requireLife()
    guard snapshot.state.status == .joined else {
      throw Failure(.UNISONO_ESTATE, "the session is not joined yet; wait for the JOINED state")
    }
  }

  // MARK: The coordinators

  /// Claims the one place for a coordinator of this name; nil: that of the first one.
  func adopt(_ wanted: CoordinatorObject, as name: CoordinatorName?) throws(Failure) {
    try requireLife()
    let (isFree, isFull) = coordinators.withLock { coordinators in
      let present = coordinators[name]
      guard present == nil || present === wanted else { return (false, false) }
      let others = coordinators.filter { $0.key != nil && $0.value !== wanted }
      guard name == nil || others.count < CoordinatorName.mostOpen else { return (true, true) }
      coordinators[name] = wanted
      return (true, false)
    }
    let called = name.map { " \"\($0)\"" } ?? ""
    guard isFree else { throw Failure(.UNISONO_EBUSY, "the session has another coordinator\(called); detach it first") }
    guard !isFull else {
      throw Failure(.UNISONO_EFULL, "the session has \(CoordinatorName.mostOpen) named coordinators here; detach one first")
    }
  }

  func letGo(of leaving: CoordinatorObject, as name: CoordinatorName?) {
    coordinators.withLock { coordinators in
      if coordinators[name] === leaving { coordinators[name] = nil }
    }
  }

  private var first: CoordinatorObject? { coordinators.withLock { $0[nil] } }

  /// A coordinator beside the first one begins. On the loop.
  func addCoordinator(_ name: CoordinatorName, firstCommand: UInt64, _ coordinator: CoordinatorObject) {
    engine.addCoordinator(name, firstCommand: firstCommand) { [weak coordinator] news in
      switch news {
      case .playback(let effect): coordinator?.carryOut(effect)
      case .participants(let change): coordinator?.deliver(change)
      case .refused(let operation, let status, let message):
        coordinator?.carryOut(.refused(operation: operation, status: status, message: message))
      }
    }
    context.requestEndOfTurn()
  }

  func removeCoordinator(_ name: CoordinatorName, firstCommand: UInt64) {
    engine.removeCoordinator(name, firstCommand: firstCommand)
    context.requestEndOfTurn()
  }

  func view(of name: CoordinatorName) -> CoordinationView { engine.view(of: name) ?? CoordinationView() }

  func handle(_ event: CoordinationEvent, of name: CoordinatorName) {
    engine.handle(event, of: name)
    context.requestEndOfTurn()
  }

  /// Nothing can live here any more. On the loop.
  var isOver: Bool { isDead || engine.state.status == .invalidated }

  /// What another day goes on from; nil: there is nothing yet. On the loop.
  func continuation(calendarTime: Int64) -> Continuation? { engine.continuation(calendarTime: calendarTime) }

  /// Nobody else takes part or looks on. On the loop.
  var isAlone: Bool { engine.isAlone }

  private func endCoordination() {
    let left = coordinators.withLock { coordinators in
      defer { coordinators = [:] }
      return coordinators.values.map { $0 }
    }
    for coordinator in left { coordinator.sessionEnded(self) }
  }

  // MARK: On the loop

  func settle() {
    guard !isDead else { return }
    engine.settle()
    publish()
  }

  private func renewInvite() {
    do throws(InviteError) {
      inviteText = .success(try engine.invite())
    } catch {
      inviteText = .failure(Failure(.UNISONO_EINTERNAL, error.message))
    }
  }

  private func publish() {
    var snapshot = SessionSnapshot()
    snapshot.state = engine.state
    snapshot.view = engine.view
    snapshot.speakers = engine.speakers
    if engine.isSpeaking { snapshot.speakers.insert(localID) }
    snapshot.requests = engine.answerableRequests
    snapshot.invite = inviteText
    snapshot.audience = engine.audience
    snapshot.audienceLink = engine.audienceLink
    snapshot.askingListeners = engine.askingListeners
    clock.update(model: engine.groupClock, status: engine.clockStatus.number, now: context.now)
    snapshot.statistics = statistics
    RealtimeSlots.shared.slot(token.slot)?.pointee.latch.write(clock.snapshot.words)
    published.withLock { $0 = snapshot }
    let othersSpeak = !engine.speakers.isEmpty
    for (name, coordinator) in coordinators.withLock({ $0 }) {
      let its = name.map { view(of: $0) } ?? snapshot.view
      coordinator.publish(its, othersSpeak: othersSpeak, from: self, as: name)
    }
  }

  private var statistics: unisono_session_statistics {
    let counted = engine.statistics
    var body = unisono_session_statistics()
    body.clock_state = unisono_clock_state(rawValue: clock.snapshot.status) ?? .UNISONO_CLOCK_NONE
    body.round_trip = counted.roundTrip ?? .min
    body.round_trip_last = counted.lastRoundTrip ?? .min
    body.clock_error = .min
    if let model = engine.groupClock {
      let now = context.now
      body.clock_offset = model.remote(at: now).subtracting(now)
      body.clock_error = model.error(at: now)
      body.clock_drift_ppm = (model.rate - 1) * 1_000_000
    }
    body.checked_bound = engine.checkedBound ?? .min
    body.probes_sent = counted.probesSent
    body.probes_received = counted.probesReceived
    body.messages_sent = counted.messagesSent
    body.messages_received = counted.messagesReceived
    body.bytes_sent = counted.bytesSent
    body.bytes_received = counted.bytesReceived
    body.messages_refused = counted.messagesRefused
    body.reconnects = counted.reconnects
    body.hub_changes = counted.hubChanges
    body.send_queue_bytes = UInt64(max(0, engine.queuedBytes))
    return body
  }

  private func handle(_ event: SessionEvent) {
    guard !isDead else { return }
    context.requestEndOfTurn()
    switch event {
    case .log(let level, let text): context.log(level, text)
    case .state(let state):
      renewInvite()
      deliverState(state)
      if state.status == .invalidated {
        publish()
        endCoordination()
      }
    case .inviteChanged: deliverInvite()
    case .message(let bytes, let label, let cue, let sender, let isReliable):
      deliverMessage(bytes, label: label, cue: cue, sender: sender, isReliable: isReliable)
    case .attachment(let news): deliverAttachment(news, listed: engine.listedAttachments)
    case .chat(let news): deliverChat(news, kept: engine.chatEntries)
    case .playlist(let change): deliverPlaylist(change, engine.playlist)
    case .copy(let news): deliverCopy(news)
    case .schedule(let change): deliverSchedule(change)
    case .audience(let news): deliverAudience(news)
    case .listener(let news): deliverListener(news)
    case .writable: deliverWritable()
    case .notice(let notice, let originator, let name): deliverNotice(notice, originator: originator, coordinator: name)
    case .person(let news): deliverNews(news)
    case .foregroundRequested(let id): deliverForeground(id)
    case .speaking(let id, let speaks): deliverSpeaking(id, speaks)
    case .request(let news): deliverRequest(news)
    case .requestRefused(let refusal, let operation): deliverRefusal(refusal, operation)
    case .ignored(let ignored): deliverIgnored(ignored)
    case .clockDoubt(let doubt): deliverClockDoubt(doubt)
    case .split(let split): deliverSplit(split)
    case .hubDoubt(let doubt): deliverHubDoubt(doubt)
    case .playback(let effect): first?.carryOut(effect)
    case .participants(let change):
      deliverParticipants(change)
      first?.deliver(change)
    case .activity(let activity, let originator):
      deliver(
        .activity(origin, activity, originator: originator),
        to: bound(callbacks?.activity))
    case .succession(let change): deliverSuccession(change)
    case .refused(let operation, let status, let message):
      refuse(callbacks?.error, operation.functionName, status.number, message)
    }
  }

  override func tearDown() {
    cancelActivation()
    endCoordination()
    context.stopSettling(self)
    engine.close()
  }

  /// nil: not there, or without a name. On the loop.
  func displayName(of id: ParticipantID) -> String? {
    let name = engine.view.participants.first { $0.id == id }?.displayName
    return name?.isEmpty == true ? nil : name
  }

  // MARK: Telling the host

  private func deliverState(_ state: SessionState) {
    deliver(
      .sessionState(
        origin, state.statusNumber, state.connectionNumber, reason: state.reason.number, message: state.message,
        hub: state.hub?.address ?? "", isHubOwn: state.hub?.isOwn ?? false, isAlone: state.isAlone, isClosed: state.isClosed),
      to: bound(callbacks?.state))
  }

  private func deliverInvite() {
    renewInvite()
    guard let text = try? inviteText.get() else { return }
    deliver(
      .invite(origin, text), to: bound(callbacks?.invite_changed))
  }

  private func deliverParticipants(_ change: ParticipantsChange) {
    let listed = ListedChange(
      isComplete: change.isComplete, joined: listed(change.joined), updated: listed(change.updated),
      left: listed(change.left))
    deliver(
      .participants(origin, .UNISONO_EVENT_SESSION_PARTICIPANTS, listed),
      to: bound(callbacks?.participants),
      complete: { [self] in
        .participants(
          origin, .UNISONO_EVENT_SESSION_PARTICIPANTS,
          ListedChange(isComplete: true, joined: self.listed(engine.view.participants)))
      })
  }

}

extension SessionObject: CoordinationHost {
  var coordinationView: CoordinationView { engine.view }

  func isOf(_ session: SessionObject, as name: CoordinatorName?) -> Bool { session === self && name == nil }

  func handle(_ event: CoordinationEvent) {
    engine.handle(event)
    context.requestEndOfTurn()
  }

  /// The coordinator goes: nothing plays here any more, and nothing of it stays.
  func release(_ coordinator: CoordinatorObject) {
    handle(.transition(to: nil, proposal: nil))
    for id in coordinator.openSuspensions { handle(.endSuspension(id: id, proposing: nil)) }
    handle(.setWaitingReasons([]))
    handle(.setOutputOffset(0))
  }
}
