import UnisonoBase
import UnisonoCoordination
import UnisonoCrypto
import UnisonoReplica
import UnisonoWire

/// A session's audience as one of its participants has it (wire 8.29): its stage while this participant speaks, what the application is
/// told of it, and what other hosts need to go on.
///
/// Its session calls `review` before the coordination's turn and `follow` after it, and carries out what they give. Loop thread only.
final class SessionAudience {
  enum Output {
    /// Into the session's register.
    case write(AudienceValue?)
    case send(SeedMessage, to: [ParticipantID])
    /// The hub in this process lets it in, or does so no more.
    case serve(topic: [UInt8])
    case stopServing(topic: [UInt8])
  }

  struct Surroundings {
    var register: (value: AudienceValue, said: Stamp)?
    /// Owners and hosts who are here, the most senior first.
    var hosts: [ParticipantID]
    var isInStep: Bool
    /// Why this participant may not have an audience; nil: it may.
    var refusal: AudienceRefusal?
  }

  private let this = WeakReference<SessionAudience>()
  private let origin: Origin
  private let identity: Identity
  private let environment: any Environment
  private let deliver: (SessionEvent) -> Void
  private(set) var keeping = AudienceKeeping()
  /// nil: another one speaks, or nobody.
  private var stage: AudienceStage?
  private var isSpeaking = false
  private var answers: TokenBucket
  /// Names of audiences that the hub in this process lets in.
  private var served: Set<[UInt8]> = []
  private var named: (value: AudienceValue, link: AudienceLink)?
  private(set) var news = AudienceNews()
  /// By which anybody listens; nil: there is no audience, or this participant is no host.
  private(set) var link: String?

  init(origin: Origin, identity: Identity, environment: any Environment, deliver: @escaping (SessionEvent) -> Void) {
    self.origin = origin
    self.identity = identity
    self.environment = environment
    self.deliver = deliver
    // More than hosts who come at once ask for.
    answers = TokenBucket(rate: 8, burst: 32, now: environment.now)
    this.point(to: self)
  }

  deinit { this.cut() }

  var asking: [ParticipantID] { stage?.asking ?? [] }
  /// By this participant.
  var isSpokenToHere: Bool { stage != nil }
  var nextWake: HostTime? { [keeping.nextWake, isSpeaking ? stage?.nextWake : nil].compactMap { $0 }.min() }
  /// There is something of an audience here, or was a moment ago.
  var isInUse: Bool { keeping.hasWish || stage != nil || !served.isEmpty || news.state != .closed }

  // MARK: The owner's calls

  func open(_ surroundings: Surroundings, hubs: [HubAddress], terms: AudienceTerms) throws(AudienceRefusal) {
    if let refusal = surroundings.refusal { throw refusal }
    guard !keeping.isOpening, surroundings.register == nil || keeping.isClosing else { throw .isOpen }
    guard AudienceStage.isPossible else { throw .noHub }
    var made = keeping
    let value = made.open(hubs: hubs, terms: terms, random: environment.randomBytes)
    guard link(of: value) != nil else { throw .noHub }
    keeping = made
    speak(value)
  }

  /// Another link is in force from now on, and this participant speaks; who listens is led to it.
  func renew(_ surroundings: Surroundings, hubs: [HubAddress]) throws(AudienceRefusal) {
    if let refusal = surroundings.refusal { throw refusal }
    guard let before = keeping.opening ?? (keeping.isClosing ? nil : surroundings.register?.value), let former = link(of: before)
    else { throw .notOpen }
    guard let formerKey = keeping.key(of: before.topic) else { throw .notSpeaking }
    var made = keeping
    let value = made.open(hubs: hubs, former: before.topic, terms: before.terms, random: environment.randomBytes)
    guard let link = link(of: value), let key = made.key(of: value.topic) else { throw .noHub }
    keeping = made
    let stage = stage ?? makeStage(former, formerKey, before.terms)
    stage.renew(link, key: key)
    self.stage = stage
    self.link = link.text
    tell(stage.news, isOtherLink: true)
  }

  func close(_ surroundings: Surroundings) {
    guard keeping.isOpening || surroundings.register != nil, surroundings.refusal == nil else { return }
    keeping.close()
    end(isOver: true)
  }

  func invite(_ listener: ParticipantID, by text: String) throws(AudienceRefusal) {
    guard let stage else { throw .notOpen }
    try stage.invite(listener, by: text)
  }

  /// This participant is in the session no more, or may not speak. `isOver`: nobody else does, and who listens is told.
  func end(isOver: Bool, reason: String = "") {
    let before = stage
    (stage, isSpeaking, link) = (nil, false, nil)
    if isOver { before?.close() } else { before?.leave() }
    tell(AudienceNews(state: .closed, reason: news.state == .closed ? news.reason : reason))
  }

  /// It leaves, and these are still there.
  func handOver(to hosts: [ParticipantID]) -> [Output] {
    guard let topic = stage?.link.topic, let seed = keeping.seed(of: topic), !hosts.isEmpty else { return [] }
    end(isOver: false, reason: "left: another host goes on with it")
    return [.send(SeedMessage(topic: topic, seed: seed), to: hosts)]
  }

