import UnisonoCore

/// A participant's keys in one room: who may be believed, what opens, how to speak (wire 4, 5, 6).
///
/// Pure: randomness comes in through a closure, time with every call. One for each session object; links come and go.
public struct SecureRoom {
  public internal(set) var door: Door
  let identity: Identity
  /// Of the session, by its invite: the first owner.
  let root: ParticipantID
  let isCreator: Bool
  let random: (Int) -> [UInt8]
  let introduction: Introduction

  var roster = Roster()
  /// Levels of the policy in force, for who comes; and who is out.
  var levels: [PolicyLevel] = []
  var removed: Set<ParticipantID> = []
  var keyring: Keyring?
  var contest = EpochContest()
  var senders: [ParticipantID: SenderState] = [:]
  public internal(set) var members: [ParticipantID: Member] = [:]
  /// When those who are not here now were here last.
  var lastPresent: [ParticipantID: HostTime] = [:]
  /// Who asked for the key over this link: they do not have it either.
  var askers: Set<ParticipantID> = []
  /// Of those who had no key at all when they asked: there is nothing to be learnt of them.
  var keyless: Set<ParticipantID> = []
  /// The session moved out of this room.
  var isShut = false
  var doorkeeping: Doorkeeping?
  var isLinked = false
  var linkLost: HostTime?
  /// The owner was told, for this link, that it may speak.
  var isSecured = false
  var search: WelcomeSearch?
  /// What each was asked over this link and did not answer yet.
  var hellos: [ParticipantID: PendingHello] = [:]
  /// Who was asked because it could not be read.
  var questions = HelloBudget()
  /// Open until somebody else than the welcomer was read.
  var doubt: WelcomeDoubt?
  /// Word at this door that the session moved, until who is here was asked for the way.
  var word: [PolicyLevel]?
  var sweep = Sweep()
  var heldFrames = HeldFrames()
  var heldSignatures = HeldSignatures()
  var assembly = SnapshotAssembly()
  var welcomes = RateWindow(perSecond: 10)
  var introductionAnswers = RateWindow(perSecond: 20)
  var introductionAsks = RateWindow(perSecond: 20)
  var verifications = VerificationBudget()

  /// A message to many that is being sealed, and what was said since it began.
  var sealing: PrivateSealing?
  var behind: [PrivateSealing.Behind] = []

  var lane: Lane
  var orderedCounter: UInt64 = 0
  var unorderedCounter: UInt64 = 0
  var doorCounter: UInt64 = 0

  /// To the hub and back; how long answers of members may take.
  public var roundTrip = Nanoseconds.milliseconds(100)

  /// - Parameters:
  ///   - root: who made the session, by its invite.
  ///   - isCreator: draws the first content key, when it first enters a room.
  ///   - person: vouches for this participant as one device of a person.
  ///   - random: fresh bytes fit for keys.
  public init(
    door: Door, identity: Identity, root: ParticipantID, isCreator: Bool, person: PersonKey? = nil,
    random: @escaping (Int) -> [UInt8]
  ) {
    self.door = door
    self.identity = identity
    self.root = root
    self.isCreator = isCreator
    self.random = random
    introduction = Introduction(identity, session: door.scope.session, person: person)
    _ = roster.add(introduction)
    lane = Lane(index: 0, random: 0)
  }

  var local: ParticipantID { identity.id }

  // MARK: The link

  /// In a room, with these others: a new lane begins. `metOthers`: they were together without us, and may be keys ahead.
  public mutating func entered(members others: [Member], metOthers: Bool = false, now: HostTime) -> [RoomEffect] {
    beginLane()
    isLinked = true
    isSecured = false
    search = nil
    word = nil
    hellos = [:]
    askers = []
    keyless = []
    members = Dictionary(
      others.lazy.filter { [local] in $0.id != local }.prefix(WireLimits.members).map { ($0.id, $0) },
      uniquingKeysWith: { $1 })
    // Who was away may have missed generations, and what is said in one that the others erased is lost: a welcome brings
    // the present one first.
    let mayBeBehind = metOthers || linkLost.map { now.subtracting($0) > Keyring.advanceInterval } ?? false
    linkLost = nil
    if keyring == nil, isCreator { keyring = Keyring(Epoch(first: Secret(random: random), in: door.scope), now: now) }
    // At a door that is kept there is nothing to learn, and nobody to learn it from.
    if isShut || keyring != nil && (!mayBeBehind || members.isEmpty) { return announce(now: now) }
    search = WelcomeSearch(now: now)
    return ask(now: now)
  }

  /// Draws a new lane, which begins with an introduction.
  mutating func beginLane() {
    restartSealing()
    lane = Lane(index: lane.index &+ 1, random: random(8).reduce(0) { $0 << 8 | UInt64($1) })
    orderedCounter = 0
    unorderedCounter = 0
    doorCounter = 0
  }

  public mutating func presence(joined: [Member], gone: [Departure], now: HostTime) -> [RoomEffect] {
    for member in joined where member.id != local {
      guard members[member.id] != nil || members.count < WireLimits.members else { continue }
      members[member.id] = member
      // While nobody is left to be asked the newcomer may be the one who knows.
      if search?.asked == nil { search?.answerBy = now }
    }
    for departure in gone where members[departure.id].map({ $0.connection <= departure.connection }) ?? false {
      members[departure.id] = nil
      askers.remove(departure.id)
      keyless.remove(departure.id)
      notePresence(of: departure.id, now: now)
      // Whose words can still be opened is remembered, so that they are not taken again.
      if roster[departure.id] == nil, senders[departure.id]?.isReadable(with: keyring) != true {
        senders[departure.id] = nil
      }
      search?.tried.remove(departure.id)
      if search?.asked == departure.id { search?.answerBy = now }
    }
    return tick(now: now)
  }

