import UnisonoBase
import UnisonoReplica

/// The chat of a session: what is said, kept, and told to those who come later. Pure.
///
/// Whose words it gets is proven before: every entry is signed by its author. It judges how much somebody says, and when it says that
/// was.
package struct Chat: Sendable {
  /// What the chat has to know of the session, as it is now.
  package struct Surroundings: Sendable {
    /// The others who are there.
    package var present: Set<ParticipantID>
    /// Who can read, this one included; the most senior first.
    package var readers: [ParticipantID]
    /// nil: not known. With the error that the clock may have.
    package var groupTime: GroupTime?
    package var clockError: Nanoseconds

    package init(present: Set<ParticipantID>, readers: [ParticipantID], groupTime: GroupTime?, clockError: Nanoseconds) {
      self.present = present
      self.readers = readers
      self.groupTime = groupTime
      self.clockError = clockError
    }
  }

  package enum Effect: Equatable, Sendable {
    case send(ChatSaying, to: ParticipantID?)
    /// `isHistory`: it was said before, and told by another.
    case tell(ChatEntry, isHistory: Bool)
    case tellReaction(Reaction, by: ParticipantID)
    /// What this one says is dropped, as it is too much.
    case flooded(ParticipantID, until: HostTime)
    /// Something of this sender's was not taken: it is too much, or of the future.
    case dropped(ParticipantID)
  }

  private let local: ParticipantID
  private let sign: @Sendable (ChatEntry) -> SignedStatement
  private var log: ChatLog
  private var flood = ChatFlood()
  private var exchange = ChatExchange()
  /// Own words that wait until group time is known.
  private var unsaid: [ChatEntry] = []
  /// Others' words that wait for the same.
  private var unjudged: [ChatEntry] = []
  private var lastTime: GroupTime = .min
  private var isNewcomer = true
  private var isLookDue = false

  package init(
    local: ParticipantID, hash: @escaping @Sendable ([UInt8]) -> [UInt8],
    sign: @escaping @Sendable (ChatEntry) -> SignedStatement
  ) {
    self.local = local
    self.sign = sign
    log = ChatLog(hash: hash)
  }

  /// What is kept, in the order of the conversation.
  package var entries: [ChatEntry] { log.entries }

  package var nextWake: HostTime? { exchange.nextWake }

  /// Whether `settle` has something to do.
  package func isDue(now: HostTime) -> Bool {
    isLookDue || !unsaid.isEmpty || !unjudged.isEmpty || exchange.nextWake.map { $0 <= now } ?? false
  }

  // MARK: The own host

  /// `entry`: without a time, which it is given when it is said.
  package mutating func say(_ entry: ChatEntry) { unsaid.append(entry) }

  package func react(_ reaction: Reaction) -> [Effect] {
    [.send(.reaction(reaction), to: nil), .tellReaction(reaction, by: local)]
  }

  // MARK: The session

  /// This one is in a room of the session with others, anew.
  package mutating func entered(_ around: Surroundings, now: HostTime) {
    let place = isNewcomer ? 0 : around.readers.firstIndex(of: local) ?? 0
    isNewcomer = false
    exchange.begin(seniors(around), place: place, now: now)
    exchange.scheduleDigest(now: now)
    isLookDue = true
  }

  /// Others came or went.
  package mutating func presenceChanged(now: HostTime) { exchange.scheduleDigest(now: now) }

  package mutating func settle(_ around: Surroundings, now: HostTime) -> [Effect] {
    isLookDue = false
    var effects = sayWaiting(around, now: now)
    if exchange.claimDigest(now: now), !log.isEmpty, isMostSenior(around) {
      effects.append(.send(.digest(log.digest(of: Set(around.readers))), to: nil))
    }
    if around.groupTime == nil { exchange.postpone(now: now) }
    if let id = exchange.next(present: around.present, now: now) {
      effects.append(.send(.want(log.names(of: Set(around.readers))), to: id))
    }
    return effects
  }

  private mutating func sayWaiting(_ around: Surroundings, now: HostTime) -> [Effect] {
    guard let time = around.groupTime else { return [] }
    let waiting = unjudged
    unjudged = []
    var effects: [Effect] = []
    for entry in waiting { effects += hear(entry, around) }
    // Who asked meanwhile was answered without them, and who wrote them may be gone.
    if !waiting.isEmpty { compare(around, now: now) }
    for var entry in unsaid {
      lastTime = max(time, lastTime.adding(1))
      entry.time = lastTime
      entry.signed = sign(entry)
      _ = log.merge(entry)
      effects += [.send(.entry(entry), to: nil), .tell(entry, isHistory: false)]
    }
    unsaid = []
    return effects
  }

  /// What this one has is compared with what the most senior one has.
  private mutating func compare(_ around: Surroundings, now: HostTime) {
    guard !isMostSenior(around) else { return exchange.scheduleDigest(now: now) }
    guard let senior = seniors(around).first else { return }
    exchange.wantOf(senior, place: around.readers.firstIndex(of: local) ?? 0, now: now)
  }

  private func seniors(_ around: Surroundings) -> [ParticipantID] { around.readers.filter { around.present.contains($0) } }

  private func isMostSenior(_ around: Surroundings) -> Bool {
    around.readers.first { $0 == local || around.present.contains($0) } == local
  }

  // MARK: From others

  package mutating func receive(_ saying: ChatSaying, from sender: ParticipantID, _ around: Surroundings, now: HostTime)
    -> [Effect]
  {
    isLookDue = true
    switch saying {
    case .entry(let entry):
      if let refused = judge(sender, isReaction: false, now: now) { return refused }
      guard around.groupTime != nil else {
        // What has no room is asked for again.
        if unjudged.count < WireLimits.chatEntries { unjudged.append(entry) }
        return []
      }
      return hear(entry, around)
    case .reaction(let reaction):
      return judge(sender, isReaction: true, now: now) ?? [.tellReaction(reaction, by: sender)]
    case .digest(let digest):
      guard digest != log.digest(of: Set(around.readers)) else { return [] }
      exchange.wantOf(sender, place: around.readers.firstIndex(of: local) ?? 0, now: now)
      return []
    case .want(let names): return answer(names, to: sender, around, now: now)
    case .history(let entries):
      // One that comes too late is no fault of its teller.
      guard exchange.close(sender) else { return [] }
      return merge(entries, from: sender, around, now: now)
    }
  }

  private mutating func hear(_ entry: ChatEntry, _ around: Surroundings) -> [Effect] {
    guard !isAhead(entry, around) else { return [.dropped(entry.id.author)] }
    return log.merge(entry) ? [.tell(entry, isHistory: false)] : []
  }

  /// nil: it may be heard.
  private mutating func judge(_ sender: ParticipantID, isReaction: Bool, now: HostTime) -> [Effect]? {
    switch flood.judge(sender, isReaction: isReaction, now: now) {
    case .fine: nil
    case .tooMuch: [.dropped(sender)]
    case .tooMuchUntil(let until): [.dropped(sender), .flooded(sender, until: until)]
    }
  }

  private func isAhead(_ entry: ChatEntry, _ around: Surroundings) -> Bool {
    guard let now = around.groupTime else { return true }
    return entry.time > now.adding(around.clockError).adding(HybridClock.refusedLimit)
  }

  private mutating func answer(_ names: [ChatName], to asker: ParticipantID, _ around: Surroundings, now: HostTime) -> [Effect] {
    // In a crowd there are more who ask than get an answer; they ask another one, or by the next digest.
    guard exchange.mayAnswer(asker, present: around.present, now: now) else { return [] }
    if log.lacksAny(of: names) { exchange.wantOf(asker, place: 0, now: now) }
    return [.send(.history(log.entries(of: Set(around.readers), without: names)), to: asker)]
  }

  private mutating func merge(_ entries: [ChatEntry], from sender: ParticipantID, _ around: Surroundings, now: HostTime)
    -> [Effect]
  {
    var effects: [Effect] = []
    var added: [ChatEntry] = []
    for entry in entries {
      if isAhead(entry, around) { effects.append(.dropped(sender)) } else if log.merge(entry) { added.append(entry) }
    }
    if !added.isEmpty { exchange.scheduleDigest(now: now) }
    return added.sorted(by: ChatEntry.precedes).reduce(into: effects) { $0.append(.tell($1, isHistory: true)) }
  }
}
