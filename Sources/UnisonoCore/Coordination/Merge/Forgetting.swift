/// Forgetting items that nobody has any more (coordination 2.11).
struct Forgetting: Sendable {
  /// What was forgotten, and its newest stamp then: it does not come back with somebody's older copy.
  var forgotten: [ItemID: GroupTime] = [:]
  var next: HostTime = .min

  static let interval: Nanoseconds = .seconds(30)
  static let capacity = 64
  /// Above so many nobody waits for the next turn of the interval.
  static let crowd = 256
  /// Of the clocks of former hubs so many are kept, the last ones that were spoken of.
  static let clocks = 64
  /// Of what was forgotten the newest so many are remembered.
  static let memory = 1_024
}

extension Coordination {
  /// Forgets items that are nobody's, and old; and the oldest of too many.
  mutating func collect() {
    guard now >= forgetting.next || lastOn.count > Forgetting.crowd, clock.isKnown else { return }
    forgetting.next = now.adding(Forgetting.interval)
    for item in unoccupiedItems where isOlder(item, than: Parameters.collection) { forget(item) }
    let rest = unoccupiedItems.sorted { (newestStamp(of: $0), $0) > (newestStamp(of: $1), $1) }
    for item in rest.dropFirst(Forgetting.capacity) { forget(item) }
  }

  /// Whether a statement is of an item that was forgotten since it was made.
  func isForgotten(_ statement: Statement) -> Bool {
    guard let item = statement.key.item, let newest = forgetting.forgotten[item] else { return false }
    return statement.time <= newest
  }

  /// Whether a statement is of a clock that would be forgotten at once.
  func isCrowdedOut(_ statement: Statement) -> Bool {
    guard case .clock(let id) = statement.key, id != clock.hub, registers[statement.key] == nil else { return false }
    let kept = formerClocks
    return kept.count >= Forgetting.clocks && kept.allSatisfy { statement.said < $0.said }
  }

  mutating func forgetOldClocks() {
    let kept = formerClocks
    guard kept.count > Forgetting.clocks else { return }
    let old = kept.sorted { $0.said > $1.said }.dropFirst(Forgetting.clocks)
    for statement in old { registers.remove(statement.key) }
  }

  private var formerClocks: [Statement] {
    registers.statements.values.filter { statement in
      if case .clock(let id) = statement.key { id != clock.hub } else { false }
    }
  }

  /// Lets go of all that is kept of one participant by its id. What it said of the group stays.
  mutating func forget(_ id: ParticipantID) {
    presence.remove(id)
    registers.remove(.participant(id))
    heartbeat.forget(id)
    holds.forget(id)
    policyState.wishes[id] = nil
    // What an owner decided holds for who finds its link again, as long as there is room.
    if policyState.decided.count > PolicyTerms.roleLimit { policyState.decided.remove(id) }
  }

  /// Authors of all that counts, or that is still to be judged: who passes it on shows their introductions.
  public var authors: Set<ParticipantID> {
    var authors = Set(registers.statements.values.lazy.map(\.author))
    authors.formUnion(held.authors)
    authors.formUnion(policyState.citations.entries.lazy.map(\.statement.author))
    authors.formUnion(apart.inbox.lazy.flatMap(\.statements).map(\.author))
    authors.formUnion(apart.copy.values.lazy.map(\.author))
    authors.formUnion(policies.levels.lazy.map(\.author))
    authors.formUnion(policyState.future.lazy.map(\.level.author))
    authors.formUnion(policyState.doubted.entries.values.lazy.flatMap(\.stack.levels).map(\.author))
    return authors
  }

  /// Whether digests are silent about an item: a little before anybody forgets it.
  func isFading(_ item: ItemID) -> Bool {
    lastOn[item] != nil && isOlder(item, than: Parameters.digestSilence)
  }

  private var unoccupiedItems: [ItemID] { lastOn.keys.sorted() }

  private func isOlder(_ item: ItemID, than age: Nanoseconds) -> Bool {
    guard let left = lastOn[item] else { return false }
    return groupNow.subtracting(max(left, newestStamp(of: item))) > age
  }

  private func newestStamp(of item: ItemID) -> GroupTime {
    [RegisterKey.rate(item), .position(item), .continuation(item)].compactMap { registers[$0]?.time }.max() ?? .min
  }

  private mutating func forget(_ item: ItemID) {
    forgetting.forgotten[item] = newestStamp(of: item)
    if forgetting.forgotten.count > Forgetting.memory,
      let oldest = forgetting.forgotten.min(by: { ($0.value, $0.key) < ($1.value, $1.key) })
    {
      forgetting.forgotten[oldest.key] = nil
    }
    lastOn[item] = nil
    for key in [RegisterKey.rate(item), .position(item), .continuation(item)] { registers.remove(key) }
  }
}