  // MARK: What others say

  func receive(_ message: SeedMessage, from sender: ParticipantID, _ surroundings: Surroundings) -> [Output] {
    guard let seed = message.seed else {
      guard surroundings.hosts.contains(sender), let seed = keeping.seed(of: message.topic), answers.spend(now: environment.now)
      else { return [] }
      return [.send(SeedMessage(topic: message.topic, seed: seed), to: [sender])]
    }
    guard surroundings.register?.value.topic == message.topic, keeping.key(of: message.topic) == nil else { return [] }
    if !keeping.take(seed, of: message.topic) {
      deliver(.log(.warning, "participant \(sender) handed over a key of the audience that is none"))
    }
    return []
  }

  // MARK: Each turn

  /// How far those who listen are for the start that is prepared; nil: nobody is waited for.
  func readiness(for start: ParticipantValue.Readiness?) -> AudienceReadiness? { isSpeaking ? stage?.readiness(for: start) : nil }

  func review(_ surroundings: Surroundings) -> [Output] {
    let situation = AudienceKeeping.Situation(
      local: identity.id, register: surroundings.register.map { ($0.value, $0.said.author) }, hosts: surroundings.hosts,
      isInStep: surroundings.isInStep, isAble: AudienceStage.isPossible && surroundings.refusal == nil, now: environment.now)
    return keeping.review(situation).map { step in
      switch step {
      case .write(let value): .write(value)
      case .ask(let host, let topic): .send(SeedMessage(topic: topic), to: [host])
      }
    }
  }

  /// - Parameters:
  ///   - seat: the session's place at a hub; nil: it has none.
  ///   - revision: another number once a register changed.
  func follow(_ surroundings: Surroundings, seat: RoomEntry?, revision: UInt64, read: () -> StageInput) -> [Output] {
    var outputs: [Output] = []
    if let refusal = surroundings.refusal {
      // Nobody could go on with it. Said at once, so that no later policy finds it open.
      if refusal != .denied, surroundings.register?.said.author == identity.id { outputs.append(.write(nil)) }
      end(isOver: refusal != .denied || surroundings.hosts.isEmpty, reason: refusal.message)
    } else if !keeping.hasWish {
      follow(surroundings.register, surroundings)
    }
    if let stage {
      isSpeaking = surroundings.isInStep
      if isSpeaking { stage.settle(seat, revision: revision, read: read) }
    }
    return outputs + serve(stage?.topics ?? Set(surroundings.register.map { [$0.value.topic] } ?? []))
  }

  private func follow(_ register: (value: AudienceValue, said: Stamp)?, _ surroundings: Surroundings) {
    guard let (value, said) = register, let link = link(of: value) else {
      // Nothing of the own was said before: another one closed it.
      return end(isOver: true, reason: "closed by another host")
    }
    let isOtherLink = self.link != nil && self.link != link.text
    self.link = link.text
    if let stage, stage.link.topic != value.topic, stage.link.topic != value.former {
      end(isOver: true, reason: "another host opened another one")
      self.link = link.text
    }
    if said.author == identity.id, keeping.key(of: value.topic) != nil {
      if stage == nil { speak(value) }
      return
    }
    // Whoever renewed it leads on who listens.
    stage?.leave()
    (stage, isSpeaking) = (nil, false)
    let isSpokenTo = said.author != identity.id && surroundings.hosts.contains(said.author)
    tell(
      AudienceNews(
        state: isSpokenTo ? .open : .opening, reactions: value.terms.reactions.map { ReactionCount(text: $0, count: 0) },
        reason: isSpokenTo ? "" : "no host speaks to the audience just now"),
      isOtherLink: isOtherLink)
  }

  private func speak(_ value: AudienceValue) {
    guard let link = link(of: value), let key = keeping.key(of: value.topic) else { return }
    let made = makeStage(link, key, value.terms)
    stage = made
    self.link = link.text
    tell(made.news)
  }

  private func makeStage(_ link: AudienceLink, _ key: SigningKey, _ terms: AudienceTerms) -> AudienceStage {
    AudienceStage(link: link, key: key, terms: terms, identity: identity, environment: environment) { [this] in this.object?.heard($0) }
  }

  /// Said each time: a hub may have begun in this process.
  private func serve(_ topics: Set<[UInt8]>) -> [Output] {
    let over = served.subtracting(topics)
    served = topics
    return over.map { .stopServing(topic: $0) } + topics.map { .serve(topic: $0) }
  }

  private func link(of value: AudienceValue) -> AudienceLink? {
    if let named, named.value == value { return named.link }
    guard let secret = Secret(value.secret),
      let link = try? AudienceLink(origin: origin, secret: secret, topic: value.topic, hubs: value.hubs)
    else { return nil }
    named = (value, link)
    return link
  }

  private func heard(_ event: SessionEvent) {
    if case .audience(let news) = event { tell(news) } else { deliver(event) }
  }

  /// `isOtherLink`: told also where all else is as it was.
  private func tell(_ new: AudienceNews, isOtherLink: Bool = false) {
    guard new != news || isOtherLink else { return }
    news = new
    deliver(.audience(new))
  }
}
