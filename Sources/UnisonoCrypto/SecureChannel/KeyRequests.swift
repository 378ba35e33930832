import UnisonoBase
import UnisonoReplica
import UnisonoWire

/// Whom this participant asks for the content key over a link, and who asks it: a search that goes from one member to the next, and single
/// questions to those who cannot be read (wire 5.5, 6.10).
struct KeyRequests {
  /// What the search wants done.
  enum Step {
    case nothing
    case ask(ParticipantID)
    /// Everybody was asked, and nobody let anybody in yet: after a pause it begins again.
    case everybodyAsked
    /// Those who are here kept silent for so long that there is nobody who could let anybody in.
    case nobodyAnswers
    /// Who only may be behind asked enough.
    case over
  }

  private var search: WelcomeSearch?
  /// Open HELLOs, by the member asked.
  private var hellos: [ParticipantID: PendingHello] = [:]
  /// Limits HELLOs to members that could not be read.
  private var budget = HelloBudget()
  /// Members that asked for the key over this link: they do not have it either.
  private var askers: Set<ParticipantID> = []
  /// Askers that had no key at all: nothing can be learnt from them.
  private var keyless: Set<ParticipantID> = []

  // MARK: The link

  mutating func linkUp() {
    search = nil
    hellos = [:]
    askers = []
    keyless = []
  }

  mutating func linkDown() {
    search = nil
    hellos = [:]
  }

  /// Nothing is asked any more; what was asked is not answered.
  mutating func giveUp() { linkDown() }

  /// Another room.
  mutating func relocate() {
    linkUp()
    budget = HelloBudget()
  }

  mutating func forget(_ id: ParticipantID, now: HostTime) {
    askers.remove(id)
    keyless.remove(id)
    search?.forget(id)
    if search?.asked == id { search?.expect(answerBy: now) }
  }

  /// Keeps those who are here.
  mutating func retainAskers(_ isHere: (ParticipantID) -> Bool) {
    askers = askers.filter(isHere)
    keyless = keyless.filter(isHere)
  }

  // MARK: Searching

  var isSearching: Bool { search != nil }

  /// Host time at which the search goes on.
  var nextStep: HostTime? { search?.answerBy }

  mutating func beginSearch(now: HostTime) { search = WelcomeSearch(now: now) }

  mutating func endSearch() { search = nil }

  /// An answer ends the search if it asked this member.
  mutating func endSearch(by member: ParticipantID) {
    if search?.asked == member || search?.tried.contains(member) == true { search = nil }
  }

  /// The search asked somebody over this link already.
  var hasTried: Bool { search.map { !$0.tried.isEmpty } ?? false }

  func isAsking(_ member: ParticipantID) -> Bool { search?.asked == member }

  /// Somebody is here, and none of them asks for the key.
  func isSilent(_ members: RoomMembers) -> Bool { !members.isEmpty && askers.isDisjoint(with: members.ids) }

  /// Until now nobody kept silent.
  mutating func restartSilence(now: HostTime) { search?.restartSilence(now: now) }

  /// The next member is asked at once.
  mutating func hurry(now: HostTime) { search?.expect(answerBy: now) }

  /// Somebody came: while nobody is left to be asked it may be the one who knows.
  mutating func hurryIfIdle(now: HostTime) { if search?.asked == nil { search?.expect(answerBy: now) } }

  /// The next member is asked after a pause.
  mutating func pause(now: HostTime) { search?.expect(answerBy: now.adding(WelcomeSearch.declined)) }

  /// Members in the order in which one without a key asks them: who said that it has none either last, as by itself it answers as soon as it
  /// has one.
  func lastKeyless(_ order: [ParticipantID]) -> [ParticipantID] {
    order.filter { !keyless.contains($0) } + order.filter { keyless.contains($0) }
  }

  func isKeyless(_ id: ParticipantID) -> Bool { keyless.contains(id) }

  /// Goes on to the next member of `order`. Where nobody has the key everybody waits: who was invited does not speak for the group.
  mutating func next(of order: [ParticipantID], hasKey: Bool, isSilent: Bool, roundTrip: Nanoseconds, now: HostTime) -> Step {
    guard var search else { return .nothing }
    // Who neither answers nor asks keeps a door that is shut.
    if !isSilent { search.restartSilence(now: now) }
    if !hasKey, search.isHopeless(among: order, now: now) {
      self.search = nil
      return .nobodyAnswers
    }
    guard let next = order.first(where: { !search.tried.contains($0) }) else {
      if hasKey {
        self.search = nil
        return .over
      }
      // Everybody was asked: from the beginning, as some may have been welcomed meanwhile.
      search.beginRound(now: now)
      self.search = search
      return .everybodyAsked
    }
    search.begin(with: next, until: now.adding(WelcomeSearch.patience).adding(roundTrip * 2))
    self.search = search
    return .ask(next)
  }

  // MARK: Questions

  /// The first time at which a member that cannot be read may be asked.
  func nextQuestion(to member: ParticipantID) -> HostTime { budget.next(member) }

  mutating func spendQuestion(to member: ParticipantID, now: HostTime) { budget.take(member, now: now) }

  /// A HELLO goes to a member.
  mutating func sent(_ hello: PendingHello, to member: ParticipantID) { hellos[member] = hello }

  var hasOpenHello: Bool { !hellos.isEmpty }

  /// What an answer of this member's is to.
  func hello(to member: ParticipantID) -> PendingHello? { hellos[member] }

  mutating func closeHello(to member: ParticipantID) { hellos[member] = nil }

  /// Forgets HELLOs whose time is over, and the keys that open answers to them.
  mutating func erase(now: HostTime) {
    if hellos.values.contains(where: { $0.until <= now }) { hellos = hellos.filter { $0.value.until > now } }
  }

  /// Host time at which `erase` has something to do.
  var nextErasure: HostTime? { hellos.values.lazy.map { $0.until }.min() }

  // MARK: Being asked

  /// A member asked for the key. `hasNone`: it has none at all.
  mutating func asked(by member: ParticipantID, hasNone: Bool) {
    askers.insert(member)
    if hasNone { keyless.insert(member) }
  }
}
