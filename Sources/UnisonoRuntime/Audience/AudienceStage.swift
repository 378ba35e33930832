import UnisonoBase
import UnisonoCoordination
import UnisonoCrypto
import UnisonoReplica
import UnisonoWire

/// A publisher before its audience (wire 8.27): it says at the hub in use what plays, to everybody who has the link, and gives the audience
/// another link where its owner wishes it (8.30).
///
/// Its session calls `settle` at the end of each turn, and is told by `deliver`; all on the loop's thread. From `init` on it is open or
/// about to be, until `close`. It follows the session from hub to hub. After a renewal there are two seats: the current one, and the
/// former, which leads who is there to the current one for a while, and turns away who comes later.
final class AudienceStage {
  /// The seat of the link before.
  private struct Former {
    let seat: StageSeat
    /// Since when it is said where the audience is from now on; nil: nobody would find anything there yet.
    var since: HostTime?
    /// How often it was said.
    var times = 0
  }

  /// What else is said is looked through so often where no register changed.
  private static let review = Nanoseconds.seconds(1)
  /// A new link is said so many times, so far apart, and leads those who come on for so long.
  private static let sayings = 3
  private static let sayingPause = Nanoseconds.seconds(2)
  private static let leading = Nanoseconds.seconds(600)

  private(set) var news: AudienceNews

  private let this = WeakReference<AudienceStage>()
  private let environment: any Environment
  private let identity: Identity
  private let terms: AudienceTerms
  private let deliver: (SessionEvent) -> Void
  private var current: StageSeat
  private var former: Former?
  private var hands: HandsHeard
  /// Who asked for group time in this turn, and where.
  private var questions: [(listener: ParticipantID, number: UInt32, seat: StageSeat)] = []
  /// That listeners are waited for at, or were last; nil: none.
  private var awaited: ParticipantValue.Readiness?
  private var hub: HubAddress?
  private var reviewed: (revision: UInt64, at: HostTime)?
  private var toldTooLong = false

  /// `key`: whose public half is the topic.
  init(
    link: AudienceLink, key: SigningKey, terms: AudienceTerms, identity: Identity, environment: any Environment,
    deliver: @escaping (SessionEvent) -> Void
  ) {
    self.environment = environment
    self.identity = identity
    self.deliver = deliver
    self.terms = terms
    current = StageSeat(link, key: key, terms: terms, by: identity, environment: environment, events: Self.events(of: this))
    news = AudienceNews(state: .opening, reactions: terms.reactions.map { ReactionCount(text: $0, count: 0) })
    hands = HandsHeard(now: environment.now)
    this.point(to: self)
  }

  deinit { this.cut() }

  private static func events(of this: WeakReference<AudienceStage>) -> StageSeat.Events {
    StageSeat.Events(
      entered: { this.object?.seatChanged() },
      said: { this.object?.received($0, at: $1) },
      counted: { this.object?.counted() },
      lost: { this.object?.seatChanged(by: $0) },
      tooLong: { this.object?.tellTooLong() })
  }

  /// By which anybody listens.
  var link: AudienceLink { current.link }
  /// Names at hubs under which it speaks.
  var topics: Set<[UInt8]> { Set([current.link.topic] + (former.map { [$0.seat.link.topic] } ?? [])) }

  /// This process has what it needs to speak to an audience.
  static let isPossible = true

  /// Ends it: who listens is told that it is over, where the hub can be reached.
  func close() {
    for seat in seats { seat.sayOver() }
    leave()
  }

  /// Another one speaks from now on: who listens hears nothing of it.
  func leave() {
    for seat in seats { seat.leave() }
  }

  /// Another link is in force from now on; who listens is led to it as soon as it finds something there.
  func renew(_ link: AudienceLink, key: SigningKey) {
    let seat = StageSeat(link, key: key, terms: terms, by: identity, environment: environment, events: Self.events(of: this))
    if let former, former.since == nil {
      // Nobody was told of it.
      current.leave()
    } else {
      // Who is still there was told of the current one, and finds it told at the hub.
      former?.seat.leave()
      former = Former(seat: current)
    }
    current = seat
    if let hub { seat.follow(hub) }
    reviewed = nil
    news = news(.opening, reason: "")
  }

  private var seats: [StageSeat] { [current] + (former.map { [$0.seat] } ?? []) }

  // MARK: At the end of each turn

  /// - Parameters:
  ///   - seat: the session's place at a hub; nil: it has none, and the audience stays where it was.
  ///   - revision: another number once a register changed.
  func settle(_ seat: RoomEntry?, revision: UInt64, read: () -> StageInput) {
    if let seat { follow(HubAddress(address: seat.address, hub: seat.pinned)) }
    let now = environment.now
    guard seats.contains(where: \.isEntered) else { return questions = [] }
    let isReviewDue = reviewed.map { $0.revision != revision || now >= $0.at.adding(Self.review) } ?? true
    guard isReviewDue || !questions.isEmpty || dues.contains(where: { now >= $0 }) else { return }
    let input = read()
    reviewed = (revision, now)
    current.say(programme: input, renewal: nil, again: false)
    current.say(line: input, now: now)
    sayFormer(input, now: now)
    answer(input)
  }