  public mutating func linkDown(now: HostTime) {
    isLinked = false
    sealing = nil
    behind = []
    linkLost = linkLost ?? now
    isSecured = false
    search = nil
    hellos = [:]
    for id in members.keys { notePresence(of: id, now: now) }
    members = [:]
  }

  /// Of those who are known the last ones, as many as a session can have.
  private mutating func notePresence(of id: ParticipantID, now: HostTime) {
    lastPresent = lastPresent.filter { now.subtracting($0.value) <= Doorkeeping.memory }
    if roster[id] != nil { lastPresent[id] = now }
    guard lastPresent.count > WireLimits.participants else { return }
    let first = lastPresent.min { ($0.value, $0.key) < ($1.value, $1.key) }
    if let first { lastPresent[first.key] = nil }
  }

  /// Forgets who is not here, was not here lately, and said nothing that still counts; who never was here goes first so. What
  /// is kept is bounded by that alone, whatever anybody invents: nobody who comes is ever kept out by those who are gone.
  /// Call it at the end of a turn. `authors`: those whose statements count, or are still to be judged.
  public mutating func forgetStrangers(authors: () -> Set<ParticipantID>, now: HostTime) {
    guard sweep.isDue(count: roster.introductions.count + senders.count, now: now) else { return }
    lastPresent = lastPresent.filter { now.subtracting($0.value) <= Doorkeeping.memory }
    let kept = authors().union(members.keys).union(lastPresent.keys).union(levels.map(\.author))
      .union(assembly.authors).union([local])
    roster.keep(kept.contains)
    // What somebody said can be brought again as long as its key is there.
    senders = senders.filter { id, sender in
      members[id] != nil || roster[id] != nil || sender.isReadable(with: keyring) || sender.isIgnored(at: now)
    }
    if senders.count > Roster.limit {
      let gone = senders.filter { members[$0.key] == nil }.sorted { ($0.value.age, $0.key) < ($1.value.age, $1.key) }
      for (id, _) in gone.prefix(senders.count - Roster.limit) { senders[id] = nil }
    }
    askers.formIntersection(members.keys)
    keyless.formIntersection(members.keys)
    sweep.note(left: roster.introductions.count + senders.count, now: now)
  }

  /// Those who are here and were introduced, this one included.
  var population: Int { members.keys.count { roster[$0] != nil } + 1 }

  /// Lets go of content keys, and of keys that open them, whose time is over; all that a room needs which nobody speaks in
  /// any more.
  public mutating func eraseKeys(now: HostTime) {
    keyring?.erase(now: now)
    if hellos.values.contains(where: { $0.until <= now }) { hellos = hellos.filter { $0.value.until > now } }
  }

  /// Host time at which `eraseKeys` has something to do.
  public var nextErasure: HostTime? {
    (hellos.values.map(\.until) + [keyring?.nextErasure].compactMap { $0 }).min()
  }

  public mutating func tick(now: HostTime) -> [RoomEffect] {
    eraseKeys(now: now)
    let sealed = isLinked ? continueSealing(now: now) : []
    guard isLinked, let search, now >= search.answerBy else { return sealed }
    return sealed + ask(now: now)
  }

  /// Host time at which `tick` is due.
  public var nextWake: HostTime? {
    [isLinked ? search?.answerBy : nil, nextErasure, sealing?.since].compactMap { $0 }.min()
  }

  // MARK: Refusing

  mutating func refuse(_ sender: ParticipantID, _ reason: RoomRefusal, now: HostTime) -> [RoomEffect] {
    var effects = [RoomEffect.refused(sender, reason)]
    // Of ids that only a header names nothing is remembered: they are endless.
    guard reason.isFault, members[sender] != nil || roster[sender] != nil else { return effects }
    if senders[sender, default: SenderState()].countRefusal(at: now) {
      effects.append(.ignored(sender, reason, until: now.adding(SenderState.silence)))
      let length = UInt32(clamping: SenderState.silence / .milliseconds(1))
      effects += send(.ignoring(IgnoringMessage(reason: reason.number, length: length)), to: [sender], now: now)
    }
    return effects
  }

  /// Takes a proven introduction in; what waited for it is read now.
  mutating func introduce(_ introduction: Introduction, by relay: ParticipantID, now: HostTime) -> [RoomEffect] {
    switch roster.add(introduction) {
    case .known: return []
    case .full:
      // Until the end of the turn, when those are forgotten who do not matter. Of invented ids nothing is said.
      guard members[introduction.id] != nil else { return [] }
      return [.log(.warning, "the roster is full; participant \(introduction.id) cannot be understood yet")]
    case .conflict:
      return [.log(.warning, "participant \(relay) showed another key of participant \(introduction.id)")]
        + refuse(relay, .introduction, now: now)
    case .added:
      var effects: [RoomEffect] = []
      for held in heldSignatures.take(author: introduction.id) {
        if let statement = verified(held.statement, by: introduction) {
          effects.append(.deliver(.update([statement]), from: held.relay))
        }
      }
      for envelope in heldFrames.take(from: introduction.id) { effects += received(envelope, now: now) }
      return effects
    }
  }
}
