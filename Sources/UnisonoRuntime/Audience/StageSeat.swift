import UnisonoBase
import UnisonoCoordination
import UnisonoCrypto
import UnisonoReplica
import UnisonoWire

/// A publisher's place before the audience of one link: the link to the hub, and what was said there so far. What is to be said, and when,
/// `AudienceStage` knows.
///
/// Phases: made, connecting from the first `follow`, entered and lost in turn, until `leave`. Loop thread only.
final class StageSeat {
  struct Events {
    var entered: () -> Void
    /// A listener said something; the seat's `hands` opens it.
    var said: ([UInt8], StageSeat) -> Void
    var counted: () -> Void
    var lost: (HubLinkEnd) -> Void
    /// What would have to be said is longer than an envelope.
    var tooLong: () -> Void
  }

  /// What makes a programme another one. The own register is none of it: it tells where the player is, every second.
  private struct Essence: Equatable {
    var levels: [PolicyLevel]
    var statements: [Statement]
    var item: ItemID?
    var hubs: [HubAddress]
    var renewal: StageRenewal?
  }

  /// A line is said so often where nothing changes; with so many listeners half as often.
  static let period = Nanoseconds.seconds(2)
  private static let crowd: UInt32 = 20_000
  /// Whose keys are shown before they say something.
  private static let hosts = 32
  /// Bytes of an envelope besides its padded plain text.
  private static let overhead = EnvelopeHeader.length + 16

  let link: AudienceLink
  let terms: AudienceTerms
  let hands: HandOpener
  private(set) var isEntered = false
  /// By the hub's word.
  private(set) var count = AudienceCount(listeners: 0)
  /// Programme and line were said: who comes finds what the group does.
  private(set) var isSet = false
  private(set) var lineDue: HostTime = .min

  private let this = WeakReference<StageSeat>()
  private let environment: any Environment
  private let key: SigningKey
  private let identity: Identity
  private let turns = Turns()
  private let events: Events
  private let tags: TallyTags
  /// Of the terms' reactions, in their order.
  private let reactionTags: [UInt64]
  private var sealer: StageSealer
  private var client: HubClient?
  /// At which `client` is.
  private var hub: HubAddress?
  private var programme: Essence?
  /// Whose keys the programme has.
  private var shown: Set<ParticipantID> = []
  private var line: [SignedStatement]?

  /// `key`: whose public half is the link's topic.
  init(
    _ link: AudienceLink, key: SigningKey, terms: AudienceTerms, by identity: Identity, environment: any Environment, events: Events
  ) {
    self.environment = environment
    self.identity = identity
    self.events = events
    self.key = key
    self.link = link
    self.terms = terms
    let tags = TallyTags(link)
    self.tags = tags
    reactionTags = terms.reactions.map { tags.tag(of: .reaction($0)) }
    hands = HandOpener(link)
    sealer = StageSealer(link, by: identity)
    this.point(to: self)
  }

  deinit { this.cut() }

  /// To this hub, if it is another one.
  func follow(_ new: HubAddress) {
    guard new != hub else { return }
    hub = new
    client?.leave()
    isEntered = false
    client = HubClient(
      environment: environment, addresses: [new], audience: AudienceSeat(topic: link.topic, key: key), identity: identity, turns: turns,
      events: HubClientEvents(
        entered: { [this] _ in this.object?.entered() },
        delivered: { [this] in
          guard let seat = this.object else { return }
          seat.events.said($0, seat)
        },
        counted: { [this] in this.object?.counted($0) },
        lost: { [this] end, retry in this.object?.lost(end, retry: retry) }))
  }

  /// Nothing more is said by it. The hub hands on what it was shown last for 10 min.
  func leave() {
    client?.leave()
    client = nil
    isEntered = false
  }

  // MARK: What is said

