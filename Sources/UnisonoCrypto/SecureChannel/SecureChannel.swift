import UnisonoBase
import UnisonoCoordination
import UnisonoReplica
import UnisonoWire

/// Secure channel of a participant in one room: keys, proven members, sealing and opening (wire 4, 5, 6).
///
/// Pure: randomness comes in through a closure, time with every call. One for each session object; links come and go.
package struct SecureChannel {
  package internal(set) var door: Door
  let identity: Identity
  /// Creator of the session, by its invite: the first owner.
  let root: ParticipantID
  let isCreator: Bool
  let random: (Int) -> [UInt8]
  let introduction: Introduction

  var introductions = Introductions()
  /// Levels of the policy in force, handed to newcomers.
  var levels: [PolicyLevel] = []
  /// Participants whom the policy in force put out.
  var removed: Set<ParticipantID> = []
  /// Roster records that are known, their keys, and the one that this participant speaks in.
  var book = RecordBook()
  var keys = KeyChain()
  var speaking = Speaking()
  var admission = Admission()
  var announcements = Announcements()
  /// Records of one author that are judged, and answers to one who asks for some.
  var recordPace = SecureChannel.recordPace
  var answerPace = SecureChannel.answerPace
  /// Time at which the content key came.
  var cameIn: HostTime = .min
  /// Since when the founding record is spoken in, and when readers who are gone were looked for.
  var freshness = Freshness()
  var senders: [ParticipantID: SenderState] = [:]
  package internal(set) var members: [ParticipantID: Member] = [:]
  /// Last presence of those who are not here now.
  var lastPresent: [ParticipantID: HostTime] = [:]
  /// Members that asked for the key over this link: they do not have it either.
  var askers: Set<ParticipantID> = []
  /// Askers that had no key at all: nothing can be learnt from them.
  var keyless: Set<ParticipantID> = []
  /// The session moved out of this room.
  var isRetired = false
  /// Set while this participant keeps the door of a retired room.
  var relocationKeeper: RelocationKeeper?
  var isLinked = false
  var linkLost: HostTime?
  /// `.secured` was reported for this link.
  var isSecured = false
  var search: WelcomeSearch?
  /// Open HELLOs over this link, by the member asked.
  var hellos: [ParticipantID: PendingHello] = [:]
  /// Limits HELLOs to members that could not be read.
  var helloBudget = HelloBudget()
  /// Signed relocation notice found at this hub; kept until present members were asked for the new keys.
  var relocationNotice: [PolicyLevel]?
  var sweep = Sweep()
  var unread = UnreadFrames()
  /// Of whom the host is told that they cannot be read.
  var unreadable = UnreadableMembers()
  var pendingStatements = PendingStatements()
  var assembly = SnapshotAssembly()
  var haveAssembly = HaveAssembly()
  /// Answers at a door that is kept, and to those who cannot be let in.
  var answersAtDoor = TokenBucket(rate: 10, burst: 10)
  var recordAnswers = TokenBucket(rate: 40, burst: 40)
  /// INTROs told to those who are welcomed: 1.5 KB each, of what this participant may send.
  var introductionsTold = TokenBucket(rate: 64, burst: 192)

  static let recordPace = ParticipantPace(rate: 16, burst: 64)
  static let answerPace = ParticipantPace(rate: 1, burst: 4)
  var verifications = VerificationBudget()

  /// Message to many that is being sealed.
  var sealing: PrivateSealing?
  /// Messages that wait until it is sealed.
  var sealingQueue: [PrivateSealing.Queued] = []

  var lane: Lane
  var orderedCounter: UInt64 = 0
  var unorderedCounter: UInt64 = 0
  var doorCounter: UInt64 = 0

  /// To the hub and back; how long answers of members may take.
  package var roundTrip = Nanoseconds.milliseconds(100)

  /// - Parameters:
  ///   - root: who made the session, by its invite.
  ///   - isCreator: draws the first content key, when it first enters a room.
  ///   - person: vouches for this participant as one device of a person.
  ///   - random: fresh bytes fit for keys.
  package init(
    door: Door, identity: Identity, root: ParticipantID, isCreator: Bool, person: PersonKey? = nil,
    random: @escaping (Int) -> [UInt8]
  ) {
    self.door = door
    self.identity = identity
    self.root = root
    self.isCreator = isCreator
    self.random = random
    introduction = Introduction(identity, session: door.scope.session, person: person)
    _ = introductions.add(introduction)
    lane = Lane(index: 0, random: 0)
  }

  var local: ParticipantID { identity.id }

  // MARK: The link

  /// Begins a new lane in a room with these others.
  ///
  /// - Parameter mergedWithOthers: they were together without us, and may be keys ahead.
  package mutating func entered(members others: [Member], mergedWithOthers: Bool = false, now: HostTime) -> [ChannelEffect] {
    beginLane()
    isLinked = true
    isSecured = false
    search = nil
    relocationNotice = nil
    hellos = [:]
    askers = []
    keyless = []
    members = [:]
    for other in others.lazy.filter({ [local] in $0.id != local }).prefix(WireLimits.members) { members[other.id] = other }
    // Who was away may have missed records, and what is said in one whose key the others erased is lost: a welcome brings what
    // was missed first.
    let mayBeBehind = mergedWithOthers || linkLost.map { now.subtracting($0) > Self.absence } ?? false
    linkLost = nil
    let splits = judgeUnreadable(now: now)
    if mayBeBehind { speaking.forgetAll() }
    if speaking.current == nil, isCreator { found(now: now) }
    // At a door that is kept there is nothing to learn, and nobody to learn it from.
    if isRetired || speaking.current != nil && (!mayBeBehind || members.isEmpty) { return splits + announce(now: now) }
    search = WelcomeSearch(now: now)
    return splits + ask(now: now)
  }

  /// Without a link for longer, somebody asks what it missed.
  static let absence = Nanoseconds.seconds(5)

  /// Draws a new lane.
  mutating func beginLane() {
    restartSealing()
    lane = Lane(index: lane.index &+ 1, random: random(8).reduce(0) { $0 << 8 | UInt64($1) })
    orderedCounter = 0
    unorderedCounter = 0
    doorCounter = 0
  }

  package mutating func presence(joined: [Member], gone: [Departure], now: HostTime) -> [ChannelEffect] {
    // Until now nobody kept silent.
    if !isSilentHere { search?.since = now }
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
      rememberPresence(of: departure.id, now: now)
      speaking.forget(departure.id)
      admission.forget(departure.id)
      unread.forget(departure.id)
      // Whose words can still be opened is remembered, so that they are not taken again.
      if !isReader(departure.id) { senders[departure.id] = nil }
      search?.forget(departure.id)
      if search?.asked == departure.id { search?.answerBy = now }
    }
    return tick(now: now)
  }

  package mutating func linkDown(now: HostTime) {
    isLinked = false
    sealing = nil
    sealingQueue = []
    linkLost = linkLost ?? now
    isSecured = false
    search = nil
    hellos = [:]
    unreadable.linkDown()
    for id in members.keys { rememberPresence(of: id, now: now) }
    members = [:]
  }

  /// Remembers when an introduced participant was here last: of as many as a session can have.
  private mutating func rememberPresence(of id: ParticipantID, now: HostTime) {
    lastPresent = lastPresent.filter { now.subtracting($0.value) <= RelocationKeeper.memory }
    if introductions[id] != nil { lastPresent[id] = now }
    guard lastPresent.count > WireLimits.participants else { return }
    let first = lastPresent.min { ($0.value, $0.key) < ($1.value, $1.key) }
    if let first { lastPresent[first.key] = nil }
  }

  /// Forgets participants who are not here, were not here lately, and said nothing that still counts. That bounds the memory,
  /// whatever ids anybody invents, and no newcomer is kept out by those who are gone. Call it at the end of a turn.
  ///
  /// - Parameter authors: those whose statements count, or are still to be judged.
  package mutating func forgetStrangers(authors: () -> Set<ParticipantID>, now: HostTime) {
    guard sweep.isDue(count: introductions.all.count + senders.count, now: now) else { return }
    lastPresent = lastPresent.filter { now.subtracting($0.value) <= RelocationKeeper.memory }
    let kept = authors().union(roster).union(lastPresent.keys).union(levels.map { $0.author })
      .union(assembly.authors).union(proofAuthors).union([local])
    introductions.retain(kept.contains)
    // What a reader said can be brought again as long as its key is there.
    senders = senders.filter { id, sender in members[id] != nil || isReader(id) || sender.isIgnored(at: now) }
    if senders.count > Introductions.limit {
      let gone = senders.keys.filter { members[$0] == nil && !isReader($0) }.sorted()
      for id in gone.prefix(senders.count - Introductions.limit) { senders[id] = nil }
    }
    askers.formIntersection(members.keys)
    keyless.formIntersection(members.keys)
    sweep.finished(remaining: introductions.all.count + senders.count, now: now)
  }

  /// Number of present participants who are let in, this one included.
  var population: Int { members.keys.count { isReader($0) } + 1 }

  /// Erases content keys, and keys that open them, whose time is over. All that a retired room needs from time to time.
  package mutating func eraseKeys(now: HostTime) {
    keys.erase(spoken: speaking.current, now: now)
    if hellos.values.contains(where: { $0.until <= now }) { hellos = hellos.filter { $0.value.until > now } }
  }

  /// Host time at which `eraseKeys` has something to do.
  package var nextErasure: HostTime? {
    (hellos.values.map { $0.until } + [keys.nextErasure].compactMap { $0 }).min()
  }

  package mutating func tick(now: HostTime) -> [ChannelEffect] {
    eraseKeys(now: now)
    guard isLinked else { return [] }
    var effects = continueSealing(now: now)
    if !isRetired, speaking.current != nil {
      effects += review(now: now)
      effects += admit(now: now)
      if admission.isRetryDue(now: now) { effects += readmit(now: now) }
      effects += announceAgain(now: now)
      effects += followUp(now: now)
      effects += askUnread(now: now)
    }
    effects += judgeUnreadable(now: now)
    if let search, now >= search.answerBy { effects += ask(now: now) }
    return effects
  }

  /// Of those who are here and cannot be read what the host is to know by now.
  private mutating func judgeUnreadable(now: HostTime) -> [ChannelEffect] {
    unreadable.judge(isPresent: { members[$0] != nil && !removed.contains($0) }, now: now).map { .split($0) }
  }

  /// Host time at which `tick` is due.
  package var nextWake: HostTime? {
    guard isLinked else { return nextErasure }
    var wakes = [search?.answerBy, nextErasure, sealing?.since]
    if !isRetired, speaking.current != nil {
      wakes += [speaking.reviewAt, isSecured ? admission.nextWake : nil, announcements.nextWake, nextFollowUp, nextUnread,
        unreadable.nextWake]
    }
    return wakes.compactMap { $0 }.min()
  }

  // MARK: Refusing

  /// Something that a participant signed, or that opened with the content key, is not as it has to be: it counts against it.
  mutating func refuse(_ sender: ParticipantID, _ reason: ChannelRefusal, now: HostTime) -> [ChannelEffect] {
    var effects = [ChannelEffect.refused(sender, reason)]
    // Of ids that only a header names nothing is remembered: they are endless.
    guard reason.isFault, members[sender] != nil || introductions[sender] != nil else { return effects }
    if senders[sender, default: SenderState()].countRefusal(at: now) {
      effects.append(.ignored(sender, reason, until: now.adding(SenderState.silence)))
      let length = UInt32(clamping: SenderState.silence / .milliseconds(1))
      effects += send(.ignoring(IgnoringMessage(reason: reason.number, length: length)), to: [sender], now: now)
    }
    return effects
  }

  /// Something is not as it has to be before anybody's signature was verified: a hub may have made it, and it counts against nobody.
  func drop(_ sender: ParticipantID, _ reason: ChannelRefusal) -> [ChannelEffect] { [.refused(sender, reason)] }

  /// Adds a proven introduction, and processes what waited for it.
  mutating func introduce(_ introduction: Introduction, by relay: ParticipantID, now: HostTime) -> [ChannelEffect] {
    switch introductions.add(introduction) {
    case .known: return []
    case .full:
      // Until the end of the turn, when those are forgotten who do not matter. Of invented ids nothing is said.
      guard members[introduction.id] != nil else { return [] }
      return [.log(.warning, "too many are known here; participant \(introduction.id) cannot be understood yet")]
    case .conflict:
      return [.log(.warning, "participant \(relay) showed another key of participant \(introduction.id)")]
        + refuse(relay, .introduction, now: now)
    case .added:
      var effects: [ChannelEffect] = []
      for pending in pendingStatements.removeAll(by: introduction.id) {
        if let statement = verified(pending.statement, by: introduction) {
          effects.append(.deliver(.update([statement]), from: pending.relay))
        }
      }
      return effects
    }
  }
}
