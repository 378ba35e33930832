import UnisonoCore

/// When to look which of the other hubs for those who are missing (coordination 2.10).
///
/// Every 5 s for the first minute, then ever more seldom, at least once a minute.
struct HubWatch: Sendable {
  static let interval = Nanoseconds.seconds(5)
  static let longest = Nanoseconds.seconds(60)
  /// Looks at one address at the shortest interval.
  static let eager = 12
  /// How often a room of the same size must have stayed where it is before the other side moves after all.
  static let patience = 3

  private struct Entry {
    var next: HostTime
    var looks = 0
    var ties = 0
  }
  private var entries: [HubAddress: Entry] = [:]

  /// Somebody went just now: all are looked for again, after a moment, as it may be on its way.
  mutating func begin(now: HostTime, random: Double) {
    let soon = now.adding(Nanoseconds.milliseconds(500).scaled(by: 0.5 + random))
    for address in entries.keys { entries[address] = Entry(next: soon) }
    first = soon
  }
  private var first: HostTime = .min

  /// The address whose turn it is; nil: none yet.
  mutating func due(_ candidates: [HubCandidate], now: HostTime) -> HubCandidate? {
    let wanted = Set(candidates.map(\.address))
    entries = entries.filter { wanted.contains($0.key) }
    for candidate in candidates where entries[candidate.address] == nil {
      entries[candidate.address] = Entry(next: max(first, now))
    }
    let due = candidates.filter { (entries[$0.address]?.next ?? .max) <= now }
    return due.min { (entries[$0.address]?.next ?? .max) < (entries[$1.address]?.next ?? .max) }
  }

  /// When the next one is due, among those that `due` was asked about.
  var next: HostTime? { entries.values.map(\.next).min() }

  /// It was looked at. `isTie`: a room of our size is there, and its people should come to us.
  /// True: they had time enough; it is for us to go.
  mutating func noted(_ address: HubAddress, isTie: Bool, now: HostTime, random: Double) -> Bool {
    var entry = entries[address] ?? Entry(next: now)
    entry.looks += 1
    entry.ties = isTie ? entry.ties + 1 : 0
    let doublings = min(max(0, entry.looks - Self.eager), 4)
    let wait = min(Self.longest, Self.interval << doublings)
    entry.next = now.adding(wait.scaled(by: 0.8 + 0.4 * random))
    let isPatient = entry.ties < Self.patience
    if !isPatient { entry.ties = 0 }
    entries[address] = entry
    return !isPatient
  }

  /// May not begin before `time`.
  mutating func postpone(_ address: HubAddress, until time: HostTime) { entries[address]?.next = time }
}
