import UnisonoBase
import UnisonoCoordination
import UnisonoCrypto
import UnisonoReplica
import UnisonoWire

/// The place of a publisher before its audience (wire 8.27): it says at the hub in use what plays, to everybody who has the link.
///
/// Its session calls `settle` at the end of each turn, and is told by `deliver`; all on the loop's thread. From `init` on it is open or
/// about to be, until `close`. It follows the session from hub to hub.
final class AudienceStage {
  /// What makes a programme another one. The own register is none of it: it tells where the player is, every second.
  private struct Essence: Equatable {
    var levels: [PolicyLevel]
    var statements: [Statement]
    var item: ItemID?
    var hubs: [HubAddress]
  }

  /// A line is said so often where nothing changes; with so many listeners half as often.
  static let period = Nanoseconds.seconds(2)
  private static let crowd: UInt32 = 20_000
  /// What else is said is looked through so often where no register changed.
  private static let review = Nanoseconds.seconds(1)
  /// Bytes of an envelope besides its padded plain text.
  private static let overhead = EnvelopeHeader.length + 16

  let link: AudienceLink
  private(set) var news = AudienceNews(state: .opening)

  private let this = WeakReference<AudienceStage>()
  private let environment: any Environment
  private let seatKey: SigningKey
  private let identity: Identity
  private let turns = Turns()
  private let deliver: (SessionEvent) -> Void
  private var sealer: StageSealer
  private var hands: HandsHeard
  private var client: HubClient?
  /// At which `client` is.
  private var hub: HubAddress?
  private var isEntered = false
  private var programme: Essence?
  private var line: [SignedStatement]?
  private var lineDue: HostTime = .min
  private var reviewed: (revision: UInt64, at: HostTime)?
  private var toldTooLong = false

  /// `hubs`: for the link.
  init(
    origin: Origin, identity: Identity, hubs: [HubAddress], environment: any Environment, deliver: @escaping (SessionEvent) -> Void
  ) throws(InviteError) {
    self.environment = environment
    self.identity = identity
    self.deliver = deliver
    seatKey = SigningKey(seed: Secret(random: environment.randomBytes))
    link = try AudienceLink(
      origin: origin, secret: Secret(random: environment.randomBytes), topic: seatKey.publicKey.bytes, hubs: hubs)
    sealer = StageSealer(link, by: identity)
    hands = HandsHeard(link, now: environment.now)
    this.point(to: self)
  }

  deinit { this.cut() }

  /// Ends it: who listens is told that it is over, where the hub can be reached.
  func close(reason: String = "") {
    if isEntered, let envelope = sealer.seal(.line(StageLine(sent: nil, error: 0, statements: [], isOver: true))) {
      client?.show(envelope, slot: AudienceSlot.line.rawValue)
    }
    client?.leave()
    client = nil
    report(AudienceNews(state: .closed, reason: reason))
  }

  // MARK: At the end of each turn

  /// - Parameters:
  ///   - seat: the session's place at a hub; nil: it has none, and the audience stays where it was.
  ///   - revision: another number once a register changed.
  func settle(_ seat: RoomEntry?, revision: UInt64, read: () -> StageInput) {
    if let seat { follow(HubAddress(address: seat.address, hub: seat.pinned)) }
    let now = environment.now
    guard isEntered else { return }
    let isReviewDue = reviewed.map { $0.revision != revision || now >= $0.at.adding(Self.review) } ?? true
    guard isReviewDue || now >= lineDue else { return }
    let input = read()
    reviewed = (revision, now)
    sayProgramme(input)
    sayLine(input, now: now)
  }

  var nextWake: HostTime? { isEntered ? min(lineDue, reviewed?.at.adding(Self.review) ?? lineDue) : nil }

