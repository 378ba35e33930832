import UnisonoBase

/// The playlist: what the registers of its entries make, in the order in which it is played.
///
/// The same for all who have the same registers. Of too many entries those stay that were added first, of too many removals the
/// latest: what else there is, is to be forgotten (`excess`).
package struct Playlist: Sendable {
  package struct Line: Equatable, Sendable {
    package var id: EntryID
    package var entry: PlaylistEntry

    package init(id: EntryID, entry: PlaylistEntry) {
      self.id = id
      self.entry = entry
    }
  }

  /// Entries that are on the list, and their weights together in bytes.
  package static let capacity = 1_000
  package static let weightLimit = 524_288
  /// Entries that were removed and are remembered, so that nobody brings them back.
  package static let removals = 512

  /// By place, then by identifier.
  package private(set) var lines: [Line] = []
  /// Of the entries on the list, by when they were added.
  private var ages: [Age] = []
  private var weight = 0
  /// Of those that were removed, by when they were.
  private var removed: [Age] = []
  /// Counts changes of what is on the list.
  package private(set) var revision: UInt64 = 0

  private struct Age: Comparable, Sendable {
    var time: GroupTime
    var id: EntryID
    static func < (left: Self, right: Self) -> Bool { (left.time, left.id) < (right.time, right.id) }
  }

  package init() {}

  /// Nothing is on it; that counts as a change.
  package func emptied() -> Self {
    var empty = Self()
    empty.revision = revision &+ 1
    return empty
  }

  // MARK: What is on it

  package var isFull: Bool { lines.count >= Self.capacity }

  /// Whether one more of this weight fits.
  package func hasRoom(for entry: PlaylistEntry) -> Bool { !isFull && weight + entry.weight <= Self.weightLimit }

  /// The first one that stands behind a place and identifier; nil: none does.
  package func first(after place: PlaylistPlace, _ id: EntryID) -> Line? {
    let index = lines.partitioningIndex { (place, id) < ($0.entry.place, $0.id) }
    return index < lines.count ? lines[index] : nil
  }

  /// Places of the two between which something goes that is to stand before an entry's place, or at the end (nil), leaving one
  /// entry out.
  package func neighbours(before target: (place: PlaylistPlace, id: EntryID)?, leavingOut id: EntryID) -> (
    left: PlaylistPlace?, right: PlaylistPlace?
  ) {
    let index = target.map { target in lines.partitioningIndex { (target.place, target.id) <= ($0.entry.place, $0.id) } } ?? lines.count
    let left = lines[..<index].last { $0.id != id }
    let right = lines[index...].first { $0.id != id }
    return (left?.entry.place, right?.entry.place)
  }

  // MARK: What is beyond it

  /// Entries beyond the limits, living or removed ones.
  package var excess: [EntryID] {
    var excess: [EntryID] = removed.count > Self.removals ? removed.dropLast(Self.removals).map { $0.id } : []
    guard ages.count > Self.capacity || weight > Self.weightLimit else { return excess }
    let weights = Dictionary(uniqueKeysWithValues: lines.map { ($0.id, $0.entry.weight) })
    var (count, rest) = (ages.count, weight)
    while count > Self.capacity || rest > Self.weightLimit {
      count -= 1
      rest -= weights[ages[count].id] ?? 0
      excess.append(ages[count].id)
    }
    return excess
  }

  // MARK: Changes

  /// The register of an entry is another.
  mutating func replace(_ id: EntryID, _ old: Statement?, by new: Statement?) {
    let before = Self.entry(of: old)
    let after = Self.entry(of: new)
    if before != after, before?.isRemoved == false || after?.isRemoved == false { revision &+= 1 }
    if let before, let old { remove(before, id, said: old.said.time) }
    if let after, let new { insert(after, id, said: new.said.time) }
  }

  private static func entry(of statement: Statement?) -> PlaylistEntry? {
    guard case .playlistEntry(let entry)? = statement?.value else { return nil }
    return entry
  }

  private mutating func insert(_ entry: PlaylistEntry, _ id: EntryID, said: GroupTime) {
    if entry.isRemoved {
      let age = Age(time: said, id: id)
      return removed.insert(age, at: removed.partitioningIndex { age <= $0 })
    }
    let age = Age(time: entry.added, id: id)
    ages.insert(age, at: ages.partitioningIndex { age <= $0 })
    weight += entry.weight
    lines.insert(
      Line(id: id, entry: entry), at: lines.partitioningIndex { (entry.place, id) <= ($0.entry.place, $0.id) })
  }

  private mutating func remove(_ entry: PlaylistEntry, _ id: EntryID, said: GroupTime) {
    if entry.isRemoved {
      let age = Age(time: said, id: id)
      let index = removed.partitioningIndex { age <= $0 }
      if index < removed.count, removed[index] == age { removed.remove(at: index) }
      return
    }
    let age = Age(time: entry.added, id: id)
    let index = ages.partitioningIndex { age <= $0 }
    if index < ages.count, ages[index] == age { ages.remove(at: index) }
    weight -= entry.weight
    let line = lines.partitioningIndex { (entry.place, id) <= ($0.entry.place, $0.id) }
    if line < lines.count, lines[line].id == id { lines.remove(at: line) }
  }
}