  /// Leads who is at the former seat on.
  private func sayFormer(_ input: StageInput, now: HostTime) {
    guard let seat = former?.seat, seat.isEntered else { return }
    if former?.since == nil, current.isSet { former?.since = now }
    let since = former?.since
    let isLeading = since.map { now < $0.adding(Self.leading) } ?? true
    let isDue = sayingDue.map { now >= $0 } ?? false
    if isDue { former?.times += 1 }
    let next = StageRenewal.next(secret: current.link.secret.bytes, topic: current.link.topic)
    seat.say(programme: input, renewal: since == nil ? nil : isLeading ? next : .over, again: isDue)
    if isLeading { seat.say(line: input, now: now) }
  }

  /// When the new link is to be said at the former seat once more.
  private var sayingDue: HostTime? {
    guard let former, former.seat.isEntered, former.times < Self.sayings else { return nil }
    return former.since?.adding(Int64(former.times) * Self.sayingPause)
  }

  private var dues: [HostTime] {
    var dues = current.isEntered ? [current.lineDue] : []
    guard let former, former.seat.isEntered else { return dues }
    let until = former.since?.adding(Self.leading) ?? .max
    if environment.now < until { dues += [former.seat.lineDue, until] }
    return dues + [sayingDue].compactMap { $0 }
  }

  var nextWake: HostTime? {
    guard seats.contains(where: \.isEntered) else { return nil }
    return (dues + [reviewed?.at.adding(Self.review)].compactMap { $0 }).min()
  }

  private func tellTooLong() {
    if !toldTooLong {
      deliver(.log(.warning, "the audience is not told everything: what plays names too many participants for one message"))
    }
    toldTooLong = true
  }

  // MARK: Listeners

  /// How far listeners are for the start that is prepared; nil: nobody is waited for. `start`: nil: none is.
  func readiness(for start: ParticipantValue.Readiness?) -> AudienceReadiness? {
    guard terms.share > 0, current.isEntered, listeners > 0 else { return nil }
    if let start, start != awaited {
      awaited = start
      counted()
    }
    let isEnough = start.map { UInt64(ready(for: $0)) * 100 >= UInt64(terms.share) * UInt64(listeners) } ?? false
    return AudienceReadiness(limit: terms.limit, ready: isEnough ? start : nil)
  }

  /// Who asked to be invited.
  var asking: [ParticipantID] { hands.asking }

  /// Hands somebody who asked the text of an invite, which nobody else can read.
  func invite(_ listener: ParticipantID, by text: String) throws(AudienceRefusal) {
    guard let key = hands.key(of: listener) else { throw .notAsked }
    let seal = InviteSeal(session: link.origin.session, publisher: identity.id, listener: listener)
    guard let sealed = seal.seal(text, to: key) else { throw .notSent }
    // It may be on its way from one seat to the other.
    let sent = seats.map { $0.say(.invite(sealed: sealed), to: listener) }
    guard sent.contains(true) else { throw .notSent }
  }

  private func received(_ envelope: [UInt8], at seat: StageSeat) {
    switch hands.take(envelope, by: seat.hands, now: environment.now) {
    case .said(let news): deliver(.listener(news))
    case .asksForTime(let listener, let number): questions.append((listener, number, seat))
    case nil: break
    }
  }

  /// Answers who asked for group time, which is known as of now.
  private func answer(_ input: StageInput) {
    defer { questions = [] }
    guard let time = input.state.time else { return }
    for question in questions {
      let echo = EchoMessage(
        listener: question.listener, number: question.number, received: time.group, error: StageSeat.microseconds(time.error))
      question.seat.say(.echo(echo), to: question.listener)
    }
  }

  // MARK: The hub

  private func follow(_ new: HubAddress) {
    guard new != hub else { return }
    hub = new
    for seat in seats { seat.follow(new) }
    report(news(.opening, reason: ""))
  }

  private func seatChanged(by end: HubLinkEnd? = nil) {
    reviewed = nil
    let reason = current.isEntered ? "" : end?.reason ?? news.reason
    report(news(current.isEntered ? .open : .opening, reason: reason))
  }

  private func counted() { report(news(news.state, reason: news.reason)) }

  private func news(_ state: AudienceState, reason: String) -> AudienceNews {
    AudienceNews(
      state: state, listeners: listeners, leftOut: current.count.leftOut, ready: awaited.map(ready) ?? 0, reactions: reactions,
      reason: reason)
  }

  private func ready(for start: ParticipantValue.Readiness) -> UInt32 {
    UInt32(clamping: seats.reduce(UInt64(0)) { $0 + UInt64($1.ready(for: start)) })
  }

  private var reactions: [ReactionCount] {
    let counts = seats.map(\.reactions)
    return terms.reactions.indices.map { index in
      ReactionCount(text: terms.reactions[index], count: UInt32(clamping: counts.reduce(UInt64(0)) { $0 + UInt64($1[index]) }))
    }
  }

  /// At both seats: who is led on is at one of them.
  private var listeners: UInt32 { seats.reduce(0) { $0.addingReportingOverflow($1.count.listeners).partialValue } }

  private func report(_ new: AudienceNews) {
    guard new != news else { return }
    news = new
    deliver(.audience(new))
  }
}
