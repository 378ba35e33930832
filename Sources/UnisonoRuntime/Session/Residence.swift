import UnisonoBase
import UnisonoCrypto
import UnisonoReplica

/// Residence of a participant in one room: the door, the secure channel behind it, and the client that keeps a place at a hub.
///
/// A session lives in its *present* residence. When an owner moves it to another room there is a *next* one, whose hub is on
/// its way to be entered; then that becomes the present one, and the former one is *retired*. A retired residence is read for
/// `reading`, so that what was on its way still counts. One participant goes on to keep its door until `keeping` is over: it
/// hands members who missed the move the way to the new room, and leaves a relocation notice at the hub for everybody else
/// (wire 6.6, 6.8). When that participant is gone its successor keeps the door.
///
///     next ── enter ──▶ present ── retire ──▶ retired ── leave, close ──▶ closed
///                          └─── bid farewell ──▶ farewell ───────────────────┘
///
/// Where this participant ended the session, its present residence stays for `farewell`: participants that were on their way in
/// are handed the key and the end, which nobody else would inform them of.
///
/// Belongs to the loop's thread. Its owner gets the client's events through `connect`, with the residence that they belong to;
/// it passes them on to the channel and carries the channel's effects out.
final class Residence {
  /// Reading of a retired room goes on for so long.
  static let reading = Nanoseconds.seconds(5)
  /// The door of a retired room is kept for so long.
  static let keeping = Nanoseconds.seconds(600)
  /// Time after which a successor keeps the door when the keeper is gone: a link may be back at once.
  static let takeover = Nanoseconds.seconds(2)

  /// Time for which one who ended the session stays for those on their way in.
  static let farewell = Nanoseconds.seconds(5)

  /// Event of the link to a hub.
  enum Event {
    /// In the room; also after every reconnection.
    case entered(RoomEntry)
    /// About to move to the room at another hub.
    case moves(HubAddress)
    /// The hub said that it ends within this; the next one is entered meanwhile.
    case ending(within: Nanoseconds)
    case presence(joined: [Member], gone: [Departure])
    case delivered([UInt8])
    case probed(ProbeSample)
    /// Something of what these said may be missing.
    case missed([ParticipantID])
    /// What the hub knows of the clocks of others.
    case clocks(ClockReport)
    /// All that was sent has left.
    case drained
    /// `retry`: start of the next attempt, host time; nil: there is none.
    case lost(HubLinkEnd, retry: HostTime?)
    /// A hub is left alone until then, host time.
    case setAside(HubAddress, HubLinkEnd, until: HostTime)
  }

  enum Phase {
    case present
    /// The session is moving here; these open the room. `isLate`: the others moved before.
    case next(RoomSecrets, isLate: Bool)
    case retired(Retirement)
    /// The session was ended here, by this statement.
    case farewell(Statement)
    case closed
  }

  /// State of a retired room's door.
  struct Retirement {
    /// Secrets of the room that the session moved to.
    let secrets: RoomSecrets
    /// Owner that moved the session, and is the first to keep the door.
    let author: ParticipantID
    /// The door is kept by this participant.
    fileprivate(set) var isKept: Bool
    let readUntil: HostTime
    let closesAt: HostTime
    /// Time since which this participant is the one to keep the door.
    fileprivate(set) var keeperSince: HostTime?
  }

  private let this = WeakReference<Residence>()
  /// Secret of the door, as invites carry it.
  let doorSecret: Secret
  /// Read in place: a copy costs more than most of what is asked of it.
  private(set) var channel: SecureChannel {
    _read { yield stored }
    _modify { yield &stored }
  }
  private var stored: SecureChannel
  /// nil: no link is wanted, as somebody else keeps the door, or all is over.
  private(set) var client: HubClient?
  private(set) var phase: Phase

  init(doorSecret: Secret, channel: SecureChannel, phase: Phase = .present) {
    self.doorSecret = doorSecret
    stored = channel
    self.phase = phase
    this.point(to: self)
  }

  deinit { this.cut() }

  var door: Door { channel.door }
  /// Place at a hub; nil while there is no link.
  var seat: RoomEntry? { client?.current }
  /// Others in the room, with their connections.
  var others: [ParticipantID: UInt64] { client?.others ?? [:] }
  /// Bytes that wait to be sent.
  var queuedBytes: Int { client?.queuedBytes ?? 0 }
  /// The state of a retired room; nil: not retired.
  var retirement: Retirement? {
    if case .retired(let retirement) = phase { retirement } else { nil }
  }

  /// Begins to connect to the room at one of the hubs, in place of any link there was.
  func connect(
    _ environment: any Environment, identity: Identity, turns: Turns, passes: [[UInt8]: [UInt8]], candidates: [HubCandidate],
    group: HubGroup = .none, isOwnHubVisited: Bool = false, report: @escaping (Residence, Event) -> Void
  ) {
    client?.close()
    let forward: (Event) -> Void = { [this] event in if let residence = this.object { report(residence, event) } }
    let new = HubClient(
      environment: environment, candidates: candidates, group: group,
      credentials: RoomCredentials(access: .member(of: door), identity: identity, passes: passes, turns: turns),
      events: HubClientEvents(
        entered: { forward(.entered($0)) }, moves: { forward(.moves($0)) },
        ending: { forward(.ending(within: $0)) },
        presence: { forward(.presence(joined: $0, gone: $1)) },
        delivered: { forward(.delivered($0)) }, probed: { forward(.probed($0)) }, drained: { forward(.drained) },
        missed: { forward(.missed($0)) }, clocks: { forward(.clocks($0)) }, lost: { forward(.lost($0, retry: $1)) },
        setAside: { forward(.setAside($0, $1, until: $2)) }))
    client = new
    if isOwnHubVisited { new.setOwnHubVisited(true) }
  }