  /// `again`: also where it is the same as before.
  func say(programme input: StageInput, renewal: StageRenewal?, again: Bool) {
    guard isEntered else { return }
    let state = input.state
    let essence = Essence(
      levels: state.levels, statements: state.programme.filter { !$0.key.isParticipant }, item: state.item, hubs: input.hubs,
      renewal: renewal)
    var authors = Set((state.programme + state.line).map { $0.author } + state.levels.map { $0.author })
    authors.insert(identity.id)
    // Whoever of them commands next is believed at once.
    authors.formUnion(input.hosts.prefix(Self.hosts))
    guard again || essence != programme || !authors.isSubset(of: shown) else { return }
    shown = authors
    var new = StageProgramme(
      levels: state.levels.map { $0.bytes }, keys: input.keys(authors), statements: input.sign(state.programme), item: state.item,
      hubs: input.hubs, renewal: renewal, share: terms.share, reactions: terms.reactions)
    // What matters least is last.
    while !Self.fits(.programme(new), .programme), !new.statements.isEmpty { new.statements.removeLast() }
    programme = essence
    guard Self.fits(.programme(new), .programme) else { return events.tooLong() }
    guard let envelope = sealer.seal(.programme(new)) else { return }
    client?.show(envelope, slot: AudienceSlot.programme.rawValue)
  }

  func say(line input: StageInput, now: HostTime) {
    guard isEntered else { return }
    let statements = input.sign(input.state.line)
    guard statements != line || now >= lineDue else { return }
    let message = StageMessage.line(
      StageLine(sent: input.state.time?.group, error: input.state.time.map { Self.microseconds($0.error) } ?? 0, statements: statements))
    lineDue = now.adding(count.listeners > Self.crowd ? 2 * Self.period : Self.period)
    guard Self.fits(message, .line) else { return events.tooLong() }
    guard let envelope = sealer.seal(message) else { return }
    line = statements
    if client?.show(envelope, slot: AudienceSlot.line.rawValue) ?? false { isSet = programme != nil }
  }

  /// The audience is closed: who listens is told, where the hub can be reached.
  func sayOver() {
    guard isEntered, let envelope = sealer.seal(.line(StageLine(sent: nil, error: 0, statements: [], isOver: true))) else { return }
    client?.show(envelope, slot: AudienceSlot.line.rawValue)
  }

  /// Says something to one who listens. false: it was not sent.
  @discardableResult
  func say(_ message: StageMessage, to listener: ParticipantID) -> Bool {
    guard isEntered, let envelope = sealer.seal(message) else { return false }
    return client?.send(envelope, to: [listener]) ?? false
  }

  static func microseconds(_ error: Nanoseconds) -> UInt32 { UInt32(clamping: (error + 999) / 1_000) }

  private static func fits(_ message: StageMessage, _ slot: AudienceSlot) -> Bool {
    EnvelopePlain.paddedLength(content: message.encoded.count) + overhead <= slot.longest
  }

  // MARK: The hub

  private func entered() {
    sealer.beginLane(random: environment.randomBytes)
    isEntered = true
    (programme, line, lineDue, isSet) = (nil, nil, .min, false)
    events.entered()
  }

  private func lost(_ end: HubLinkEnd, retry: HostTime?) {
    isEntered = false
    if retry == nil {
      client?.close()
      client = nil
    }
    events.lost(end)
  }

  private func counted(_ new: AudienceCount) {
    count = new.judged
    events.counted()
  }

  /// By the hub's word, how many who listen here are ready for a start.
  func ready(for start: ParticipantValue.Readiness) -> UInt32 {
    guard !count.ready.isEmpty else { return 0 }
    let tag = tags.tag(of: .ready(start))
    return count.ready.first { $0.tag == tag }?.count ?? 0
  }

  /// The same of the terms' reactions, in their order.
  var reactions: [UInt32] {
    reactionTags.map { tag in count.reactions.first { $0.tag == tag }?.count ?? 0 }
  }
}
