import UnisonoBase
import UnisonoCoordination
import UnisonoCrypto
import UnisonoPlayer
import UnisonoReplica
import UnisonoRuntime
import UnisonoWire

/// A session with its player, with JavaScript for its outside. One for each instance of the module, for as long as that lives.
final class WebSession: Participation {
  /// What the engine tells before the session exists, and afterwards the session.
  private final class Mailbox {
    var session: WebSession?
    var early: [SessionEvent] = []
  }

  let environment: DrivenEnvironment
  let engine: SessionEngine
  let report = Report()
  let place: PlayerPlace
  private var entries = ChatPace(limit: ChatPace.entries)
  private var reactions = ChatPace(limit: ChatPace.reactions)
  private var lastEntry: UInt64
  private var isUnsettled = true
  private var lastInvite = ""
  private var lastRights: Rights?
  private var lastSettings = Settings()
  private var lastRequest: UInt64 = 0
  /// Calls of the engine that refuse at once, if they do: that is the answer of the call, and no event.
  private var isAsking = false
  private var refusal: Failure?
  /// As natively: one in a second.
  private var requests = TokenBucket(rate: 1, burst: 1)

  /// What this participant may do.
  private struct Rights: Equatable {
    var role: Role
    var control: ControlPolicy
    var mayCommand: Bool
  }

  /// What holds for the whole session; a page knows what holds unless somebody sets it.
  private struct Settings: Equatable {
    var startPolicy = StartPolicy.none
    var skipPolicy = SkipPolicy.none
  }

  init(_ setup: SessionSetup, environment: DrivenEnvironment) throws(Failure) {
    let mailbox = Mailbox()
    self.environment = environment
    do throws(NetworkError) {
      engine = try SessionEngine(environment: environment, setup: setup) { event in
        if let session = mailbox.session { session.handle(event) } else { mailbox.early.append(event) }
      }
    } catch {
      throw Failure(.network, error.message)
    }
    // It lives as long as the module's instance.
    place = PlayerPlace(environment: environment, report: report) { mailbox.session?.handle($0) }
    lastEntry = engine.lastNumber
    mailbox.session = self
    report.add("opened") { [engine] in $0.add("local", id: engine.identity.id) }
    report.add("state") { [engine] in $0.add(engine.state) }
    reportInvite()
    for event in mailbox.early { handle(event) }
    mailbox.early = []
  }

  // MARK: The turn

  func handle(_ event: CoordinationEvent) {
    engine.handle(event)
    isUnsettled = true
  }

  func endTurn() {
    for _ in 0..<Self.rounds {
      isUnsettled = false
      engine.settle()
      let view = engine.view
      reportRights(Rights(role: view.role, control: view.control, mayCommand: view.mayCommand))
      reportSettings(Settings(startPolicy: view.startPolicy, skipPolicy: view.skipPolicy))
      place.follow(view, othersSpeak: !engine.speakers.isEmpty)
      if environment.followUp() { isUnsettled = true }
      if !isUnsettled { return }
    }
  }

  var nextWake: HostTime? { isUnsettled ? environment.now : environment.nextWake }
  var groupClock: ClockModel? { engine.groupClock }
  var roundTrip: Nanoseconds? { engine.statistics.roundTrip }

  func leave() throws(Failure) {
    try place.requireLife()
    engine.leave()
  }

  // MARK: What the engine tells

  private func handle(_ event: SessionEvent) {
    isUnsettled = true
    switch event {
    case .state(let state):
      report.add("state") { $0.add(state) }
      reportInvite()
      if state.status == .invalidated { place.close("the session is over; make a new one") }
    case .inviteChanged: reportInvite()
    case .playback(let effect):
      place.receive(effect)
      if case .refused(let operation, let status, let message) = effect { refuse(operation, status.code, message) }
    case .participants(let change): reportParticipants(change)
    case .activity(let activity, let originator): report.add("activity") { $0.add(activity, originator: originator) }
    case .chat(let news):
      report.add(news.isReaction ? "reaction" : "chat") { [engine] in
        let author = news.entry.id.author
        $0.add(news, name: displayName(of: author), isOwn: author == engine.identity.id)
      }
    case .playlist(let change): report.add("playlist") { [engine] in $0.add(engine.playlist, change) }
    case .message(let bytes, let label, _, let sender, let isReliable):
      report.add("message") { object in
        object.add("sender", id: sender)
        object.add("type", label?.type)
        object.add("version", number: label?.version ?? 0)
        object.add("isReliable", isReliable)
        object.add("bytes", JSONObject.digits(bytes))
      }
    case .writable: report.add("writable")
    case .notice(let notice, let originator, _): report.add("notice") { $0.add(notice, originator: originator) }
    case .person(let news): report.add("person") { $0.add(news) }
    case .speaking(let id, let speaks):
      report.add("speaking") { object in
        object.add("participant", id: id)
        object.add("isSpeaking", speaks)
      }
    case .refused(let operation, let status, let message): refuse(operation, status.code, message)
    case .clockDoubt(let news): warn("clock", news.sentence, isOver: news.isOver)
    case .split(let news):
      warn("split", news.sentence, isOver: news.change.isOver)
      // The list says it as well, and nothing else may be another in it.
      reportParticipants(ParticipantsChange())
    case .hubDoubt(let news): warn("hub", news.sentence, isOver: news.isOver)
    case .ignored(let ignored): warn("ignored", ignored.sentence, isOver: false)
    case .log(let level, let text): report.log(level, text)
    case .copy(let news): report.add("copy") { $0.add(news, name: displayName(of: news.participant) ?? "Somebody") }
    case .request(let news): report.add("request") { $0.add(news) }
    case .requestRefused(let why, let operation): refuse(operation, why.status.code, why.sentence)
    case .schedule(let change): report.add("schedule") { $0.add(change) }
    case .attachment(let news): report.add("attachment") { [engine] in $0.add(news, listed: engine.listedAttachments) }
    // A page names no deputies, opens no audience, and has no window of its own to come to the front with.
    case .succession, .foregroundRequested, .audience, .listener: break
    }
  }

