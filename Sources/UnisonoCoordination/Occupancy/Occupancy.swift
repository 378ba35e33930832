import UnisonoBase
import UnisonoReplica

/// Which items nobody is on, and since when (coordination 2.11).
struct Occupancy: Sendable {
  /// What it depends on whether items are occupied.
  private struct Inputs: Equatable, Sendable {
    var registers: UInt64
    var presence: UInt64
    var own: ItemID?
  }

  /// Group time at which we learned that the last one left an item.
  private(set) var vacatedAt: [ItemID: GroupTime] = [:]
  /// What `vacatedAt` was last derived from.
  private var inputs: Inputs?

  /// Records when the last one left an item. Returns nothing where nothing changed.
  mutating func update(registers: RegisterStore, presence: Presence, own: ItemID?, at time: GroupTime) {
    let inputs = Inputs(registers: registers.placesRevision, presence: presence.revision, own: own)
    guard inputs != self.inputs else { return }
    self.inputs = inputs
    let occupied = Self.occupied(registers: registers, presence: presence, own: own)
    for item in registers.statements.keys.compactMap({ $0.item }) {
      if occupied.contains(item) {
        vacatedAt[item] = nil
      } else if vacatedAt[item] == nil {
        vacatedAt[item] = time
      }
    }
  }

  /// What somebody who is here is on.
  static func occupied(registers: RegisterStore, presence: Presence, own: ItemID?) -> Set<ItemID> {
    var occupied = Set(presence.present.compactMap(registers.item))
    if let own { occupied.insert(own) }
    return occupied
  }

  mutating func forget(_ item: ItemID) { vacatedAt[item] = nil }
}

/// Forgetting items that nobody has any more (coordination 2.11).
struct Expiry: Sendable {
  /// What was forgotten, and its newest stamp then: it does not come back with somebody's older copy.
  private var forgotten: [ItemID: GroupTime] = [:]
  private var next: HostTime = .min
  /// What all items counted when they were looked through, or less since.
  private var weight = 0

  private static let interval: Nanoseconds = .seconds(30)
  static let capacity = 64
  /// Above so many nobody waits for the next turn of the interval.
  static let crowd = 256
  /// What the items of one author may count together.
  static let authorWeight = 262_144
  /// Items that came to count so much more are looked through at once.
  static let growth = 65_536
  /// Of the clocks of former hubs so many are kept, the last ones that were spoken of.
  static let clocks = 64
  /// Of what was forgotten the newest so many are remembered.
  private static let memory = 1_024

  /// Whether items are looked through now; they are looked through again an interval later, or when they are so many or weigh so much
  /// that it cannot wait.
  mutating func isDue(items: Int, weight: Int, now: HostTime) -> Bool {
    self.weight = min(self.weight, weight)
    guard now >= next || items > Self.crowd || weight > self.weight + Self.growth else { return false }
    next = now.adding(Self.interval)
    return true
  }

  /// They were looked through, and this is left.
  mutating func lookedThrough(weight: Int) { self.weight = weight }

  /// Group time up to which what is said of an item is of what was forgotten.
  func forgotten(_ item: ItemID) -> GroupTime? { forgotten[item] }

  mutating func remember(_ item: ItemID, newest: GroupTime) {
    forgotten[item] = newest
    guard forgotten.count > Self.memory,
      let oldest = forgotten.min(by: { ($0.value, $0.key) < ($1.value, $1.key) })
    else { return }
    forgotten[oldest.key] = nil
  }
}

extension Facts {
  /// Whether a statement is of an item that was forgotten since it was made.
  func isForgotten(_ statement: Statement) -> Bool {
    guard let item = statement.key.item, let newest = expiry.forgotten(item) else { return false }
    return statement.time <= newest
  }

  /// Whether a statement is of a clock that would be forgotten at once.
  func isCrowdedOut(_ statement: Statement) -> Bool {
    guard case .clock(let id) = statement.key, id != clock.hub, registers[statement.key] == nil else { return false }
    let kept = formerClocks
    return kept.count >= Expiry.clocks && kept.allSatisfy { wasSaid(statement, before: $0) }
  }

  /// Clocks of former hubs that are too many, and spoken of longest ago.
  var crowdedClocks: [RegisterKey] {
    let kept = formerClocks
    guard kept.count > Expiry.clocks else { return [] }
    return kept.sorted { wasSaid($1, before: $0) }.dropFirst(Expiry.clocks).map { $0.key }
  }

  /// Total, so that all keep the same ones: who lies signs many with one stamp.
  private func wasSaid(_ statement: Statement, before other: Statement) -> Bool {
    statement.said != other.said ? statement.said < other.said : Statement.precedes(statement, other)
  }

  private var formerClocks: [Statement] {
    registers.statements.values.filter { statement in
      if case .clock(let id) = statement.key { id != clock.hub } else { false }
    }
  }

  /// Whether digests are silent about an item: a little before anybody forgets it.
  func isFading(_ item: ItemID) -> Bool {
    occupancy.vacatedAt[item] != nil && isOlder(item, than: Law.digestSilence)
  }

  /// Items that are nobody's and old.
  var expiredItems: [ItemID] { unoccupiedItems.filter { isOlder($0, than: Law.collection) } }

  /// Items that are nobody's and too many: beyond the newest ones of all, or beyond what those of the author of their newest statement
  /// may count. Each is judged by what is newer than it, whatever became of that: so the same ones stay everywhere, in whatever order they
  /// came. What who was put out said last makes room first.
  var crowdedItems: [(item: ItemID, author: ParticipantID, isTooMuchOfOne: Bool)] {
    let occupied = occupiedItems
    var items: [(item: ItemID, newest: Statement, weight: Int)] = []
    for (item, statements) in registers.statementsByItem where !occupied.contains(item) {
      guard let newest = statements.max(by: { $0.stamp < $1.stamp }) else { continue }
      items.append((item, newest, statements.reduce(0) { $0 + $1.weight }))
    }
    items.sort { left, right in
      let (leftOut, rightOut) = (policies.isRemoved(left.newest.author), policies.isRemoved(right.newest.author))
      if leftOut != rightOut { return rightOut }
      return (left.newest.time, left.item) > (right.newest.time, right.item)
    }
    var weights: [ParticipantID: Int] = [:]
    var crowded: [(item: ItemID, author: ParticipantID, isTooMuchOfOne: Bool)] = []
    for (place, entry) in items.enumerated() {
      let author = entry.newest.author
      let weight = (weights[author] ?? 0) + entry.weight
      weights[author] = weight
      let isTooMuchOfOne = weight > Expiry.authorWeight
      if isTooMuchOfOne || place >= Expiry.capacity { crowded.append((entry.item, author, isTooMuchOfOne)) }
    }
    return crowded
  }

  /// What somebody who is here is on.
  var occupiedItems: Set<ItemID> {
    Occupancy.occupied(registers: registers, presence: presence, own: own.item)
  }

  private var unoccupiedItems: [ItemID] { occupancy.vacatedAt.keys.sorted() }

  private func isOlder(_ item: ItemID, than age: Nanoseconds) -> Bool {
    guard let left = occupancy.vacatedAt[item] else { return false }
    return groupNow.subtracting(max(left, newestStamp(of: item))) > age
  }

  func newestStamp(of item: ItemID) -> GroupTime {
    [RegisterKey.rate(item), .position(item), .continuation(item)].compactMap { registers[$0]?.time }.max() ?? .min
  }
}
