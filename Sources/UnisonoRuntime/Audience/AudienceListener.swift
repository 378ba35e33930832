import UnisonoBase
import UnisonoCoordination
import UnisonoCrypto
import UnisonoReplica
import UnisonoWire

/// A listener: it follows what publishers say to an audience (wire 8.27), and says something to these where its person wishes (8.28).
///
/// Where the audience gets another link it goes along (8.30): another seat, and all else as it was.
///
/// What it reads goes into a coordination of its own, as if the publisher were a participant that says everything and it were one who may
/// not command: so it waits, catches up, suspends and starts as participants do, and nobody waits for it. What that coordination would say
/// to others goes nowhere; what it asks for is answered with what was read last.
///
/// Phases: from `init`, which connects, to `close`, or until the audience is over. Its owner calls `settle` at the end of each loop turn.
/// Loop thread only.
package final class AudienceListener {
  package struct Setup: Sendable {
    package var link: AudienceLink
    package var displayName: String
    package var deviceName: String
    /// Of jitter, never of keys.
    package var seed: UInt64
    /// Of those that its host gets.
    package var firstCommand: UInt64

    package init(link: AudienceLink, displayName: String, deviceName: String, seed: UInt64, firstCommand: UInt64) {
      self.link = link
      self.displayName = displayName
      self.deviceName = deviceName
      self.seed = seed
      self.firstCommand = firstCommand
    }
  }

  package enum Status: Int32, Sendable {
    /// Nothing of the audience was read on this link yet.
    case connecting = 1
    case listening
    /// There is a link, and the publisher has said nothing for a while: what played last goes on.
    case silent
    /// The audience was closed, or does not let anybody in any more.
    case over
  }

  package struct News: Equatable, Sendable {
    package var status = Status.connecting
    /// By the hub's word, in two significant digits; 0: not said.
    package var listeners: UInt32 = 0
    /// That the publisher is at; nil: none.
    package var item: ItemID?
    /// One sentence on why it is as it is; "": there is nothing to say.
    package var reason = ""
    package var clock = ClockNews()
    /// By what one may react here, and how many did.
    package var reactions: [ReactionCount] = []
  }

  /// What is known of the hub's clock past the hub.
  package struct ClockNews: Equatable, Sendable {
    /// What publishers signed contradicts it.
    package var isDoubted = false
    /// How far the group can be played here before and after where it is, ns, as of the last answer or doubt; nil: not bounded yet.
    package var ahead: Nanoseconds?
    package var behind: Nanoseconds?

    package init() {}
  }

  package enum Event: Sendable {
    /// For the host of its coordinator.
    case playback(PlaybackEffect)
    case participants(ParticipantsChange)
    case news(News)
    case activity(Activity?)
    /// Into the session, by the text of an invite, as it was asked for.
    case invited(String)
    case log(LogLevel, String)
  }

  /// Without a line for so long the publisher is silent.
  static let silence = Nanoseconds.seconds(15)
  /// Between two questions for what the hub keeps; it answers one in five seconds.
  private static let asking = Nanoseconds.seconds(6)
  /// Over which those who listen go to another link, and how many of them in a second.
  private static let leastSpread = Nanoseconds.seconds(2)
  private static let movers: Int64 = 1_000
  /// Between two lines of the log about the same.
  private static let logging = Nanoseconds.seconds(60)

  package private(set) var news = News()

  private let this = WeakReference<AudienceListener>()
  private let environment: any Environment
  private let identity: Identity
  private let turns = Turns()
  private let deliver: (Event) -> Void
  private var coordination: Coordination
  /// By which it listens now.
  package private(set) var link: AudienceLink
  private var opener: StageOpener
  private var sealer: StageSealer
  private var counting: ListenerCounting
  /// Where it is to go, and when.
  private var move: (link: AudienceLink, at: HostTime)?
  private var hands = ListenerHands()
  private var clock = SessionClock(own: nil, isSparing: true)
  private var check = GroupTimeCheck()
  /// In which way it contradicts the hub's clock; "": it does not.
  private var doubt = ""
  /// Of the hub whose clock `check` is about.
  private var checked: ClockID?
  private var sleep: SleepDetector
  private var client: HubClient?
  private var seat: RoomEntry?
  /// Whose line was read last.
  private var publisher: ParticipantID?
  /// When each of those whom the coordination knows here was read: one may go on for another.
  private var publishers: [ParticipantID: (connection: UInt64, heard: HostTime)] = [:]
  private var connections: UInt64 = 0
  private var programme: [Statement]?
  private var levels: [PolicyLevel] = []
  private var line: [Statement] = []
  /// The coordination knows of this link and of the publisher.
  private var isMet = false
  private var participates = false
  /// The coordination asked for everything.
  private var isAsked = false
  private var heard: HostTime
  private var recalled: HostTime = .min
  private var elsewhere = ElsewhereSearch()
  private var logged: HostTime = .min
  private var timer: (any LoopTimer)?

  package init(environment: any Environment, setup: Setup, deliver: @escaping (Event) -> Void) {
    self.environment = environment
    self.deliver = deliver
    link = setup.link
    let random = environment.randomBytes
    let identity = Identity(random: random)
    self.identity = identity
    opener = StageOpener(link)
    sealer = StageSealer(link, by: identity)
    counting = ListenerCounting(link)
    sleep = SleepDetector(total: environment.timeAsleep)
    heard = environment.now
    coordination = Coordination(
      Coordination.Configuration(
        local: identity.id, incarnation: random(8).reduce(0) { $0 << 8 | UInt64($1) }, displayName: setup.displayName,
        deviceName: setup.deviceName, seed: setup.seed, firstCommand: setup.firstCommand, isCreator: false,
        policy: PolicyStack.origin, origin: link.origin.policy, participates: false, hash: Hash.sha256,
        digestInput: StatementBody.digestInput))
    this.point(to: self)
    timer = environment.makeTimer { [this] in this.object?.tick() }
    client = enter()
  }

  private func enter() -> HubClient {
    HubClient(
      environment: environment, addresses: link.hubs, audience: AudienceSeat(topic: link.topic, key: nil), identity: identity,
      turns: turns,
      events: HubClientEvents(
        entered: { [this] in this.object?.entered($0) },
        delivered: { [this] in this.object?.received($0) },
        probed: { [this] in this.object?.probed($0) },
        clocks: { [this] report in
          guard let listener = this.object else { return }
          listener.step(.clocks(report))
        },
        counted: { [this] in this.object?.counted($0) },
        lost: { [this] in this.object?.lost($0, retry: $1) }))
  }

  deinit { this.cut() }

  /// What publishers know it by.
  package var id: ParticipantID { identity.id }
  package var view: CoordinationView { coordination.view }
  /// That the publisher is at; nil: none, or it is not known.
  package var item: ItemID? { news.item }

  /// Group time against host time, with a bound that holds for those who go on by it; nil: not known yet.
  package var groupClock: ClockModel? { coordination.groupClock }

  // MARK: The owner's calls

  /// What would command the group is refused.
  package func handle(_ event: CoordinationEvent) {
    if let operation = event.commandedOperation {
      let why = "a listener follows, and commands nothing"
      return deliver(.playback(.refused(operation: operation, status: .denied, message: why)))
    }
    if let event = event.withoutCommand { step(event) }
  }

  /// Says something to the publishers, without a link once there is one; its owner has seen to the pace (`HandMessage.pause`). No answer
  /// tells whether anybody reads it.
  package func say(_ word: HandMessage.Word, _ text: String) {
    hands.add(word, text)
    sayHands()
  }

  /// Reacts, by one of the audience's reactions; its owner has seen to the pace (`TallyKind.pause`). Without a link nobody counts it.
  package func react(_ text: String) {
    if seat != nil { counting.react(text, fraction: fraction, now: environment.now) }
  }

  /// Has the hub count what there is to count.
  private func haveCounted() {
    guard seat != nil else { return }
    counting.tell(coordination.readiness, fraction: fraction, now: environment.now)
    while let (kind, tag) = counting.next(now: environment.now) { client?.tally(kind, tag) }
  }

  private func sayHands() {
    guard seat != nil else { return }
    while let hand = hands.first, send(hand.word, hand.text) { hands.removeFirst() }
  }

  private func send(_ word: HandMessage.Word, _ text: String) -> Bool {
    let message = hands.message(word, text, by: identity)
    guard let envelope = sealer.seal(.hand(message)), client?.send(envelope) ?? false else { return false }
    hands.sent(now: environment.now)
    return true
  }

  /// When the publishers are to be asked for group time; nil: nobody would answer. What its person says goes first.
  private var questionDue: HostTime? {
    guard seat != nil, news.status == .listening, let due = check.due else { return nil }
    return max(due, hands.pauseEnd ?? due)
  }

  private func askForTime() {
    let now = environment.now
    guard let due = questionDue, now >= due else { return }
    guard send(.time, "") else { return check.postpone(until: now.adding(HandMessage.pause)) }
    check.ask(number: hands.lastNumber, listeners: news.listeners, fraction: fraction, now: now)
  }

  /// At random, 0..<1.
  private var fraction: Double {
    let bits = environment.randomBytes(4).reduce(0) { $0 << 8 | UInt32($1) }
    return Double(bits) / 4_294_967_296
  }

  /// Ends a loop turn: decides, commands, reports; arms the timer for what comes next.
  package func settle() {
    guard news.status != .over else { return }
    if isAsked, let programme, let publisher {
      isAsked = false
      step(.message(.snapshot(programme + line), from: publisher))
    }
    let now = environment.now
    forgetPublishers(now: now)
    carryOut(coordination.settle(now: now))
    haveCounted()
    if news.status == .listening, now >= heard.adding(Self.silence) {
      report { $0.status = .silent; $0.reason = "the publisher says nothing: what played last goes on" }
    }
    if seat != nil, elsewhere.due == nil, now >= heard.adding(Self.silence) {
      elsewhere.begin(listeners: news.listeners, fraction: fraction, now: now)
    }
    let tally = seat == nil ? nil : counting.nextWake
    let wakes: [HostTime?] = [coordination.nextWake, clock.nextWake, listenWake, questionDue, move?.at, tally]
    timer?.arm(at: wakes.compactMap { $0 }.min())
  }

  /// When the hub is asked for what it keeps, the publisher counts as silent, or another hub is turned to.
  private var listenWake: HostTime? {
    guard seat != nil else { return nil }
    let ask = max(heard.adding(Self.asking), recalled.adding(Self.asking))
    return min(ask, elsewhere.due ?? heard.adding(Self.silence))
  }

  package func close() {
    client?.leave()
    client = nil
    timer?.close()
    timer = nil
  }

  // MARK: The link

  private func entered(_ seat: RoomEntry) {
    if isMet { unmeet() }
    self.seat = seat
    (heard, recalled) = (environment.now, environment.now)
    clock.enter(seat.clockID, hasDatagrams: seat.udpPort != 0, now: environment.now)
    if checked != seat.clockID {
      checked = seat.clockID
      forgetCheck()
    }
    sealer.beginLane(random: environment.randomBytes)
    counting.entered()
    sayHands()
  }

  private func lost(_ end: HubLinkEnd, retry: HostTime?) {
    if isMet { unmeet() }
    seat = nil
    clock.linkDown()
    if retry == nil { return finish(end.reason) }
    report { $0.status = .connecting; $0.reason = end.reason }
  }

  private func counted(_ new: AudienceCount) {
    counting.learn(new.judged)
    report { $0.listeners = new.listeners; $0.reactions = counting.reactions }
  }

  private func unmeet() {
    isMet = false
    step(.linkDown)
  }

  private func finish(_ reason: String) {
    client?.leave()
    client = nil
    timer?.arm(at: nil)
    report { $0.status = .over; $0.reason = reason }
  }

  // MARK: What publishers say

  private func received(_ envelope: [UInt8]) {
    do throws(StageOpener.Refusal) {
      let said = try opener.open(envelope)
      switch said.content {
      case .programme(let item, let hubs, let renewal, let share, let reactions):
        counting.learn(share: share, reactions: reactions)
        read(said, item: item, hubs: hubs)
        if let renewal { read(renewal, hubs: hubs) }
      case .line(let line): read(line, said)
      case .invite(let sealed): read(sealed, from: said.publisher)
      case .echo(let echo): read(echo)
      }
    } catch {
      switch error {
      case .old: break
      // Its key comes with the programme.
      case .unknownAuthor: recall()
      case .malformed, .signature, .denied, .policy: complain("something that was said to the audience is not believed: \(error.rawValue)")
      }
    }
  }

  private func read(_ said: StageOpener.Said, item: ItemID?, hubs: [HubAddress]) {
    let activity = Self.activity(in: said.statements)
    if programme == nil || Self.activity(in: programme ?? []) != activity { deliver(.activity(activity)) }
    programme = said.statements
    let ways = hubs.filter { RoomEntry.mayAdvertise($0.address) }
    if !ways.isEmpty { client?.setAddresses(ways + link.hubs.filter { !ways.contains($0) }) }
    levels = said.levels
    if isMet {
      meet(said.publisher)
      step(.message(.levels(levels), from: said.publisher))
      step(.message(.update(said.statements), from: said.publisher))
    }
    report { $0.item = item; $0.reactions = counting.reactions }
  }

  private static func activity(in statements: [Statement]) -> Activity? {
    for statement in statements { if case .activity(let activity) = statement.value { return activity } }
    return nil
  }

  private func read(_ line: StageLine, _ said: StageOpener.Said) {
    guard !line.isOver else { return finish("the audience was closed") }
    guard programme != nil, let seat else { return recall() }
    heard = environment.now
    elsewhere.end()
    publisher = said.publisher
    self.line = said.statements
    if !isMet {
      isMet = true
      publishers = [:]
      step(.linkUp(members: [hear(said.publisher)].compactMap { $0 }, clock: seat.clockID))
      step(.secured)
      step(.message(.levels(levels), from: said.publisher))
      if !participates { step(.participate) }
      participates = true
      updateClock()
    } else {
      meet(said.publisher)
      step(.message(.update(said.statements), from: said.publisher))
    }
    if let sent = line.sent { check.came(sent: sent, error: .microseconds(Int64(line.error)), now: environment.now) }
    check.begin(listeners: news.listeners, fraction: fraction, now: environment.now)
    report { $0.status = .listening; $0.reason = doubt }
    judgeTime()
  }

  private func read(_ echo: EchoMessage) {
    let isAnswer =
      echo.listener == identity.id
      && check.answered(
        echo.number, received: echo.received, error: .microseconds(Int64(echo.error)), listeners: news.listeners, fraction: fraction,
        now: environment.now)
    if isAnswer { judgeTime(isAnswer: true) }
  }

  /// The audience has got another link.
  private func read(_ renewal: StageRenewal, hubs: [HubAddress]) {
    switch renewal {
    case .over: finish("the invitation was renewed: ask whoever invited you for the new one")
    case .next(let secret, let topic):
      guard let secret = Secret(secret), topic != link.topic,
        let next = try? AudienceLink(origin: link.origin, secret: secret, topic: topic, hubs: hubs.isEmpty ? link.hubs : hubs)
      else { return complain("the audience's new link is none") }
      let spread = max(Self.leastSpread, .seconds(Int64(news.listeners)) / Self.movers)
      move = (next, move?.at ?? environment.now.adding(spread.scaled(by: fraction)))
    }
  }

  /// Takes the seat that the new link leads to. What plays goes on by what was read last.
  private func goAlong() {
    guard let move, environment.now >= move.at else { return }
    self.move = nil
    client?.leave()
    seat = nil
    clock.linkDown()
    link = move.link
    opener.follow(link)
    sealer = StageSealer(link, by: identity)
    counting.follow(link)
    client = enter()
  }

  private func meet(_ publisher: ParticipantID) {
    if let member = hear(publisher) { step(.presence(joined: [member], gone: [])) }
  }

  /// nil: it was known.
  private func hear(_ publisher: ParticipantID) -> Member? {
    if publishers[publisher] != nil {
      publishers[publisher]?.heard = environment.now
      return nil
    }
    connections += 1
    publishers[publisher] = (connections, environment.now)
    return Member(id: publisher, connection: connections, age: 0)
  }

  /// Who is silent while another speaks is gone.
  private func forgetPublishers(now: HostTime) {
    guard isMet, publishers.count > 1 else { return }
    let gone = publishers.filter { $0.key != publisher && now >= $0.value.heard.adding(Self.silence) }
    guard !gone.isEmpty else { return }
    for id in gone.keys { publishers[id] = nil }
    let departures = gone.map { Departure(id: $0.key, connection: $0.value.connection, left: false) }
    step(.presence(joined: [], gone: departures.sorted { $0.id < $1.id }))
  }

  private func read(_ sealed: [UInt8], from publisher: ParticipantID) {
    let seal = InviteSeal(session: link.origin.session, publisher: publisher, listener: identity.id)
    guard hands.hasAsked, let text = seal.open(sealed, with: identity.hybrid), let invite = try? Invite(parsing: text),
      invite.origin.session == link.origin.session
    else { return complain("an invite came that is not for this listener, was not asked for, or leads elsewhere") }
    deliver(.invited(text))
  }

  /// Says so where what publishers signed contradicts the hub's clock, or does not any more.
  private func judgeTime(isAnswer: Bool = false) {
    guard let model = groupClock else { return }
    let now = environment.now
    let contradiction = check.contradiction(of: model, now: now)
    var new = news.clock
    let bounds = check.bounds(of: model, now: now)
    new.isDoubted = contradiction != nil
    if isAnswer || new.isDoubted != news.clock.isDoubted || (new.ahead == nil) != (bounds.ahead == nil)
      || (new.behind == nil) != (bounds.behind == nil)
    {
      (new.ahead, new.behind) = (bounds.ahead, bounds.behind)
    }
    guard new != news.clock else { return }
    guard let contradiction else {
      doubt = ""
      return report { $0.clock = new; $0.reason = "" }
    }
    doubt =
      "what the hub at \(seat?.address ?? "") says of the time is wrong: the group is at least "
      + "\(contradiction.absolute / .milliseconds(1)) ms \(contradiction > 0 ? "behind" : "ahead of") what plays here"
    if !news.clock.isDoubted { deliver(.log(.warning, doubt)) }
    report { $0.clock = new; $0.reason = doubt }
  }

  /// What is known of group time holds no more.
  private func forgetCheck() {
    check = GroupTimeCheck()
    guard news.clock != ClockNews() else { return }
    doubt = ""
    report { $0.clock = ClockNews(); $0.reason = "" }
  }

  private func recall() {
    guard seat != nil, environment.now >= recalled.adding(Self.asking) else { return }
    recalled = environment.now
    client?.recall()
  }

  private func complain(_ text: String) {
    guard environment.now >= logged.adding(Self.logging) || logged == .min else { return }
    logged = environment.now
    deliver(.log(.warning, text))
    report { $0.reason = text }
  }

  // MARK: Time

  private func probed(_ sample: ProbeSample) {
    if checkSleep() { return }
    clock.add(sample, now: environment.now, isPlaying: coordination.view.timing.status == .playing)
    updateClock()
  }

  private func updateClock() { step(.clock(clock.model(now: environment.now).model, roundTrip: clock.usualRoundTrip)) }

  /// true: this machine slept, and what was asked before is no measure.
  private func checkSleep() -> Bool {
    guard sleep.slept(total: environment.timeAsleep) != nil else { return false }
    client?.forgetProbes()
    clock.slept(own: nil, now: environment.now)
    forgetCheck()
    step(.slept)
    return true
  }

  private func tick() {
    guard news.status != .over else { return }
    _ = checkSleep()
    step(.tick)
    let ways = clock.claimProbe(now: environment.now)
    if !ways.isEmpty { client?.probe(ways) }
    if clock.model(now: environment.now).changed { updateClock() }
    askForTime()
    goAlong()
    if environment.now >= heard.adding(Self.asking) { recall() }
    lookElsewhere()
  }

  private func lookElsewhere() {
    let now = environment.now
    guard seat != nil, let due = elsewhere.due, now >= due else { return }
    elsewhere.turned(fraction: fraction, now: now)
    client?.lookElsewhere()
  }

  // MARK: Effects

  private func step(_ event: CoordinationEvent) { carryOut(coordination.handle(event, now: environment.now)) }

  private func carryOut(_ effects: [CoordinationEffect]) {
    for effect in effects {
      switch effect {
      // Nobody hears a listener; what it has of the programme is all there is.
      case .send(.want, _): isAsked = true
      case .send: break
      case .playback(let effect): deliver(.playback(effect))
      case .session(.participantsChanged(let change)): deliver(.participants(change))
      case .session(.invalidated(.ended)): finish("the session was ended")
      case .session(.log(let level, let text)): deliver(.log(level, text))
      case .session: break
      }
    }
  }

  private func report(_ change: (inout News) -> Void) {
    var new = news
    change(&new)
    guard new != news, news.status != .over else { return }
    news = new
    deliver(.news(new))
  }
}