  private func refuse(_ operation: Operation, _ code: Failure.Code, _ message: String) {
    if isAsking {
      refusal = Failure(code, message)
      return
    }
    report.refuse(operation, code, message)
  }

  private func warn(_ kind: String, _ message: String, isOver: Bool) {
    report.add("warning") { object in
      object.add("kind", kind)
      object.add("message", visible: message)
      object.add("isOver", isOver)
    }
  }

  private func reportParticipants(_ change: ParticipantsChange) {
    report.add("participants") { [engine] in $0.add(engine.view, speakers: engine.speakers, change) }
  }

  private func reportInvite() {
    guard engine.state.status != .invalidated, let text = try? engine.invite(), text != lastInvite else { return }
    lastInvite = text
    report.add("invite") { $0.add("text", text) }
  }

  private func reportRights(_ rights: Rights) {
    guard rights != lastRights else { return }
    lastRights = rights
    report.add("rights") { object in
      object.add("role", rights.role.name)
      object.add("control", rights.control.name)
      object.add("mayCommand", rights.mayCommand)
    }
  }

  private func reportSettings(_ settings: Settings) {
    guard settings != lastSettings else { return }
    lastSettings = settings
    report.add("settings") { $0.add(settings.startPolicy, settings.skipPolicy) }
  }

  private func displayName(of id: ParticipantID) -> String? {
    let name = engine.view.participants.first { $0.id == id }?.displayName
    return name?.isEmpty == true ? nil : name
  }

  // MARK: What calls need

  func requireJoined() throws(Failure) {
    try place.requireLife()
    guard engine.state.status == .joined else {
      throw Failure(.state, "the session is not joined yet; wait until it is")
    }
  }

  func requireCommand() throws(Failure) {
    try requireJoined()
    guard engine.view.mayCommand else {
      throw Failure(.denied, "the session's control policy does not let this participant command")
    }
  }

  func requireOwnership() throws(Failure) {
    try requireJoined()
    guard engine.view.role == .owner else { throw Failure(.denied, "only an owner may do this; ask one, or to be made one") }
  }

  func known(_ id: ParticipantID?) throws(Failure) -> ParticipantID {
    guard let id, engine.view.participants.contains(where: { $0.id == id }) else {
      throw Failure(.notFound, "no participant of the session has this id")
    }
    return id
  }

  func say(_ text: String) throws(Failure) {
    try requireJoined()
    try Self.check(entries.spend(now: environment.now), ChatPace.entries, environment.now)
    lastEntry += 1
    engine.say(text, number: lastEntry)
  }

  func react(_ text: String) throws(Failure) {
    try requireJoined()
    try Self.check(reactions.spend(now: environment.now), ChatPace.reactions, environment.now)
    engine.react(text)
  }

  /// Has the engine do what it may refuse at once.
  func ask(_ call: (SessionEngine) -> Void) throws(Failure) {
    (isAsking, isUnsettled) = (true, true)
    call(engine)
    isAsking = false
    defer { refusal = nil }
    if let refusal { throw refusal }
  }

  /// `number`: the own one of the request.
  func request(_ kind: CommandRequest.Kind, itemTime: ItemTime, text: String?, number: UInt64) throws(Failure) {
    try requireJoined()
    guard number > lastRequest else { throw Failure(.invalid, "number is not above the one before") }
    let item: ItemID
    do throws(CommandRequests.Refusal) {
      item = try CommandRequests.subject(in: engine.view)
    } catch {
      throw Failure(error.status.code, error.sentence)
    }
    guard requests.spend(now: environment.now) else { throw Failure(.busy, "more than 1 in a second; try again later") }
    lastRequest = number
    try ask { $0.ask(CommandRequest(kind, item: item, itemTime: itemTime, text: text), number: number) }
  }

  private static func check(_ until: HostTime?, _ limit: Int, _ now: HostTime) throws(Failure) {
    guard let until else { return }
    throw Failure(.busy, PaceRefusal(most: limit, in: ChatPace.window, until: until, now: now).sentence)
  }
}
