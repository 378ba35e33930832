import UnisonoBase
import UnisonoReplica

/// Schedule of peeks at other hubs, where the other half of a group that fell in two may be: when to look at which, to see who
/// is in the room there (coordination 2.10).
///
/// Each hub is looked at once in every `pace`, through one of its addresses as soon as that is known to work. Where few may be dialled
/// the hubs of those who are here, or were a moment ago, come first, each by its first address: after an evening of coming and going
/// most of what is known is long gone. What waits for long has its turn all the same. Where nothing listens any more the process is gone
/// for good, unless it is the invite's.
struct PartitionProbe: Sendable {
  /// Between two peeks at an address of a member's where nothing listened.
  static let resting = Nanoseconds.seconds(30)
  /// Between two peeks at the hub in this process at most: it asks nothing of anybody.
  static let own = Nanoseconds.seconds(1)

  static let greatestDelay = Nanoseconds.seconds(2)
  /// So long after its keeper was here a hub comes before those of others; and so long what comes after waits at most for its turn.
  static let recently = Nanoseconds.seconds(20)
  static let longest = Nanoseconds.seconds(8)

  private struct Entry {
    var next: HostTime
    /// Time at which it was due for the first time, if it had to wait since.
    var due: HostTime
    /// Nothing listened there: until then it is not looked at, whoever may be on the way.
    var restsUntil: HostTime
    var isUnderWay = false

    init(at time: HostTime, isResting: Bool = false) {
      next = time
      due = time
      restsUntil = isResting ? time : .min
    }
  }
  private var entries: [HubAddress: Entry] = [:]
  /// Through which address a process answered last.
  private var reached: [HubAddress: HubAddress] = [:]
  private var targets: [HubCandidate] = []
  /// The first address of each hub.
  private var foremost: Set<HubAddress> = []
  /// Before this none begins.
  private var first: HostTime = .min
  /// Since when looks are put off without one between; nil: they are not.
  private var putOff: HostTime?

  /// Looks at these from now on. Those that are new are due at once. Of those that are due together the hub of who was here
  /// last comes first.
  mutating func aim(at all: [HubCandidate], now: HostTime) {
    var addresses: [HubAddress: Int] = [:]
    let ranked = all.enumerated().map { place, candidate in
      let rank = addresses[candidate.process, default: 0]
      addresses[candidate.process] = rank + 1
      return (rank: rank, place: place, candidate: candidate)
    }
    let targets = ranked.sorted {
      ($0.rank, $1.candidate.lastSeen, $0.place) < ($1.rank, $0.candidate.lastSeen, $1.place)
    }.map { $0.candidate }
    guard targets != self.targets else { return }
    self.targets = targets
    foremost = Set(ranked.lazy.filter { $0.rank == 0 }.map { $0.candidate.address })
    let wanted = Set(targets.map { $0.address })
    entries = entries.filter { wanted.contains($0.key) }
    reached = reached.filter { wanted.contains($0.value) }
    for address in wanted where entries[address] == nil { entries[address] = Entry(at: now) }
  }

  /// Somebody may be on its way: all are looked at again at `time`, and none before. Those that wait already keep their turn: where
  /// few may be dialled this comes more often than all of them are looked at. Where people come and go all the time it is put off for
  /// `greatestDelay` at most.
  mutating func begin(at time: HostTime, now: HostTime) {
    let since = putOff ?? now
    putOff = since
    let time = min(time, max(now, since.adding(Self.greatestDelay)))
    first = time
    for (address, entry) in entries where !entry.isUnderWay {
      entries[address]?.next = max(time, entry.restsUntil)
      entries[address]?.due = min(entry.due, max(time, entry.restsUntil))
    }
  }

  /// Hubs whose turn it is: the likely ones first, and of them who waits for the longest.
  func due(now: HostTime) -> [HubCandidate] {
    guard now >= first else { return [] }
    let due: [(candidate: HubCandidate, tier: Int, since: HostTime)] = targets.compactMap { candidate in
      guard let entry = entries[candidate.address], !entry.isUnderWay, entry.next <= now, isWorthwhile(candidate)
      else { return nil }
      let isFirst = foremost.contains(candidate.address) || reached[candidate.process] == candidate.address
      let isLikely = isFirst && candidate.lastSeen > now.subtracting(Self.recently)
      return (candidate, isLikely || entry.due <= now.subtracting(Self.longest) ? 0 : 1, entry.due)
    }
    return due.sorted { ($0.tier, $0.since) < ($1.tier, $1.since) }.map { $0.candidate }
  }

  /// Time at which the next one is due; nil: none, or all are under way.
  var next: HostTime? {
    targets.compactMap { candidate in
      guard let entry = entries[candidate.address], !entry.isUnderWay, isWorthwhile(candidate) else { return nil }
      return max(first, entry.next)
    }.min()
  }

  /// A hub that answers at one address need not be asked at its others.
  private func isWorthwhile(_ candidate: HubCandidate) -> Bool {
    guard let working = reached[candidate.process] else { return true }
    return working == candidate.address
  }

  mutating func began(_ address: HubAddress) {
    entries[address]?.isUnderWay = true
    putOff = nil
  }

  /// Again at `time` at the latest.
  mutating func hasten(_ address: HubAddress, by time: HostTime) {
    guard let entry = entries[address], !entry.isUnderWay, entry.next > time else { return }
    entries[address]?.next = time
    entries[address]?.due = min(entry.due, time)
  }

  /// May not begin before `time`.
  mutating func postpone(_ address: HubAddress, until time: HostTime) { entries[address]?.next = time }

  /// A peek ended. `pace`: until the next one, ns; `random` is even in 0..<1.
  mutating func ended(
    _ candidate: HubCandidate, answered: Bool, isGone: Bool, pace: Nanoseconds, now: HostTime, random: Double
  ) {
    let rests = isGone && candidate.isListed
    let wait = rests ? max(pace, Self.resting) : candidate.isOwn ? min(pace, Self.own) : pace
    entries[candidate.address] = Entry(at: now.adding(wait.scaled(by: 0.8 + 0.4 * random)), isResting: rests)
    if answered {
      reached[candidate.process] = candidate.address
    } else if reached[candidate.process] == candidate.address {
      reached[candidate.process] = nil
    }
  }
}
