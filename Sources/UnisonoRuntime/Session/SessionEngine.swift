import UnisonoBase
import UnisonoCoordination
import UnisonoCrypto
import UnisonoReplica
import UnisonoWire

/// One session object: it routes between the rooms of a session and carries their effects out.
///
/// What decides has its state in a room of its own:
///
/// - `Residence`: door, secure channel and link of one room at a hub. The session has a present one, a next one while it moves,
///   and retired ones whose doors are still read or kept.
/// - `Relocation`: which room comes next, and the secrets that open it.
/// - `SessionHubs`: the hub in this process, those of the others, and the invite's list.
/// - `Coordination` (pure core): registers, policy, playback.
/// - `NamedCoordinations`: the same of this participant's coordinators beside the first one.
/// - `SessionClock`: time of the hub in use.
/// - `MessageDelivery`, `CommandRequests`, `SessionChat`, `SessionAttachments`, `IgnoredBy`: what the application and people say to each other.
/// - `Absences`, `StatusReport`, `Arrivals`, `OtherItems`: who was lost, the state as people see it, who came and went, and
///   who is at another item.
/// - `SessionAudience`: the session's audience, and what this participant says to it.
/// - `Splits`, `HubDoubts`, `WordOfEnd`: who does not hear whom, which hubs do not do as they should, and whether the session was ended.
///
/// Three kinds of calls come in: the owner's (the public functions), the residences' events, and the timer. Each runs through
/// the rooms that it concerns at once; their effects are carried out by the `carryOut` of their type, in order. Nothing but the
/// owner's `settle`, at the end of each loop turn, lets the coordination decide, reports the state and arms the timer.
///
/// A session is live from `init` on, connected and following; a member once all registers came after `join`; and invalidated for
/// good by `invalidate`: left, ended, removed, refused, or moved away from without this participant. Loop thread only.
package final class SessionEngine {
  /// Phase of a session object, with what there is in it only.
  ///
  ///     live ── end ──▶ farewell ──▶ over
  ///       └── invalidate, close ──────▲
  private enum Phase {
    case live(Life)
    /// This participant ended the session: it stays in the room for a moment, for those on their way in.
    case farewell
    case over
  }

  /// State of a session that is not over.
  private struct Life {
    var membership = Membership.following
    var link = Link.none
    /// Room that the session is moving to.
    var next: Residence?
    var retired: [Residence] = []
    var relocation = Relocation()
  }

  /// How far this participant is in the session.
  private enum Membership {
    /// Reads along.
    case following
    /// Asked to join; the registers are awaited.
    case joining
    case joined
  }

  /// Place in a room of the session.
  private enum Link {
    /// There was none yet.
    case none
    case up
    case lost(since: HostTime)
  }

  private let this = WeakReference<SessionEngine>()
  package let identity: Identity
  private let turns: Turns
  /// Room for messages of the application that wait; asked by any thread.
  package let outgoing: OutgoingBudget
  /// Numbers of what this participant says come after this one: those of another day may be known to others.
  package let lastNumber: UInt64
  package private(set) var statistics = SessionStatistics()

  let origin: Origin
  /// Passes of hubs that ask for one, by the hub's id; they go into invites.
  private let passes: [[UInt8]: [UInt8]]
  private let environment: any Environment
  private let deliver: (SessionEvent) -> Void
  private let keepsStandbyHub: Bool
  private let startedInBackground: Bool

  private var phase = Phase.live(Life())
  private(set) var present: Residence
  private(set) var hubs: SessionHubs
  /// Read in place: a copy for each question of a turn would cost more than most answers.
  private(set) var coordination: Coordination {
    _read { yield storedCoordination }
    _modify { yield &storedCoordination }
  }
  private var storedCoordination: Coordination
  private var named = NamedCoordinations()
  /// The hosts of those.
  private var namedHosts: [CoordinatorName: (CoordinatorNews) -> Void] = [:]
  /// What those are made of: this participant, as the session's coordination knows it.
  private let configuration: Coordination.Configuration
  private(set) var absences = Absences()
  private var clock: SessionClock
  private var sleep: SleepDetector
  private var messages: MessageDelivery
  private var requests: CommandRequests
  private var chat: SessionChat
  private lazy var attachments = SessionAttachments(local: identity.id, environment: environment) { [this] in
    this.object?.carryOut($0)
  }
  private var ignoredBy = IgnoredBy()
  private var status = StatusReport()
  private var arrivals = Arrivals()
  private var otherItems = OtherItems()
  private var splits = Splits()
  private var checked: (bound: Nanoseconds, at: HostTime)?
  private var hubDoubts: HubDoubts
  let sessionAudience: SessionAudience
  /// The roster as the coordination knows it.
  private var knownRoster: [ParticipantID] = []
  /// Persons by their devices, as the coordination knows them.
  private var knownPersons: [ParticipantID: ParticipantID] = [:]

  /// What the key of the hub in this process is made of; nil: there was none.
  private var hubSeed: Secret?
  private var wordOfEnd: WordOfEnd

  /// In the hub in use, or in the last one.
  private var lastSeat: RoomEntry?
  /// Participant that set the activity, and whether the session ends with it.
  private var initiator: (id: ParticipantID, endsSession: Bool)?
  private var timer: (any LoopTimer)?
  /// Time that the timer is armed for.
  private var armed: HostTime?

  /// Binds the hub in this process, where one is asked for, and begins to connect at once: an activity is known, and a
  /// newcomer welcomed, before `join`.
  package init(environment: any Environment, setup: SessionSetup, deliver: @escaping (SessionEvent) -> Void)
    throws(NetworkError)
  {
    self.environment = environment
    self.deliver = deliver
    let random = environment.randomBytes
    let continuation = setup.origin.past
    let identity = continuation.map { Identity($0.seeds) } ?? Identity(random: random)
    self.identity = identity
    lastNumber = continuation == nil ? 0 : UInt64(max(0, setup.calendarTime) / .milliseconds(1))
    messages = MessageDelivery(numbersAfter: lastNumber)
    outgoing = messages.outgoing
    requests = CommandRequests(local: identity.id)
    hubDoubts = HubDoubts(local: identity.id)
    keepsStandbyHub = setup.keepsStandbyHub
    startedInBackground = setup.inBackground

    let start = try SessionStart(setup.origin, by: identity.id, environment: environment, deliver: deliver)
    origin = start.origin
    passes = start.passes
    hubSeed = start.hubSeed

    sessionAudience = SessionAudience(origin: origin, identity: identity, environment: environment, deliver: deliver)
    let session = origin.session
    chat = SessionChat(identity: identity, session: session)
    let door = Door(session: session, secret: start.doorSecret)
    start.server?.serve(only: door.topic)
    hubs = SessionHubs(local: identity.id, server: start.server, invited: start.hubs)
    let person = setup.person.map { PersonKey(person: $0, session: session) }
    // By an invite to another door the group has moved since: who comes there is known, and what it has of then is not asked for.
    let resumed = continuation.flatMap { past in
      past.place.topic == door.topic ? past.channel(person: person, now: environment.now, random: random) : nil
    }
    var channel =
      resumed ?? SecureChannel(
        door: door, identity: identity, root: origin.root, isCreator: start.isCreator, person: person, random: random)
    if let past = continuation {
      // Others may remember lanes of then, and hubs connections.
      let seconds = UInt32(clamping: setup.calendarTime / .seconds(1))
      let greatest = max(past.text.lane &+ 65_536, seconds)
      channel.beginLanes(after: greatest)
      turns = Turns(after: greatest)
    } else {
      turns = Turns()
    }
    present = Residence(doorSecret: start.doorSecret, channel: channel)
    clock = SessionClock(own: start.server.map { ($0.clockID, $0.clock) })
    sleep = SleepDetector(total: environment.timeAsleep)
    wordOfEnd = WordOfEnd(now: environment.now)
    configuration = Coordination.Configuration(
      local: identity.id, incarnation: random(8).reduce(0) { $0 << 8 | UInt64($1) }, displayName: setup.displayName,
      deviceName: setup.deviceName, seed: setup.seed, firstCommand: setup.firstCommand, isCreator: start.isCreator,
      policy: PolicyStack.origin, origin: origin.policy, participates: false, roleWish: setup.roleWish,
      succession: start.isCreator ? setup.succession : nil,
      hash: Hash.sha256, digestInput: StatementBody.digestInput,
      sign: { PolicySignature.sign($0, session: session, author: identity.signing) })
    storedCoordination = Coordination(configuration)

    this.point(to: self)
    timer = environment.makeTimer { [this] in this.object?.tick() }
    readOwnAddresses()
    watchOwnHub()
    if let past = continuation, resumed != nil { resume(past, calendarTime: setup.calendarTime) }
    let candidates = hubs.directory.candidates
    connect(present, group: HubGroup(isNewcomer: !start.isCreator && !coordination.hasState, known: hubs.directory.known))
    log("connecting to \(candidates.map { $0.address.address }.joined(separator: ", "))")
    if let activity = start.activity { handle(.setActivity(activity)) }
  }

  deinit { this.cut() }

  // MARK: Views

  package var state: SessionState {
    var state = status.state
    state.status = sessionStatus
    return state
  }

  private var sessionStatus: SessionStatus {
    guard let life else { return .invalidated }
    return switch life.membership {
    case .following, .joining: .waiting
    case .joined: .joined
    }
  }

  /// nil: the session is over. What is set then is dropped.
  private var life: Life? {
    get { if case .live(let life) = phase { life } else { nil } }
    set { if case .live = phase, let newValue { phase = .live(newValue) } }
  }

  var retired: [Residence] { life?.retired ?? [] }
  var relocation: Relocation { life?.relocation ?? Relocation() }

  /// The hub in this process: of the session's creator, or kept ready for the others.
  package var hub: HubServer? { hubs.server }
  /// Id of the hub in use, or of the last one.
  var lastHub: [UInt8]? { lastSeat?.hubID }

  package var view: CoordinationView {
    var view = coordination.view
    view.participants.persons = present.channel.persons
    view.participants.splits = splits.flags
    return view
  }

  /// Says of participants which persons are behind them, whom only introductions name, and how they are split from this one.
  private func complete(_ participants: inout [ParticipantView]) {
    // Read once: it is all of the channel that is read, and this is done for everybody in every turn.
    let persons = present.channel.persons
    for index in participants.indices {
      let id = participants[index].id
      participants[index].person = persons[id] ?? id
      participants[index].split = splits.flags[id] ?? 0
    }
  }

  /// How far group time here may be from that of any other one who is there, whatever the hub says, as of a quarter of a second ago
  /// at most, ns; nil: not measured. It is asked for in every turn, and everybody is looked at for it.
  package var checkedBound: Nanoseconds? {
    let now = environment.now
    if let checked, now.subtracting(checked.at) < .milliseconds(250) { return checked.bound }
    checked = coordination.checkedBound.map { ($0, now) }
    return checked?.bound
  }

  /// Group time against host time, with a bound that holds for those who go on by it; nil: not known yet.
  package var groupClock: ClockModel? { coordination.groupClock }
  package var clockStatus: SessionClock.Status { clock.status }
  /// Bytes that wait at the link, or for it.
  package var queuedBytes: Int { present.queuedBytes + outgoing.bytes }
  /// This participant speaks.
  package var isSpeaking: Bool { messages.isSpeaking }
  /// The others who speak.
  package var speakers: Set<ParticipantID> { messages.speakers }
  /// As far as known nobody else takes part or looks on; false while nothing is known.
  package var isAlone: Bool { coordination.hasState && status.state.isAlone && present.others.isEmpty }
  package var playlist: Playlist { coordination.playlist }
  /// What is kept of the chat, in its order.
  package var chatEntries: [ChatNews] { chat.entries(clock: groupClock).map(owned) }
  /// In the item time of the own copy.
  private func owned(_ news: ChatNews) -> ChatNews {
    var news = news
    news.entry.itemTime = news.entry.itemTime.map { coordination.ownTime(of: $0, in: news.entry.item) }
    return news
  }
  /// What is offered to the group, in its order.
  package var listedAttachments: [ListedAttachment] { attachments.listed }
  /// What was loaded where there are no files; nil: it is not here, or in a file.
  package func attachmentBytes(_ id: AttachmentID) -> [UInt8]? { attachments.bytes(of: id) }
  /// Requests that the host may answer now.
  package var answerableRequests: [(asker: ParticipantID, number: UInt64, item: ItemID)] { requests.answerable }
  var door: Door { present.door }

  /// The invitation text, with as many hubs as it has room for.
  package func invite() throws(InviteError) -> String {
    var hubs = hubsToInvite
    while true {
      do throws(InviteError) {
        return try Invite(origin: origin, door: present.doorSecret, hubs: hubs, passes: passes).text
      } catch {
        guard error == .tooLong, hubs.count > 1 else { throw error }
        hubs.removeLast()
      }
    }
  }

  // MARK: Going on on another day (wire 8.25)

  /// What another session object goes on from on another day; nil: there is nothing yet, or the group is on its way to another room.
  package func continuation(calendarTime: Int64) -> Continuation? {
    let now = environment.now
    guard state.status == .joined, life?.next == nil, let past = coordination.past(now: now) else { return nil }
    let authors = Set(past.statements.map { $0.author } + past.levels.map { $0.author })
    var effects: [ChannelEffect] = []
    let record = present.withChannel { $0.continuation(introducing: authors, effects: &effects, now: now) }
    carryOut(effects, of: present)
    guard let record else { return nil }
    let channel = present.channel
    let ways = hubsToInvite
    let text = ContinuationText(
      origin: origin.bytes, made: calendarTime, time: past.time, lane: channel.lastLane, hubs: ways,
      passes: passes.filter { pass in ways.contains { $0.hub == pass.key } }, record: record.text,
      levels: past.levels.map { $0.bytes }.filter { !record.text.levels.contains($0) }, statements: channel.signed(past.statements))
    let made = Continuation(
      door: present.doorSecret, hub: hubSeed ?? Secret(random: environment.randomBytes), seeds: identity.seeds, chain: record.chain,
      text: text)
    // What would be refused on that day is not given out.
    guard let made, made.channel(now: now, random: environment.randomBytes) != nil else { return nil }
    return made
  }

  /// Begins with what the group did on another day.
  private func resume(_ past: Continuation, calendarTime: Int64) {
    wordOfEnd.goesOn()
    let others = Set(past.text.record.roster).subtracting([identity.id])
    for id in others where !present.channel.isRemoved(id) { hubs.record(id, hubs: []) }
    let channel = present.channel
    handle(
      .resume(
        PastGroup(
          levels: channel.verified(levels: past.text.record.levels + past.text.levels),
          statements: channel.verified(past.text.statements), time: past.text.time,
          presentTime: past.groupTime(at: calendarTime), others: others)))
  }

  private var hubsToInvite: [HubAddress] {
    hubs.toInvite(from: present.seat, others: Set(present.others.keys), hasState: coordination.hasState)
  }

  // MARK: The owner's calls: life

  /// Becomes a participant; JOINED once all registers came.
  package func join() {
    guard case .following? = life?.membership else { return }
    life?.membership = .joining
    log("joining")
    if keepsStandbyHub { keepStandbyHub() }
    handle(.participate)
  }

  package func leave() {
    guard life != nil else { return }
    sayGoodbye()
    settle()
    invalidate(.left, "left")
  }

  /// Ends the session for everybody.
  package func end() {
    guard life != nil else { return }
    handle(.end)
    guard coordination.endStatement != nil else { return }
    settle()
    invalidate(.ended, "ended for everybody by this participant")
  }

  /// Ends without events: the session object goes, and with it the hub in this process, which served the others until now.
  package func close() {
    if life != nil {
      sayGoodbye()
      carryOut(coordination.settle(now: environment.now))
    }
    _ = attachments.close()
    sessionAudience.end(isOver: endsAudience)
    if case .live(let life) = phase {
      phase = .over
      leaveOtherRooms(of: life)
    }
    leavePresentRoom()
    hub?.close(after: identity.id)
  }

  // MARK: The owner's calls: coordinators beside the first one

  /// One of its name that is still there is forgotten.
  package func addCoordinator(
    _ name: CoordinatorName, firstCommand: UInt64, deliver: @escaping (CoordinatorNews) -> Void
  ) {
    named.add(name, of: configuration, firstCommand: firstCommand) { StatementBody.digestInput(of: $0, of: name) }
    namedHosts[name] = deliver
    tellCoordinators()
  }

  package func removeCoordinator(_ name: CoordinatorName, firstCommand: UInt64) {
    let effects = named.remove(name, firstCommand: firstCommand, coordination, now: environment.now)
    if !named.has(name) { namedHosts[name] = nil }
    storedCoordination.setPlayingBeside(named.isPlaying)
    guard life != nil else { return }
    carryOut(effects)
    tellCoordinators()
  }

  package func handle(_ event: CoordinationEvent, of name: CoordinatorName) {
    guard life != nil else { return }
    carryOut(named.handle(event, of: name, coordination, now: environment.now))
  }

  private func receive(_ message: CoordinationMessage, from sender: ParticipantID, of name: CoordinatorName) {
    guard life != nil else { return }
    carryOut(named.receive(message, from: sender, of: name, coordination, namedSurroundings, now: environment.now))
  }

  package func view(of name: CoordinatorName) -> CoordinationView? {
    guard var view = named.read(name, { $0.view }) else { return nil }
    view.participants.persons = present.channel.persons
    view.participants.splits = splits.flags
    return view
  }

  /// The others hear which are here, and what is said of any other is not read.
  private func tellCoordinators() {
    let names = named.names
    for residence in [present] + [life?.next].compactMap({ $0 }) { residence.withChannel { $0.setCoordinators(names) } }
    handle(.setCoordinators(names))
  }

  private func settleNamed() {
    guard !named.isEmpty else { return }
    carryOut(named.settle(coordination, namedSurroundings, now: environment.now))
    storedCoordination.setPlayingBeside(named.isPlaying)
  }

  private var namedSurroundings: NamedCoordinations.Surroundings? {
    present.seat.map { NamedCoordinations.Surroundings(members: present.others, hub: $0.clockID) }
  }

  private func carryOut(_ effects: NamedCoordinations.Effects) {
    for one in effects {
      for effect in one.effects { carryOut(effect, of: one.name) }
    }
  }

  /// What is the session's is told by its own coordination.
  private func carryOut(_ effect: CoordinationEffect, of name: CoordinatorName) {
    switch effect {
    case .send(let message, let receiver): perform { $0.send(message, of: name, to: receiver, now: environment.now) }
    case .playback(let effect): namedHosts[name]?(.playback(effect))
    case .session(.participantsChanged(var change)):
      complete(&change.joined)
      complete(&change.updated)
      complete(&change.left)
      namedHosts[name]?(.participants(change))
    case .session(.notice(let notice, let originator)): deliver(.notice(notice, originator: originator, coordinator: name))
    case .session(.refused(let operation, let status, let message)):
      namedHosts[name]?(.refused(operation: operation, status: status, message: message))
    case .session(.log(let level, let text)): deliver(.log(level, "\(name): \(text)"))
    case .session: break
    }
  }

  private func sayGoodbye() {
    if let initiator, initiator.endsSession, initiator.id == identity.id { handle(.end) }
    let now = environment.now
    for residence in [present] + retired { carryOut(residence.withChannel { $0.finishRekey(now: now) }, of: residence) }
    for name in named.names.sorted() { carryOut(named.handle(.leave, of: name, coordination, now: now)) }
    handle(.leave)
    // Who is an owner only from now on is among them.
    carryOut(sessionAudience.handOver(to: otherHosts))
    transmit(.bye, to: nil)
  }

  package func handle(_ event: CoordinationEvent) {
    guard life != nil else { return }
    carryOut(coordination.handle(event, now: environment.now))
    followInNamed(event)
  }

  private func followInNamed(_ event: CoordinationEvent) {
    if !named.isEmpty { carryOut(named.follow(event, coordination, now: environment.now)) }
  }

  /// Who can read, for those who go by seniority, and which of them are one person.
  private func reviewRoster() {
    let persons = present.channel.persons
    if persons != knownPersons {
      knownPersons = persons
      handle(.persons(persons))
    }
    let roster = present.channel.roster
    guard roster != knownRoster else { return }
    knownRoster = roster
    handle(.roster(roster))
  }

  /// Ends a loop turn: decides, commands, reports; arms the timer for what comes next.
  package func settle() {
    guard life != nil else { return }
    checkSleep()
    reviewHubs()
    reviewRooms()
    reviewFreshness()
    reviewRoster()
    settleAttachments()
    reviewAudience()
    carryOut(coordination.settle(now: environment.now))
    settleNamed()
    settleAudience()
    // The others hear of a command before the rest of the turn is done.
    environment.flush()
    settleChat()
    followAttachments()
    if state.status == .joined { carryOut(messages.follow(coordination.playback, now: environment.now)) }
    let now = environment.now
    reportStatus(now: now)
    present.withChannel { $0.forgetStrangers(authors: { coordination.authors.union(named.authors) }, now: now) }
    arm(now: now)
  }

  // MARK: The owner's calls: messages

  /// Sends the application's bytes, for which `outgoing` gave room. `to` nil: to all others.
  package func send(_ bytes: [UInt8], label: MessageLabel? = nil, isReliable: Bool, to: [ParticipantID]?) {
    guard state.status == .joined, to != [] else { return carryOut(messages.release(bytes.count)) }
    messages.send(bytes, label: label, isReliable: isReliable, to: to)
    pumpMessages()
  }

  /// The same, to be delivered where each receiver's playback is at this place of an item.
  package func send(_ bytes: [UInt8], label: MessageLabel?, at cue: MessageCue, to: [ParticipantID]?) {
    guard state.status == .joined, to != [] else { return carryOut(messages.release(bytes.count)) }
    var cue = cue
    cue.itemTime = coordination.sharedTime(of: cue.itemTime, in: cue.item)
    guard messages.send(bytes, label: label, at: cue, to: to, by: identity.id, now: environment.now) else {
      let why = "\(CueLimits.perSender) messages of this participant wait for their place; send it when some were delivered"
      deliver(.refused(operation: .sendAt, status: .busy, message: why))
      return carryOut(messages.release(bytes.count))
    }
    pumpMessages()
  }

  package func post(_ notice: NoticeMessage) {
    guard state.status == .joined else { return }
    transmit(.notice(notice), to: nil)
  }

  /// `number`: the own one of the entry, ascending.
  package func say(_ text: String, number: UInt64) {
    guard state.status == .joined else { return }
    let view = coordination.groupView
    chat.say(text, number: number, as: view.participants.first { $0.isLocal }?.displayName ?? "", view, now: environment.now)
  }

  package func react(_ text: String) {
    guard state.status == .joined else { return }
    carryOut(chat.react(text, coordination.groupView, now: environment.now))
  }

  /// Offers bytes to the group. `request`: the own number of the call, which comes with what becomes of it.
  package func attach(_ source: AttachmentSource, name: String, type: String, request: UInt64) {
    guard state.status == .joined else { return }
    carryOut(attachments.publish(source, name: name, type: type, request: request))
  }

  /// Loads an attachment into a new file.
  package func loadAttachment(_ id: AttachmentID, to path: String) {
    guard state.status == .joined else { return }
    do throws(Attachments.Refusal) {
      carryOut(try attachments.load(id, to: path, now: environment.now))
    } catch {
      let why = error == .loading ? "it is being loaded already" : "\(Attachments.loads) others are being loaded"
      deliver(.refused(operation: .loadAttachment, status: .busy, message: why))
    }
  }

  package func cancelAttachment(_ id: AttachmentID) { carryOut(attachments.cancel(id)) }

  package func removeAttachment(_ id: AttachmentID) {
    guard state.status == .joined else { return }
    carryOut(attachments.remove(id, mayCommand: coordination.view.mayCommand))
  }

  package func requestForeground() {
    guard state.status == .joined else { return }
    transmit(.foreground(startedInBackground), to: nil)
  }

  package func setSpeaking(_ speaking: Bool) {
    guard state.status == .joined else { return }
    carryOut(messages.setSpeaking(speaking))
  }

  /// Asks those who may command: "Ask to pause". `number`: the own one of the request, ascending.
  package func ask(_ request: CommandRequest, number: UInt64) {
    guard state.status == .joined else { return }
    do throws(CommandRequests.Refusal) {
      var request = request
      request.itemTime = coordination.sharedTime(of: request.itemTime, in: request.item)
      carryOut(try requests.ask(request, number: number, of: commanders, now: environment.now))
    } catch {
      deliver(.requestRefused(error, operation: .requestCommand))
    }
  }

  package func answerRequest(of asker: ParticipantID, _ number: UInt64, isGranted: Bool) {
    guard state.status == .joined else { return }
    do throws(CommandRequests.Refusal) {
      // A request that cannot be carried out is not said to be granted.
      let item = requests.answerable.first { $0.asker == asker && $0.number == number }?.item
      if isGranted, !coordination.view.mayCommand || item != coordination.view.item { throw .notOpen }
      carryOut(try requests.answer(asker, number, isGranted: isGranted, commanders: commanders))
    } catch {
      deliver(.requestRefused(error, operation: .answerRequest))
    }
  }

  /// Everybody who may command and takes part now.
  private var commanders: [ParticipantID] {
    let view = coordination.view
    return view.participants.filter { view.isCommander($0) }.map { $0.id }
  }

  // MARK: The owner's calls: the audience (wire 8.27)

  package var audience: AudienceNews { sessionAudience.news.state == .closed ? AudienceNews() : sessionAudience.news }
  /// By which anybody listens; nil: there is no audience, or this participant is no host.
  package var audienceLink: String? { sessionAudience.link }

  /// Whoever has the link hears from now on what plays, as long as there is a host in the session.
  package func openAudience(_ terms: AudienceTerms = AudienceTerms()) throws(AudienceRefusal) {
    guard state.status == .joined else { throw .notJoined }
    try sessionAudience.open(audienceSurroundings, hubs: Array(hubsToInvite.prefix(Invite.maximumHubs)), terms: terms)
  }

  package func closeAudience() { sessionAudience.close(audienceSurroundings) }

  /// The audience gets another link, which is in force at once; who listens is led to it.
  package func renewAudience() throws(AudienceRefusal) {
    guard state.status == .joined else { throw .notJoined }
    try sessionAudience.renew(audienceSurroundings, hubs: Array(hubsToInvite.prefix(Invite.maximumHubs)))
  }

  /// Of the audience's listeners who asked to be invited.
  package var askingListeners: [ParticipantID] { sessionAudience.asking }

  /// Hands the invite to a listener who asked for it.
  package func inviteListener(_ listener: ParticipantID) throws(AudienceRefusal) {
    guard sessionAudience.isSpokenToHere else { throw .notOpen }
    guard let text = try? invite() else { throw .notSent }
    try sessionAudience.invite(listener, by: text)
  }

  private var audienceSurroundings: SessionAudience.Surroundings {
    SessionAudience.Surroundings(
      register: coordination.audience, hosts: coordination.presentHosts, isInStep: coordination.isInStep, refusal: audienceRefusal)
  }

  /// Why listeners could not tell whose commands count, or this participant's word would not.
  private var audienceRefusal: AudienceRefusal? {
    let terms = coordination.policy.terms(origin: origin.policy)
    guard terms.owners.contains(identity.id) || terms.roles[identity.id] == .host else { return .denied }
    guard terms.control == .hostsOnly else { return .control }
    return origin.policy.joinerRole == .member ? nil : .joinerRole
  }

  private var hasAudience: Bool { coordination.audience != nil || sessionAudience.isInUse }

  /// Before the coordination's turn, so that what is written goes out in it.
  private func reviewAudience() {
    if hasAudience { carryOut(sessionAudience.review(audienceSurroundings)) }
    let readiness = hasAudience ? sessionAudience.readiness(for: coordination.awaitedReadiness) : nil
    if readiness != coordination.audienceReadiness { handle(.audienceReadiness(readiness)) }
  }

  private func settleAudience() {
    guard hasAudience else { return }
    let residence = present
    let outputs = sessionAudience.follow(audienceSurroundings, seat: residence.seat, revision: coordination.registerRevision) {
      StageInput(
        state: coordination.staged, sign: { residence.channel.signed($0) }, keys: { residence.channel.keys(of: $0) },
        hubs: hubsToInvite, hosts: coordination.presentHosts)
    }
    carryOut(outputs)
  }

  private func carryOut(_ outputs: [SessionAudience.Output]) {
    for output in outputs {
      switch output {
      case .write(let value): handle(.setAudience(value))
      case .send(let message, let hosts): transmit(.stage(message), to: hosts, isPrivate: true)
      case .serve(let topic): hub?.serve(also: topic)
      case .stopServing(let topic): hub?.stopServing(topic)
      }
    }
  }

  /// Hosts who are still here as this participant goes.
  private var otherHosts: [ParticipantID] { coordination.presentHosts.filter { $0 != identity.id } }

  /// As this participant goes nobody speaks to the audience any more. Who is cut off from the others cannot know that.
  private var endsAudience: Bool { otherHosts.isEmpty && (present.seat != nil || isAlone) }

  // MARK: The owner's calls: policy

  package func setRole(of participant: ParticipantID, to role: Role) { handle(.changePolicy(.role(participant, role))) }

  package func setControl(_ control: ControlPolicy) { handle(.changePolicy(.control(control))) }

  /// Whether nobody new is let in.
  package func setClosed(_ isClosed: Bool) { handle(.changePolicy(.closing(isClosed))) }

  /// Names those who stand in when no owner is there.
  package func setSuccession(_ succession: SuccessionTerms) { handle(.changePolicy(.succession(succession))) }

  /// Puts a participant out, with all devices of its person: the session moves to a new room with a new key, and the invite is
  /// renewed.
  package func remove(_ participant: ParticipantID) { remove(present.channel.devices(of: participant)) }

  private func remove(_ participants: [ParticipantID]) {
    let basis = coordination.policy.basis(
      for: identity.id, origin: origin.policy, originID: PolicyStack.origin, hash: Hash.sha256)
    let now = environment.now
    let secrets = present.withChannel { $0.makeRoom(without: participants, basis: basis?.id ?? PolicyStack.origin, now: now) }
    let topic = secrets.place(in: origin.session).topic
    life?.relocation.prepare(secrets, topic: topic)
    handle(
      .changePolicy(
        .removal(participants, topic: topic, founding: secrets.founding.id, leaving: relocation.leaving(door.topic))))
    if coordination.policy.levels.last?.terms.topic != topic { life?.relocation.discard(topic) }
  }

  /// The room begins anew for those who are here: who is gone for a while could still read, and takes up a place. The most senior
  /// owner who is here does it.
  private func reviewFreshness() {
    let now = environment.now
    guard mayRefresh, present.withChannel({ $0.wantsRefresh(now: now) }),
      let basis = coordination.policy.basis(
        for: identity.id, origin: origin.policy, originID: PolicyStack.origin, hash: Hash.sha256)
    else { return }
    let secrets = present.withChannel { $0.makeRoom(without: [], behind: present.doorSecret, basis: basis.id, now: now) }
    life?.relocation.keepBeginning(secrets)
    handle(.changePolicy(.refresh(topic: door.topic, founding: secrets.founding.id)))
    if coordination.policy.levels.last?.terms.founding != secrets.founding.id {
      _ = life?.relocation.popBeginning(secrets.founding.id)
    }
  }

  /// The most senior owner who is here, and in no other room soon.
  private var mayRefresh: Bool {
    guard life?.next == nil, state.status == .joined else { return false }
    let owners = coordination.policy.levels.last?.terms.owners ?? [origin.root]
    return owners.first { $0 == identity.id || present.channel.members[$0] != nil } == identity.id
  }

  /// Goes on in the beginning of the present room that the policy in force names, if its key is there.
  private func beginAnew(_ terms: PolicyTerms) {
    guard terms.topic == door.topic, let secrets = life?.relocation.popBeginning(terms.founding) else { return }
    let now = environment.now
    if secrets.founding.author == identity.id { perform { $0.sendRekey(secrets, now: now) } }
    perform { $0.refresh(secrets, now: now) }
  }

  /// A removal of this owner's that lost against another owner's: made in the room that the winner names.
  private func removeOnceThere(_ participants: [ParticipantID]) {
    guard let terms = coordination.policy.levels.last?.terms, terms.hasMoved, terms.topic != door.topic else {
      return remove(participants)
    }
    life?.relocation.postponeRemoval(of: participants)
  }

  // MARK: Events of the residences

  private func connect(_ residence: Residence, group: HubGroup = .none, isOwnHubVisited: Bool = false) {
    residence.connect(
      environment, identity: identity, turns: turns, passes: passes, candidates: hubs.directory.candidates, group: group,
      isOwnHubVisited: isOwnHubVisited
    ) { [this] residence, event in this.object?.handle(event, of: residence) }
  }

  private func handle(_ event: Residence.Event, of residence: Residence) {
    let now = environment.now
    switch (residence.phase, event) {
    case (.present, .entered(let seat)): entered(seat)
    case (.present, .moves(let hub)): moves(to: hub)
    case (.present, .ending(let within)): log("the hub ends within \(within / .milliseconds(1)) ms; the next one is turned to")
    case (.present, .presence(let joined, let gone)): presence(joined: joined, gone: gone)
    case (.present, .delivered(let envelope)): received(envelope)
    case (.present, .probed(let sample)): probed(sample)
    case (.present, .missed(let ids)): missed(ids)
    case (.present, .clocks(let report)): handle(.clocks(report))
    case (.present, .drained): pumpMessages()
    case (.present, .lost(let end, let retry)): lost(end, retry: retry)
    case (.present, .setAside(let hub, let end, let until)): tell(HubDoubtNews(hub, after: end, until: until).map { [$0] } ?? [])

    case (.next(let secrets, let isLate), .entered(let seat)): move(into: residence, seat, secrets, isLate: isLate)
    case (.next, .lost(let end, retry: nil)): nextUnreachable(end)
    case (.next, _): return

    case (.retired, .entered(let seat)):
      carryOut(residence.enter(members: others(at: seat), now: now), of: residence)
      residence.postRelocationNotice(isFinal: false)
    case (.retired, .presence(let joined, let gone)):
      carryOut(residence.updatePresence(joined: joined, gone: gone, now: now), of: residence)
    case (.retired, .delivered(let envelope)):
      carryOut(residence.withChannel { $0.received(envelope, now: now) }, of: residence)
    case (.retired, .lost(_, let retry)):
      residence.linkDown(now: now)
      if retry == nil { closeRetired(residence) }
    case (.retired, .moves), (.retired, .ending), (.retired, .probed), (.retired, .missed), (.retired, .clocks),
      (.retired, .drained), (.retired, .setAside):
      return

    case (.farewell(let end), .presence(let joined, let gone)):
      carryOut(residence.updatePresence(joined: joined, gone: gone, now: now), ofFarewell: end)
    case (.farewell(let end), .delivered(let envelope)):
      carryOut(residence.withChannel { $0.received(envelope, now: now) }, ofFarewell: end)
    case (.farewell, .lost): leavePresentRoom()
    case (.farewell, _): return

    case (.closed, _): return
    }
  }

  private func others(at seat: RoomEntry) -> [Member] { seat.members.filter { $0.id != identity.id } }

  private func entered(_ seat: RoomEntry) {
    // A move to another hub without losing this one: to participants who were together there.
    let hasMoved = isLinked
    let former = hasMoved ? lastSeat : nil
    if hasMoved { linkDown() }
    recordMissing(at: seat)
    if status.wasConnected { statistics.reconnects += 1 }
    enterRoom(seat, mergedWithOthers: hasMoved)
    hubs.setOut(from: present.client?.isOnErrand == true ? former : nil)
    readOwnAddresses()
  }

  /// Who stays in this room may not know the way.
  private func moves(to hub: HubAddress) {
    hubs.move(to: hub)
    readOwnAddresses()
  }

  /// Participants who are not in a room that was entered have lost their link as well.
  private func recordMissing(at seat: RoomEntry) {
    let now = environment.now
    let lost = linkLost
    let members = Set(seat.members.map { $0.id })
    for id in hubs.directory.known where id != identity.id && !members.contains(id) {
      absences.missing(id, since: lost ?? now)
    }
    if let lost { messages.returned(lostAt: lost, now: now) }
  }

  /// In a room of the session.
  private var isLinked: Bool { if case .up? = life?.link { true } else { false } }
  /// Host time since which it is not; nil: it is, or never was.
  private var linkLost: HostTime? { if case .lost(let since)? = life?.link { since } else { nil } }

  /// In a room of the session.
  ///
  /// - Parameters:
  ///   - mergedWithOthers: its members were together without this participant.
  ///   - expected: of those who were there with us and go here, too, who is not here yet; nil: they did not come along.
  private func enterRoom(_ seat: RoomEntry, mergedWithOthers: Bool = false, expecting expected: [Member]? = nil) {
    life?.link = .up
    if let lastSeat, lastSeat.hubID != seat.hubID {
      statistics.hubChanges += 1
      log("at another hub: \(seat.address)")
    }
    lastSeat = seat
    let now = environment.now
    status.entered(now: now)
    hubs.entered(seat)
    hubDoubts.entered(seat.hubID, address: seat.address, isOwn: hubs.isOwn(seat), now: now)
    let others = others(at: seat)
    clock.enter(seat.clockID, hasDatagrams: seat.udpPort != 0, now: now)
    let entry: CoordinationEvent =
      expected.map { .moved(members: others + $0, clock: seat.clockID) } ?? .linkUp(members: others, clock: seat.clockID)
    carryOut(coordination.handle(entry, now: now))
    followInNamed(entry)
    present.withChannel { $0.setRate(seat.bytesPerSecond, now: now) }
    carryOut(present.enter(members: others, mergedWithOthers: mergedWithOthers, now: environment.now), of: present)
    updateClock()
    reportStatus(now: environment.now)
  }

  private func presence(joined: [Member], gone: [Departure]) {
    for departure in gone where departure.left { hubs.forget(departure.id) }
    hubs.markStale()
    carryOut(present.updatePresence(joined: joined, gone: gone, now: environment.now), of: present)
    handle(.presence(joined: joined, gone: gone))
    let now = environment.now
    chat.presenceChanged(now: now)
    for departure in gone {
      carryOut(messages.recordSpeaking(departure.id, false))
      absences.departed(departure.id, left: departure.left, now: now)
    }
    for member in joined {
      if let lost = absences.returned(member.id) { messages.returned(member.id, lostAt: lost, now: now) }
    }
    judgeWordOfEnd()
    pumpMessages()
    reportStatus(now: environment.now)
  }

  /// Not all that these said came.
  private func missed(_ ids: [ParticipantID]) {
    log("the hub lost some of what others said; it is asked for")
    handle(.missed(ids))
  }

  private func linkDown() {
    life?.link = .lost(since: environment.now)
    hubs.markStale()
    status.linkDown()
    carryOut(messages.linkDown())
    present.linkDown(now: environment.now)
    clock.linkDown()
    handle(.linkDown)
  }

  private func received(_ envelope: [UInt8]) {
    statistics.messagesReceived += 1
    statistics.bytesReceived += UInt64(envelope.count)
    perform { $0.received(envelope, now: environment.now) }
  }

  private func lost(_ end: HubLinkEnd, retry: HostTime?) {
    if isLinked { linkDown() }
    guard retry == nil else {
      status.lost(end)
      return reportStatus(now: environment.now)
    }
    if case .refused(let status, _, _) = end, HubRefusal(rawValue: status) == .auth {
      return invalidate(.authentication, "not let in: the invitation was renewed; ask for a new one")
    }
    invalidate(SessionReason(end), end.reason)
  }

  private func probed(_ sample: ProbeSample) {
    // Asked before this machine slept: its times do not belong together.
    if checkSleep() { return }
    statistics.probesReceived += 1
    statistics.lastRoundTrip = sample.roundTrip
    clock.add(sample, now: environment.now, isPlaying: coordination.view.timing.status == .playing || named.isPlaying)
    updateClock()
  }

  // MARK: Relocation

  /// Another policy is in force.
  private func follow(_ policy: PolicyStack) {
    for residence in [present] + [life?.next].compactMap({ $0 }) + retired { residence.withChannel { $0.setPolicy(policy) } }
    guard let terms = policy.levels.last?.terms else { return }
    for id in terms.removed { hubs.forget(id) }
    beginAnew(terms)
    if let secrets = relocation.made[terms.topic], terms.topic != door.topic {
      // Of a race of owners some may be a room behind.
      for residence in [present] + retired {
        carryOut(residence.withChannel { $0.sendRekey(secrets, now: environment.now) }, of: residence)
      }
      life?.relocation.confirm(terms.topic)
    }
    followIfPossible()
  }

  /// Secrets that a policy names came; that policy may be in force already, or come to be.
  private func learn(_ secrets: RoomSecrets, isLate: Bool) {
    let topic = secrets.place(in: origin.session).topic
    guard topic != door.topic else {
      life?.relocation.keepBeginning(secrets)
      if let terms = coordination.policy.levels.last?.terms { beginAnew(terms) }
      return
    }
    if life?.relocation.learn(secrets, topic: topic, isLate: isLate, present: door.topic) == true { followIfPossible() }
  }

  /// Sets out to the room of the policy in force, if the way to it is known.
  private func followIfPossible() {
    guard let life, let topic = coordination.policy.levels.last?.terms.topic, topic != door.topic,
      let (secrets, isLate) = life.relocation.way(to: topic)
    else { return }
    if let next = life.next {
      guard next.door.topic != topic else { return }
      next.close()
    }
    if self.life?.relocation.claimSharing(of: topic) == true { perform { $0.sendRekey(secrets, now: environment.now) } }
    hub?.serve(also: topic)
    let residence = Residence(
      doorSecret: secrets.door, channel: present.channel.relocated(to: secrets, now: environment.now),
      phase: .next(secrets, isLate: isLate))
    self.life?.next = residence
    // Where the group lives at the hub of this process it finds its next room there.
    connect(residence, isOwnHubVisited: hubs.isOwn(present.seat))
  }

  /// In the next room: from now on only what is said there counts; the former one is read for a moment more.
  private func move(into new: Residence, _ seat: RoomEntry, _ secrets: RoomSecrets, isLate: Bool) {
    guard new === life?.next, present.client != nil else { return }
    let old = present
    let now = environment.now
    life?.next = nil
    let isOwn = life?.relocation.moved(from: old.door.topic, to: new.door.topic) == true
    life?.retired.append(old)
    old.retire(
      secrets: secrets, author: coordination.policy.levels.last?.author ?? .none, isKept: isOwn, now: now)
    hub?.retire(old.door.topic, members: Set(old.channel.followers(now: now)).union([identity.id]))
    let expected = old.channel.members.values.filter { member in
      !old.channel.isRemoved(member.id) && !seat.members.contains { $0.id == member.id }
    }
    life?.relocation.expect(expected.map { $0.id }, until: now.adding(Residence.reading))
    new.becomePresent()
    present = new
    for change in splits.endUnreadable() { report(change) }
    hubs.moved()
    enterRoom(
      seat, mergedWithOthers: isLate,
      expecting: isLate ? nil : expected.map { Member(id: $0.id, connection: 0, age: $0.age) })
    deliver(.inviteChanged)
    if let wanted = life?.relocation.popPostponedRemoval() { remove(wanted) }
  }

  /// The next room cannot be entered: the policy that names it still holds, and a later one may name another.
  private func nextUnreachable(_ end: HubLinkEnd) {
    life?.next = nil
    deliver(.log(.warning, "the session's new room could not be entered: \(end.reason)"))
    if relocation.hasNotice { invalidateAsRenewed() }
  }

  /// A relocation notice was found at the present door.
  private func handleRelocationNotice(_ levels: [PolicyLevel]) {
    guard origin.hasLeft(door.topic, by: levels) else {
      return deliver(.log(.debug, "a notice at the door does not show that the session moved"))
    }
    // A participant on its way to where the session is now has not lost it.
    life?.relocation.foundNotice()
    if life?.next == nil { invalidateAsRenewed() }
  }

  /// The end counts where it would have counted when it was said: for who was in the group by its policy, for who was not by an
  /// owner's signature. Of anybody else's it is told that it was found, and the group is looked for all the same.
  private func judgeWordOfEnd() {
    // Of whom a stranger asked nobody had the key, before its channel handed the word on.
    let isUnopposed = present.others.isEmpty || !coordination.hasState
    guard let word = wordOfEnd.judge(isUnopposed: isUnopposed) else { return }
    if coordination.hasState || origin.isOwner(word.end.author, by: word.levels) {
      handle(.message(.levels(word.levels), from: word.end.author))
      handle(.message(.update([word.end]), from: word.end.author))
    } else if isUnopposed {
      status.foundEnd()
      reportStatus(now: environment.now)
    }
  }

  private func invalidateAsRenewed() {
    invalidate(.authentication, "the session moved out of this room: the invitation was renewed; ask for a new one")
  }

  private func closeRetired(_ residence: Residence) {
    residence.leave(isLast: true)
    life?.retired.removeAll { $0 === residence }
    hub?.stopServing(residence.door.topic)
  }

  /// Retired rooms are closed, erased, and kept when it is this participant's turn; who was not handed the way out of the present one
  /// notices.
  private func reviewRooms() {
    let now = environment.now
    if let terms = coordination.policy.levels.last?.terms, terms.hasMoved {
      life?.relocation.review(topic: terms.topic, present: door.topic, now: now)
    }
    for residence in retired where residence.retirement.map({ $0.closesAt <= now }) ?? false { closeRetired(residence) }
    for residence in retired {
      residence.withChannel { $0.eraseKeys(now: now) }
      carryOut(residence.withChannel { $0.continueRekey(now: now) }, of: residence)
    }
    for residence in retired {
      guard let retirement = residence.retirement, !retirement.isKept,
        residence.review(isKeeper: present.seat != nil && keeper(of: retirement) == identity.id, now: now)
      else { continue }
      residence.keepDoor()
      // It is found at the hub where the group is, also if that is the one in this process.
      connect(residence, isOwnHubVisited: hubs.isOwn(present.seat))
      deliver(.log(.info, "the door of the session's former room is kept here from now on"))
    }
    // Those who came have a connection of their own, which this says nothing about.
    if let ids = life?.relocation.popExpected(now: now) {
      handle(.presence(joined: [], gone: ids.map { Departure(id: $0, connection: 0, left: false) }))
    }
  }

  /// Participant that keeps the door of a retired room: the author of the move; the least of the present ones once that is gone.
  private func keeper(of retirement: Residence.Retirement) -> ParticipantID? {
    let members = present.channel.members
    let isHere = { [present, identity] (id: ParticipantID) in
      (id == identity.id || members[id] != nil) && !present.channel.isRemoved(id)
    }
    if isHere(retirement.author) { return retirement.author }
    return ([identity.id] + members.keys).filter(isHere).min()
  }

  // MARK: Hubs

  /// A hub in this process that serves the others when the one in use dies. A session does without where none can be bound.
  private func keepStandbyHub() {
    guard hub == nil else { return readOwnAddresses() }
    do throws(NetworkError) {
      let seed = hubSeed ?? Secret(random: environment.randomBytes)
      let server = try SessionStart.hub(seed, called: "standby hub", HubOptions(limits: .embedded), environment, deliver)
      hubSeed = seed
      server.serve(only: door.topic)
      clock.setOwn(server.clockID, server.clock)
      hubs.keep(server)
      watchOwnHub()
    } catch {
      deliver(.log(.warning, "no standby hub in this process: \(error.message)"))
    }
    readOwnAddresses()
    present.client?.setCandidates(hubs.directory.candidates)
  }

  /// Follows who comes to the hub in this process, or looks who is there.
  private func watchOwnHub() {
    hub?.observe(
      onEntry: { [this] in this.object?.ownHubEntered() }, onPeek: { [this] id in this.object?.ownHubPeeked(by: id) })
  }

  private func ownHubEntered() {
    for residence in [present] + [life?.next].compactMap({ $0 }) where hubs.isVisited(residence.door) {
      residence.client?.setOwnHubVisited(true)
    }
  }

  /// One who is missing looks for this participant: it can be reached again.
  private func ownHubPeeked(by id: ParticipantID) {
    if hubs.directory.known.contains(id), present.others[id] == nil { present.client?.peekAgain() }
  }

  private func readOwnAddresses() {
    handle(.setHubAddresses(hubs.readOwnAddresses(now: environment.now)))
  }

  /// After a turn in which something came: who belongs to the session, where their hubs are, who is missing.
  private func reviewHubs() {
    if hubs.isAddressCheckDue(now: environment.now) {
      hubs.setOut(from: nil)
      readOwnAddresses()
      hubs.markStale()
    }
    guard let client = present.client, hubs.claimReview(registers: coordination.registerRevision, hasState: coordination.hasState)
    else { return }
    for id in absences.forget(allBut: HubDirectory.absentMost) {
      hubs.forget(id)
      messages.forget(id)
    }
    if client.isOwnHubVisited, !hubs.isVisited(door) { client.setOwnHubVisited(false) }
    guard
      hubs.review(
        registers: coordination.hubAddresses, absent: absences.since, seat: present.seat,
        others: Set(present.others.keys), hasState: coordination.hasState)
    else { return }
    let candidates = hubs.directory.candidates
    client.setCandidates(candidates)
    for residence in retired where residence.retirement?.isKept == true { residence.client?.setCandidates(candidates) }
    client.setGroup(HubGroup(isNewcomer: !coordination.hasState, known: hubs.directory.known))
    if hubs.claimInviteChange(hubsToInvite) { deliver(.inviteChanged) }
  }

  /// A member's snapshot has the registers also of those who are not where it was given: one who came to fetch this participant
  /// knows where the others are.
  private func recordHubs(in statements: [Statement]) {
    for statement in statements {
      guard case .participant(let id) = statement.key, case .participant(let value) = statement.value, !value.left,
        !present.channel.isRemoved(id)
      else { continue }
      hubs.record(id, hubs: value.hubAddresses)
    }
  }

  // MARK: Time

  private func updateClock() {
    statistics.roundTrip = clock.roundTrip
    if let usual = clock.usualRoundTrip { present.withChannel { $0.measured(roundTrip: usual) } }
    handle(.clock(clock.model(now: environment.now).model, roundTrip: clock.usualRoundTrip))
    wordOfEnd.measured(coordination.isMember ? coordination.groupClock : nil, now: environment.now)
    judgeWordOfEnd()
  }

  /// After sleep the clock is measured anew before anything is corrected by it; true: this machine slept.
  @discardableResult
  private func checkSleep() -> Bool {
    guard let length = sleep.slept(total: environment.timeAsleep) else { return false }
    let seconds = length / .seconds(1)
    deliver(.log(.info, "this machine slept for \(seconds) s: the session's clock is measured anew"))
    hub?.noticeSleep()
    present.client?.forgetProbes()
    clock.slept(own: hub.map { ($0.clockID, $0.clock) }, now: environment.now)
    carryOut(coordination.handle(.slept, now: environment.now))
    return true
  }

  private func tick() {
    armed = nil
    guard life != nil else { return leavePresentRoom() }
    checkSleep()
    let now = environment.now
    perform { $0.tick(now: now) }
    handle(.tick)
    let overdue = messages.tick(now: now)
    pumpMessages()
    carryOut(overdue)
    carryOut(requests.tick(now: now))
    tell(otherItems.news(now: now))
    tell(hubDoubts.tick(now: now))
    let ways = clock.claimProbe(now: now)
    if !ways.isEmpty {
      statistics.probesSent += 1
      present.client?.probe(ways)
    }
    if clock.model(now: now).changed { updateClock() }
  }

  /// `now`: as of when the state was reported. What became due since then has yet to be.
  private func arm(now: HostTime) {
    let wakes =
      [
        coordination.nextWake, present.channel.nextWake, relocation.nextWake(now: now), clock.nextWake,
        named.nextWake, messages.nextWake, requests.nextWake, coordination.hasState ? nil : status.nextWake(now: now),
        hubs.nextWake, otherItems.nextWake, hubDoubts.nextWake, messages.canSpeak ? attachments.nextWake(now: now) : nil,
        state.status == .joined ? chat.nextWake : nil, mayRefresh ? present.channel.nextRefresh : nil,
        sessionAudience.nextWake,
      ] + retired.map { $0.nextWake }
    let wake = wakes.compactMap { $0 }.min()
    // Most turns change nothing of it.
    guard wake != armed else { return }
    armed = wake
    timer?.arm(at: wake)
  }

  // MARK: Messages

  /// Hands to the link what it can carry now.
  private func pumpMessages() {
    guard present.client != nil else { return }
    guard messages.canSpeak else { return carryOut(messages.dropUnreliable()) }
    let audience = hubs.directory.known.subtracting([identity.id])
    while present.queuedBytes < MessageDelivery.linkQueue,
      let outputs = messages.next(audience: audience, now: environment.now)
    {
      carryOut(outputs)
    }
  }

  /// Says something inside the group's envelope; nothing while there is no link or no key. `isPrivate`: the others
  /// cannot read it.
  private func transmit(
    _ message: InnerMessage, to: [ParticipantID]?, isPrivate: Bool = false, unordered: Bool = false
  ) {
    let now = environment.now
    perform { channel in
      guard isPrivate, let to else { return channel.send(message, to: to, unordered: unordered, now: now) }
      return channel.sendPrivately(message, to: to, unordered: unordered, now: now)
    }
  }

  private func receive(_ message: InnerMessage, from sender: ParticipantID) {
    let now = environment.now
    switch message {
    case .bye:
      hubs.forget(sender)
      hubs.markStale()
      handle(.presence(joined: [], gone: [Departure(id: sender, connection: .max, left: true)]))
    case _ where state.status != .joined: return
    case .data(let number, let bytes, let previous, let label, let cue):
      carryOut(
        messages.receive(bytes, label: label, cue: cue, number: number, previous: previous, from: sender, now: now))
    case .notice(let notice): deliver(.notice(notice, originator: sender, coordinator: nil))
    case .foreground: deliver(.foregroundRequested(sender))
    case .attachment(let saying): carryOut(attachments.receive(saying, from: sender, now: now))
    case .speaking(let speaking): carryOut(messages.recordSpeaking(sender, speaking))
    case .request(let number, let request):
      carryOut(
        requests.take(
          number, request, from: sender, mayCommand: coordination.view.mayCommand,
          isEntitled: !commanders.contains(sender), now: now))
    case .answer(let asker, let number, let isGranted):
      carryOut(
        requests.take(
          answerTo: asker, number, isGranted: isGranted, from: sender, mayCommand: commanders.contains(sender)))
    case .stage(let message): carryOut(sessionAudience.receive(message, from: sender, audienceSurroundings))
    case .ignoring(let message):
      if let ignored = ignoredBy.record(message, from: sender, now: now) { report(ignored) }
    default: return
    }
  }

  private func report(_ ignored: Ignored) {
    var ignored = ignored
    ignored.name = displayName(of: ignored.participant)
    deliver(.log(.warning, ignored.sentence))
    deliver(.ignored(ignored))
  }

  // MARK: Effects

  /// Makes a step of the present room's channel and carries its effects out.
  func perform(_ step: (inout SecureChannel) -> [ChannelEffect]) { carryOut(present.withChannel(step), of: present) }

  /// Effects of a channel. Of a retired room's only messages count, for as long as it is read, and news of policy and ways.
  private func carryOut(_ effects: [ChannelEffect], of residence: Residence) {
    for effect in effects {
      switch effect {
      case .transmit(let envelope, let to):
        guard residence.client?.send(envelope, to: to) == true, residence === present else { continue }
        statistics.messagesSent += 1
        statistics.bytesSent += UInt64(envelope.count)
      case .deliver(.levels(let levels), let sender): handle(.message(.levels(levels), from: sender))
      case .deliver(let message, let sender):
        guard residence.isRead(at: environment.now) else { continue }
        if residence === present, case .snapshot(let statements?) = message { recordHubs(in: statements) }
        handle(.message(message, from: sender))
      case .deliverNamed(let name, let message, let sender):
        if residence.isRead(at: environment.now) { receive(message, from: sender, of: name) }
      case .other(let message, let sender):
        if residence.isRead(at: environment.now) { receive(message, from: sender) }
      case .chat(let saying, let sender):
        guard residence === present, state.status == .joined else { continue }
        carryOut(chat.receive(saying, from: sender, chatSurroundings, now: environment.now))
      case .relocates(let secrets, let isLate):
        // Those in the present room may not have heard of it.
        if residence !== present { life?.relocation.learntInRetiredRoom(secrets.place(in: origin.session).topic) }
        learn(secrets, isLate: isLate)
      case _ where residence !== present: continue
      case .secured:
        status.secured()
        // Before the coordination takes it as any other link.
        if !coordination.isContinued { chat.enter() }
        handle(.secured)
        attachments.entered(now: environment.now)
        messages.secured(now: environment.now)
        pumpMessages()
      case .declined(let reason):
        status.turnedAway(reason)
        reportStatus(now: environment.now)
      case .split(let change): report(change)
      case .ignored(let participant, let reason, let until):
        report(Ignored(participant: participant, byOther: false, reason: reason, until: until))
      case .nobodyAnswers:
        invalidate(
          .authentication, "nobody in the room answers: the invitation was renewed; ask for a new one")
      case .relocationNotice(let levels): handleRelocationNotice(levels)
      case .endNotice(let word):
        wordOfEnd.heard(word)
        judgeWordOfEnd()
      case .refused(let sender, let reason):
        statistics.messagesRefused += 1
        deliver(.log(.debug, "a message of participant \(sender) was refused: \(reason.rawValue)"))
      case .log(let level, let text): deliver(.log(level, text))
      }
    }
  }

  /// After this participant ended the session: a newcomer's question for the registers is answered with the end. Nothing else
  /// counts.
  private func carryOut(_ effects: [ChannelEffect], ofFarewell end: Statement) {
    for effect in effects {
      switch effect {
      case .transmit(let envelope, let to): present.client?.send(envelope, to: to)
      case .deliver(.want, let sender):
        let now = environment.now
        let levels = coordination.policy.levels
        carryOut(present.withChannel { $0.send(.levels(levels), to: sender, now: now) }, ofFarewell: end)
        carryOut(present.withChannel { $0.send(.update([end]), to: sender, now: now) }, ofFarewell: end)
      default: continue
      }
    }
  }

  private func carryOut(_ effects: [CoordinationEffect]) {
    for effect in effects {
      switch effect {
      case .send(let message, let to): send(message, to: to)
      case .playback(let effect): deliver(.playback(effect))
      case .session(let effect): carryOut(effect)
      }
    }
  }

  private func send(_ message: CoordinationMessage, to receiver: ParticipantID?) {
    let now = environment.now
    perform { $0.send(message, to: receiver, now: now) }
    // Those who did not follow yet hear of a later policy, too.
    guard case .levels(let levels) = message, receiver == nil else { return }
    for residence in retired {
      carryOut(residence.withChannel { $0.send(.levels(levels), to: nil, now: now) }, of: residence)
    }
  }

  private func carryOut(_ effect: SessionEffect) {
    switch effect {
    case .policyChanged(let stack): follow(stack)
    case .removalWanted(let participants): removeOnceThere(participants)
    case .joined:
      life?.membership = .joined
      chat.enter()
      log("joined")
      reportStatus(isNews: true, now: environment.now)
    case .invalidated(.ended(let author)):
      if life != nil, author != identity.id {
        invalidate(.ended, "ended for everybody by \(name(of: author))")
      }
    case .invalidated(.removed(let author)):
      invalidate(.removed, "removed from the session by \(name(of: author))")
    case .invalidated(.duplicateKey):
      invalidate(
        .duplicateKey, "another process uses this session's keys: two sessions were made from one memory image")
    case .log(let level, let text): deliver(.log(level, text))
    case .participantsChanged(var change):
      complete(&change.joined)
      complete(&change.updated)
      complete(&change.left)
      deliver(.participants(change))
      if (change.joined + change.updated).contains(where: { !$0.isLocal }) { wordOfEnd.metGroup() }
      tell(arrivals.news(of: change))
      otherItems.update(change, now: environment.now)
      carryOut(messages.greet(change))
      carryOut(requests.forget(change.left.map { $0.id }))
      endWithInitiator(change.left)
    case .activityChanged(let activity, let originator):
      let id = originator == .none ? identity.id : originator
      initiator = activity.map { (id, $0.lifetime == 1) }
      deliver(.activity(activity, originator: originator))
    case .notice(let notice, let originator): deliver(.notice(notice, originator: originator, coordinator: nil))
    case .successionChanged(let change): deliver(.succession(change))
    case .clockDoubt(let change): report(change)
    case .split(let change): report(change)
    case .crowded(let crowding):
      report(
        Ignored(
          participant: crowding.participant, byOther: false, reason: nil,
          until: environment.now.adding(Crowding.interval), part: .excess(crowding.kind)))
    case .playlistChanged(let change): deliver(.playlist(change))
    case .scheduleChanged(let change): deliver(.schedule(change))
    case .copyCompared(let news): deliver(.copy(news))
    case .refused(let operation, let status, let message):
      deliver(.refused(operation: operation, status: status, message: message))
    }
  }

  private func report(_ change: ClockDoubtChange) {
    let isOwn = change.participant == identity.id
    let doubt = ClockDoubtNews(
      participant: change.participant, isOwn: isOwn, hub: status.state.hub?.address ?? "", offset: change.offset,
      isOver: change.isOver, name: isOwn ? name(of: change.against) : name(of: change.participant))
    deliver(.log(change.isOver ? .info : .warning, doubt.sentence))
    deliver(.clockDoubt(doubt))
    tell(hubDoubts.record(change, now: environment.now))
  }

  private func report(_ change: SplitChange) {
    splits.record(change)
    let news = SplitNews(change: change, hub: status.state.hub?.address ?? "", name: name(of: change.participant))
    deliver(.log(change.isOver ? .info : .warning, news.sentence))
    deliver(.split(news))
    tell(hubDoubts.record(change, now: environment.now))
  }

  private func tell(_ news: [HubDoubtNews]) {
    guard !news.isEmpty else { return }
    for one in news {
      deliver(.log(one.isOver ? .info : .warning, one.sentence))
      deliver(.hubDoubt(one))
    }
    hubs.setDoubted(hubDoubts.doubted)
  }

  /// Tells people who came, went, or is at another item; the log, too.
  private func tell(_ news: [PersonNotice]) {
    for line in PersonNotice.lines(of: news) { log(line) }
    for notice in news { deliver(.person(notice)) }
  }

  private func carryOut(_ outputs: [MessageDelivery.Output]) {
    for output in outputs {
      switch output {
      case .transmit(let message, let to, let isPrivate, let unordered):
        transmit(message, to: to, isPrivate: isPrivate, unordered: unordered)
      case .deliver(.message(let bytes, let label, var cue?, let sender, let isReliable)):
        cue.itemTime = coordination.ownTime(of: cue.itemTime, in: cue.item)
        deliver(.message(bytes, label: label, cue: cue, sender: sender, isReliable: isReliable))
      case .deliver(let event): deliver(event)
      }
    }
  }

  private func carryOut(_ effects: [CommandRequests.Effect]) {
    for effect in effects {
      switch effect {
      case .send(let message, let to): transmit(InnerMessage(message), to: to, isPrivate: true)
      case .tell(var news):
        news.request.itemTime = coordination.ownTime(of: news.request.itemTime, in: news.request.item)
        deliver(.request(news))
      case .carryOut(let request):
        switch request.kind {
        case .pause: handle(.rateChange(rate: 0, immediately: false))
        case .play: handle(.rateChange(rate: 1, immediately: false))
        case .seek:
          let target = coordination.ownTime(of: request.itemTime, in: request.item)
          handle(.seek(to: target, resumeImmediately: false))
        }
      case .dropped(let sender):
        statistics.messagesRefused += 1
        deliver(.log(.debug, "a request of participant \(sender) was dropped: it sends too many"))
      }
    }
  }

  private var chatSurroundings: Chat.Surroundings {
    let clock = coordination.waitsForClock ? nil : groupClock
    let now = environment.now
    return Chat.Surroundings(
      present: Set(present.others.keys), readers: present.channel.roster, groupTime: clock?.remote(at: now),
      clockError: clock?.error(at: now) ?? 0)
  }

  private func settleChat() {
    guard state.status == .joined, chat.isDue(now: environment.now) else { return }
    carryOut(chat.settle(chatSurroundings, now: environment.now))
  }

  private func followAttachments() {
    carryOut(
      attachments.follow(isMember: coordination.isMember, revision: coordination.attachmentRevision) { coordination.attachments })
  }

  private func settleAttachments() {
    guard state.status == .joined else { return }
    let now = environment.now
    followAttachments()
    guard !attachments.isIdle, messages.canSpeak, let seat = present.seat else { return }
    let others = present.others
    carryOut(
      attachments.settle(
        Attachments.Surroundings(
          present: present.channel.roster.filter { others[$0] != nil }, bytesPerSecond: seat.bytesPerSecond,
          hasRoom: present.queuedBytes < MessageDelivery.linkQueue), now: now))
  }

  private func carryOut(_ outputs: [SessionAttachments.Output]) {
    for output in outputs {
      switch output {
      case .transmit(let saying, let id): transmit(.attachment(saying), to: [id])
      case .offer(let slot, let value): handle(.offerAttachment(slot, value))
      case .takeBack(let slot, let time): handle(.takeBackAttachment(slot, offered: time))
      case .tell(let news): deliver(.attachment(news))
      case .refuse(let operation, let status, let why): deliver(.refused(operation: operation, status: status, message: why))
      case .log(let level, let text): deliver(.log(level, text))
      }
    }
  }

  private func carryOut(_ outputs: [SessionChat.Output]) {
    for output in outputs {
      switch output {
      case .transmit(let message, let to): transmit(message, to: to)
      case .tell(let entry, let isHistory): deliver(.chat(owned(ChatNews(entry, isHistory: isHistory, clock: groupClock))))
      case .react(let news): deliver(.chat(owned(news)))
      case .flooded(let ignored): report(ignored)
      case .dropped(let sender):
        statistics.messagesRefused += 1
        deliver(.log(.debug, "what participant \(sender) says was dropped: too much, or of the future"))
      }
    }
  }

  private func name(of id: ParticipantID) -> String {
    let name = displayName(of: id)
    return name.isEmpty ? id.description : name
  }

  /// "": not known.
  private func displayName(of id: ParticipantID) -> String {
    coordination.view.participants.first { $0.id == id }?.displayName ?? ""
  }

  /// The activity's lifetime may be its initiator's.
  private func endWithInitiator(_ left: [ParticipantView]) {
    guard let initiator, initiator.endsSession, let gone = left.first(where: { $0.id == initiator.id }) else { return }
    let name = gone.displayName.isEmpty ? gone.id.description : gone.displayName
    invalidate(.ended, "ended with \(name), who began the activity")
  }

  // MARK: State and end

  /// Derives the state from the link, and reports it if it changed.
  private func reportStatus(isNews: Bool = false, now: HostTime) {
    guard life != nil else { return }
    let seat = present.seat
    let isAlone = present.others.isEmpty && coordination.isAwaitingOthers
    let link = StatusReport.Link(
      status: sessionStatus, seat: seat, hub: hubs.inUse(seat), isAtOwnHubAlone: isAlone && seat.map(hubs.isStandby) ?? false,
      isInTouch: coordination.isInTouch, hasState: coordination.hasState,
      isLeftBehind: relocation.isLeftBehind(now: now),
      isClosed: coordination.policy.levels.last?.terms.isClosed ?? false)
    deliver(status.update(link, isNews: isNews, now: now))
  }

  private func deliver(_ report: StatusReport.Report?) {
    guard let report else { return }
    if let line = report.line { log(line) }
    deliver(.state(report.state))
  }

  /// Says a line of the session's life in the log.
  private func log(_ line: String) { deliver(.log(.info, "session: \(line)")) }

  private func invalidate(_ reason: SessionReason, _ message: String) {
    guard case .live(let life) = phase else { return }
    sessionAudience.end(isOver: reason == .ended || endsAudience, reason: message)
    phase = .over
    let report = status.invalidate(reason, message)
    carryOut(attachments.close())
    if let line = report.line { log(line) }
    leaveOtherRooms(of: life)
    if let end = coordination.endStatement, end.author == identity.id, present.seat != nil {
      phase = .farewell
      present.bidFarewell(end)
      timer?.arm(at: environment.now.adding(Residence.farewell))
    } else {
      leavePresentRoom()
    }
    deliver(.state(report.state))
  }

  /// Leaves the next and the retired rooms of a life that is over, and gives up what waited to be sent.
  private func leaveOtherRooms(of life: Life) {
    life.next?.close()
    // While others are left, one of them keeps the doors after this one.
    let isLast = state.reason == .ended || hubs.directory.known.subtracting([identity.id]).isEmpty
    for residence in life.retired { residence.leave(isLast: isLast) }
    carryOut(messages.dropAll())
  }

  /// Leaves the room for good.
  private func leavePresentRoom() {
    phase = .over
    present.leave()
    timer?.close()
    timer = nil
  }
}
