import CUnisono
import Synchronization
import UnisonoBase
import UnisonoCoordination
import UnisonoPlayer
import UnisonoWire

/// A coordinator: checks and queues what the host asks, tells it what the coordination decides.
///
/// What can be refused at once is refused from `calls`, which only calls change; the rest happens on the loop.
final class CoordinatorObject: ContextChild, @unchecked Sendable {
  override class var kind: HandleKind { .coordinator }

  static let suspensionLimit = 64

  /// What calls know without the loop.
  struct Calls {
    /// The last item asked for is one.
    var hasItem = false
    var openSuspensions = 0
    var suspensions: [SuspensionObject] = []
    var session: SessionObject?
    /// Its name in the session; nil: it is the session's first one.
    var name: CoordinatorName?
    /// Listenings that were begun.
    var listenings: UInt64 = 0
    /// That which is not over; nil: it follows no audience.
    var listening: UInt64?
    /// When it asked hosts to speak, and when it said something to them, last.
    var asked = HostTime.min
    var said = HostTime.min
    /// When it reacted last, and by which one may in the audience.
    var reacted = HostTime.min
    var reactions: [String] = []
    /// Upper half of command ids to the last id issued.
    var issued: [UInt64: UInt64] = [:]
  }

  let delegate: unisono_playback_delegate?
  let calls = Mutex(Calls())
  private let published = Mutex(CoordinationView())
  /// What this host's player was commanded, and says of itself.
  let motion = Mutex(MotionEcho())
  /// The library's player that is its host; nil: the host of the library is.
  private(set) weak var player: PlayerObject?
  /// A player's coordinator goes with it, and only with it.
  let isPlayers: Bool

  // On the loop.
  private var coordinationHost: (any CoordinationHost)?
  private var settings = CoordinatorSettings()
  /// The timing as last told, for a move to another coordination.
  private var timing: TimingChange?
  /// What it came to its present coordination with, as long as that has told nothing: one that moves on at once has the same.
  private var brought: Proposal?

  init(
    token: HandleToken, context: ContextObject, delegate: unisono_playback_delegate?, user: UnsafeMutableRawPointer?,
    isPlayers: Bool = false
  ) {
    self.delegate = delegate
    self.isPlayers = isPlayers
    super.init(token: token, context: context, user: user, released: delegate?.released)
  }

  /// What may be read, as of the last turn.
  var view: CoordinationView { published.withLock { $0 } }

  // MARK: On the loop

  /// The player is there from before the first command on.
  func serve(_ player: PlayerObject) { self.player = player }

  override var tellsRelease: Bool { !isPlayers }

  /// The present state is told first: alone, there is nobody else.
  func begin() {
    coordinationHost = SoloCoordination(coordinator: self)
    deliver(ParticipantsChange(isComplete: true))
  }

  func handle(_ event: CoordinationEvent) {
    guard !isDead else { return }
    settings.note(event)
    if case .transition(let item, _) = event {
      brought = nil
      context.queue?.dropCommands(of: token, exceptFor: item)
    }
    coordinationHost?.handle(event)
  }

  /// Ids of an earlier coordination are superseded: OK, and of no more concern.
  func finish(command id: UInt64, with event: CoordinationEvent) {
    guard let coordinationHost, id >> 32 == coordinationHost.firstCommand >> 32 else { return }
    handle(event)
  }

  /// Alone nobody else speaks.
  func publish(_ view: CoordinationView, othersSpeak: Bool = false) {
    published.withLock { $0 = view }
    RealtimeSlots.shared.slot(token.slot)?.pointee.latch.write(view.timing.words)
    player?.follow(view, othersSpeak: othersSpeak)
  }

  /// The session publishes; it may have been left meanwhile. `name`: of whose items; nil: its first coordinator's.
  func publish(_ view: CoordinationView, othersSpeak: Bool, from session: SessionObject, as name: CoordinatorName?) {
    if coordinationHost?.isOf(session, as: name) == true { publish(view, othersSpeak: othersSpeak) }
  }

  /// Open suspensions as the coordination knows them, oldest first.
  var openSuspensions: [UInt64] { settings.suspensions.map(\.id) }

  func carryOut(_ effect: PlaybackEffect) {
    guard !isDead else { return }
    player?.receive(effect)
    switch effect {
    case .command(let command): deliver(command)
    case .commandOverdue(let command): warn(of: command)
    case .timingChanged(let change):
      timing = change
      brought = nil
      deliver(.timing(origin, change), to: bound(delegate?.timing_changed))
    case .suspensionsChanged(let reasons):
      deliver(.suspensions(origin, reasons), to: bound(delegate?.suspensions_changed))
    case .refused(let operation, let status, let message):
      guard !isPlayers else { break }
      refuse(delegate?.error, operation.functionName, status.number, message)
    }
  }