  private func sayProgramme(_ input: StageInput) {
    let state = input.state
    let essence = Essence(
      levels: state.levels, statements: state.programme.filter { !$0.key.isParticipant }, item: state.item, hubs: input.hubs)
    guard essence != programme else { return }
    var authors = Set((state.programme + state.line).map { $0.author } + state.levels.map { $0.author })
    authors.insert(identity.id)
    var new = StageProgramme(
      levels: state.levels.map { $0.bytes }, keys: input.keys(authors), statements: input.sign(state.programme), item: state.item,
      hubs: input.hubs)
    // What matters least is last.
    while !Self.fits(.programme(new), .programme), !new.statements.isEmpty { new.statements.removeLast() }
    programme = essence
    guard Self.fits(.programme(new), .programme) else { return tellTooLong() }
    guard let envelope = sealer.seal(.programme(new)) else { return }
    client?.show(envelope, slot: AudienceSlot.programme.rawValue)
  }

  private func sayLine(_ input: StageInput, now: HostTime) {
    let statements = input.sign(input.state.line)
    guard statements != line || now >= lineDue else { return }
    let message = StageMessage.line(
      StageLine(
        sent: input.state.time?.group, error: input.state.time.map { UInt32(clamping: $0.error / 1_000) } ?? 0, statements: statements))
    lineDue = now.adding(news.listeners > Self.crowd ? 2 * Self.period : Self.period)
    guard Self.fits(message, .line) else { return tellTooLong() }
    guard let envelope = sealer.seal(message) else { return }
    line = statements
    client?.show(envelope, slot: AudienceSlot.line.rawValue)
  }

  private static func fits(_ message: StageMessage, _ slot: AudienceSlot) -> Bool {
    EnvelopePlain.paddedLength(content: message.encoded.count) + overhead <= slot.longest
  }

  private func tellTooLong() {
    if !toldTooLong {
      deliver(.log(.warning, "the audience is not told everything: what plays names too many participants for one message"))
    }
    toldTooLong = true
  }

  // MARK: Listeners

  /// Who asked to be invited.
  var asking: [ParticipantID] { hands.asking }

  /// Hands somebody who asked the text of an invite, which nobody else can read.
  func invite(_ listener: ParticipantID, by text: String) throws(AudienceRefusal) {
    guard let key = hands.key(of: listener) else { throw .notAsked }
    let seal = InviteSeal(session: link.origin.session, publisher: identity.id, listener: listener)
    guard isEntered, let sealed = seal.seal(text, to: key), let envelope = sealer.seal(.invite(sealed: sealed)),
      client?.send(envelope, to: [listener]) ?? false
    else { throw .notSent }
  }

  private func received(_ envelope: [UInt8]) {
    if let news = hands.take(envelope, now: environment.now) { deliver(.listener(news)) }
  }

  // MARK: The hub

  private func follow(_ new: HubAddress) {
    guard new != hub else { return }
    hub = new
    client?.leave()
    isEntered = false
    report(AudienceNews(state: .opening))
    client = HubClient(
      environment: environment, addresses: [new], audience: AudienceSeat(topic: link.topic, key: seatKey), identity: identity,
      turns: turns,
      events: HubClientEvents(
        entered: { [this] _ in this.object?.entered() },
        delivered: { [this] in this.object?.received($0) },
        counted: { [this] in this.object?.counted($0) },
        lost: { [this] end, retry in this.object?.lost(end, retry: retry) }))
  }

  private func entered() {
    sealer.beginLane(random: environment.randomBytes)
    isEntered = true
    (programme, line, lineDue, reviewed) = (nil, nil, .min, nil)
    report(AudienceNews(state: .open, listeners: news.listeners, leftOut: news.leftOut))
  }

  private func lost(_ end: HubLinkEnd, retry: HostTime?) {
    isEntered = false
    if retry == nil {
      client?.close()
      client = nil
    }
    report(AudienceNews(state: .opening, reason: end.reason))
  }

  private func counted(_ count: AudienceCount) {
    report(AudienceNews(state: news.state, listeners: count.listeners, leftOut: count.leftOut, reason: news.reason))
  }

  private func report(_ new: AudienceNews) {
    guard new != news else { return }
    news = new
    deliver(.audience(new))
  }
}