  // MARK: The channel

  /// Makes a step of the channel. Its effects are to be carried out in their order.
  func withChannel<Result, Failure: Error>(
    _ step: (inout SecureChannel) throws(Failure) -> Result
  ) throws(Failure) -> Result { try step(&channel) }

  /// The link is up, with these members in the room. In a retired room those who missed the move are handed the way.
  func enter(members: [Member], mergedWithOthers: Bool = false, now: HostTime) -> [ChannelEffect] {
    var effects = channel.entered(members: members, mergedWithOthers: mergedWithOthers, now: now)
    for member in members { effects += channel.handOverRelocation(member.id, now: now) }
    return effects
  }

  /// Others came or went. In a retired room those who missed the move are handed the way.
  func updatePresence(joined: [Member], gone: [Departure], now: HostTime) -> [ChannelEffect] {
    var effects = channel.presence(joined: joined, gone: gone, now: now)
    for member in joined { effects += channel.handOverRelocation(member.id, now: now) }
    return effects
  }

  func linkDown(now: HostTime) { channel.linkDown(now: now) }

  /// Messages that come here still count.
  func isRead(at now: HostTime) -> Bool { retirement.map { now < $0.readUntil } ?? true }

  // MARK: The phases

  /// The session lives here from now on.
  func becomePresent() { phase = .present }

  /// The session moved to another room.
  ///
  /// - Parameters:
  ///   - secrets: of that room.
  ///   - author: owner that moved it.
  ///   - isKept: this participant is that owner, and keeps the door.
  func retire(secrets: RoomSecrets, author: ParticipantID, isKept: Bool, now: HostTime) {
    phase = .retired(
      Retirement(
        secrets: secrets, author: author, isKept: isKept, readUntil: now.adding(Self.reading),
        closesAt: now.adding(Self.keeping)))
    channel.retire(keeping: isKept ? secrets : nil)
    postRelocationNotice(isFinal: false)
  }

  /// Leaves a notice at the hub for newcomers, who then need not wait for people who will not come; only of a door kept here.
  ///
  /// - Parameter isFinal: nobody keeps this door any more.
  func postRelocationNotice(isFinal: Bool) {
    guard retirement?.isKept == true, let notice = channel.makeRelocationNotice(isFinal: isFinal) else { return }
    client?.keep(notice)
  }

  /// Ends the reading of a retired room whose door somebody else keeps, when its time is over.
  ///
  /// - Parameter isKeeper: it is this participant's turn to keep the door.
  /// - Returns: whether it is to be kept here, from now on, by `keepDoor`.
  func review(isKeeper: Bool, now: HostTime) -> Bool {
    guard case .retired(var retirement) = phase, !retirement.isKept else { return false }
    if let client, retirement.readUntil <= now {
      client.leave()
      channel.linkDown(now: now)
      self.client = nil
    }
    retirement.keeperSince = isKeeper ? retirement.keeperSince ?? now : nil
    phase = .retired(retirement)
    return retirement.keeperSince.map { now >= $0.adding(Self.takeover) } ?? false
  }

  /// Keeps the door of this retired room from now on. A link to it follows by `connect`.
  func keepDoor() {
    guard case .retired(var retirement) = phase else { return }
    retirement.keeperSince = nil
    retirement.isKept = true
    phase = .retired(retirement)
    channel.retire(keeping: retirement.secrets)
  }

  /// Time at which a retired room needs a look; nil: not retired.
  var nextWake: HostTime? {
    guard let retirement else { return nil }
    var wake = retirement.isKept || client == nil ? retirement.closesAt : retirement.readUntil
    if let since = retirement.keeperSince { wake = min(wake, since.adding(Self.takeover)) }
    return [wake, channel.nextErasure, channel.nextHandover].compactMap { $0 }.min()
  }

  /// This participant ended the session, by this statement. Nobody is looked for any more.
  func bidFarewell(_ end: Statement) {
    phase = .farewell(end)
    // Who comes later, to a hub that is still there, is not to wait for people who will not come. Who is here may not have the key yet
    // that the end was said under, and this process may be gone before it can be asked.
    if let notice = channel.makeEndNotice(end) {
      client?.keep(notice)
      client?.send(notice)
    }
    client?.setGroup(.none)
  }

  /// Leaves the room for good, on purpose. No events afterwards.
  ///
  /// - Parameter isLast: nobody keeps the door of this retired room any more.
  func leave(isLast: Bool = false) {
    if isLast { postRelocationNotice(isFinal: true) }
    client?.leave()
    client = nil
    phase = .closed
  }

  /// Ends without a word to the room. No events afterwards.
  func close() {
    client?.close()
    client = nil
    phase = .closed
  }
}