extension CoordinationEvent {
  /// The call by which a listener would command the group; nil: it commands nothing.
  fileprivate var commandedOperation: Operation? {
    switch self {
    case .rateChange: .coordinateRateChange
    case .seek: .coordinateSeek
    case .undoJump: .undoJump
    case .setStallPolicy(_, let asProposal): asProposal ? nil : .setStallPolicy
    case .setActionAtEnd(_, let asProposal): asProposal ? nil : .setActionAtEnd
    case .setStartPolicy(_, let asProposal): asProposal ? nil : .setStartPolicy
    case .setSkipPolicy(_, let asProposal): asProposal ? nil : .setSkipPolicy
    case .startWithout: .startWithout
    case .scheduleStart: .scheduleStart
    case .cancelStart: .cancelStart
    case .editPlaylist(let edit): edit.operation
    default: nil
    }
  }

  /// What is left of it for one who follows; nil: nothing.
  fileprivate var withoutCommand: CoordinationEvent? {
    switch self {
    case .transition(let item, _): .transition(to: item, proposal: nil)
    case .endSuspension(let id, _): .endSuspension(id: id, proposing: nil)
    case .setStallPolicy, .setActionAtEnd, .setStartPolicy, .setSkipPolicy: nil
    default: self
    }
  }
}