  /// Moves to another coordination: the session's, or one of its own. The item, its state, settings and suspensions go along.
  func move(to next: (any CoordinationHost)?) {
    guard !isDead, let old = coordinationHost else { return }
    let item = old.coordinationView.item
    let proposal = timing.map { $0.item == item ? Proposal($0) : nil } ?? brought
    old.release(self)
    timing = nil
    brought = proposal
    let new = next ?? SoloCoordination(coordinator: self)
    coordinationHost = new
    for event in settings.events { new.handle(event) }
    if let item { new.handle(.transition(to: item, proposal: proposal)) }
    deliver(ParticipantsChange(isComplete: true, joined: Array(new.coordinationView.participants)))
  }

  /// To the hosts of the audience, if that listening of its goes on.
  func say(_ word: HandMessage.Word, _ text: String, inListening number: UInt64) {
    if let listening = coordinationHost as? ListeningCoordination, listening.number == number { listening.say(word, text) }
  }

  /// The same.
  func react(_ text: String, inListening number: UInt64) {
    if let listening = coordinationHost as? ListeningCoordination, listening.number == number { listening.react(text) }
  }

  /// By which one may react in the audience.
  func offer(_ reactions: [String], inListening number: UInt64) {
    calls.withLock { if $0.listening == number { $0.reactions = reactions } }
  }

  override func tearDown() {
    let left = calls.withLock { calls in
      defer {
        calls.session = nil
        calls.listening = nil
        calls.suspensions = []
      }
      return (session: calls.session, name: calls.name, suspensions: calls.suspensions)
    }
    for suspension in left.suspensions { suspension.endWithContext() }
    left.session?.letGo(of: self, as: left.name)
    coordinationHost?.release(self)
    coordinationHost = nil
  }

  // MARK: Events for the host

  private func deliver(_ command: PlaybackCommand) {
    calls.withLock { $0.issued[command.id >> 32] = command.id }
    guard !isPlayers else { return }
    let function =
      switch command.kind {
      case .play: delegate?.play
      case .pause: delegate?.pause
      case .seek: delegate?.seek
      case .buffer: delegate?.buffer
      }
    context.deliver(
      Delivery(
        target: self, payload: .command(origin, command), kind: .command(item: command.item),
        callback: bound(function),
        replaceCommands: { [weak self] in self?.handle(.reapply) }))
  }

  /// How it is with the audience that it follows. A player's host hears of it with the player's events.
  func deliver(_ news: ListeningNews) {
    guard !isDead else { return }
    let payload = Payload.listening(origin, news)
    guard let player else { return deliver(payload, to: bound(delegate?.listening_changed)) }
    deliver(payload, to: player.hearing)
  }

  /// Into the session that it listens to. A player's host hears of it with the player's events.
  func deliver(invite: String) {
    guard !isDead else { return }
    let payload = Payload.invite(origin, invite, as: .UNISONO_EVENT_COORDINATOR_INVITED)
    guard let player else { return deliver(payload, to: bound(delegate?.invited)) }
    deliver(payload, to: player.invited)
  }

  /// Whoever owes the answer reads what to do about it.
  private func warn(of command: OverdueCommand) {
    let call =
      isPlayers
      ? "the renderer has not answered: call unisono_player_report with the `request` of what it was told last"
      : "call unisono_coordinator_complete with this id when the player has done it, or unisono_coordinator_fail"
    context.log(
      .warning,
      "command \(command.id) (\(command.kind) \"\(command.item)\") was not answered in time, so this device is apart "
        + "(stall-recovery) until it is; \(call)")
  }

  /// Hosts hear of the others; of themselves they know.
  func deliver(_ change: ParticipantsChange) {
    guard !isDead else { return }
    let listed = ListedChange(
      isComplete: change.isComplete, joined: others(change.joined), updated: others(change.updated),
      left: others(change.left))
    guard !listed.isEmpty else { return }
    deliver(
      .participants(origin, .UNISONO_EVENT_COORDINATOR_PARTICIPANTS, listed),
      to: bound(delegate?.participants_changed),
      complete: { [self] in
        let present = coordinationHost?.coordinationView.participants ?? ParticipantList()
        return .participants(
          origin, .UNISONO_EVENT_COORDINATOR_PARTICIPANTS, ListedChange(isComplete: true, joined: others(present)))
      })
  }

  func others(_ participants: some Sequence<ParticipantView>) -> [ListedParticipant] {
    let others = participants.filter { !$0.isLocal }
    return calls.withLock { $0.session }?.listed(others) ?? others.map { ListedParticipant(view: $0) }
  }
}

extension Proposal {
  /// State that a coordination left behind, with which the next one begins; nil: none.
  init?(_ timing: TimingChange) {
    guard timing.status != .none else { return nil }
    let rate = timing.status == .paused ? 0 : timing.rate
    self.init(rate: rate, itemTime: timing.itemTime, hostTime: timing.status == .playing ? timing.hostTime : nil)
  }
}

extension CoordinationStatus {
  var number: unisono_status {
    switch self {
    case .state: .UNISONO_ESTATE
    case .denied: .UNISONO_EDENIED
    case .notFound: .UNISONO_ENOTFOUND
    case .timedOut: .UNISONO_ETIMEDOUT
    case .full: .UNISONO_EFULL
    case .busy: .UNISONO_EBUSY
    }
  }
}
