import UnisonoBase
import UnisonoWire

/// Roster records of a room that are known and valid, with the roster of each (wire 6.3). Signatures are checked before; keys
/// are no concern of this.
struct RecordBook: Sendable {
  /// Records kept, and bytes of records and rosters.
  static let most = 1_024
  static let bytes = 1_048_576

  struct Entry: Sendable {
    let record: RosterRecord
    /// Who can read what is said under it, by seniority as far as it says.
    let roster: [ParticipantID]
    let founding: RecordID
    fileprivate let arrival: UInt64
    fileprivate let size: Int
  }

  /// Where somebody was let in: what seniority goes by.
  struct Place: Comparable, Sendable {
    let number: UInt32
    let index: Int
    let record: RosterRecord

    static func < (left: Self, right: Self) -> Bool {
      (left.number, left.index, left.record.id) < (right.number, right.index, right.record.id)
    }
  }

  enum Outcome: Equatable {
    case added
    case known
    /// What it follows is not known.
    case orphan
    /// No valid record says so.
    case refused
  }

  private var entries: [RecordID: Entry] = [:]
  private var epochs: [EpochID: RecordID] = [:]
  /// By founding record: by which records each came in, the first one first; who was on branches that met came in by several.
  private var places: [RecordID: [ParticipantID: [Place]]] = [:]
  private static let placesOfOne = 4
  /// Participants of whom places under one founding record are kept: in all, and of those whom one author let in. What one makes up leaves
  /// places for a whole roster of others.
  private static let mostPlaced = 2 * WireLimits.roster
  private static let mostPlacedByOne = WireLimits.roster
  private var arrivals: UInt64 = 0
  private var size = 0

  subscript(id: RecordID) -> Entry? { entries[id] }

  func record(of epoch: EpochID) -> RecordID? { epochs[epoch] }

  var ids: some Collection<RecordID> { entries.keys }

  // MARK: Adding

  /// Adds a founding record; whether its author may found is the caller's to know.
  mutating func add(founding record: RosterRecord) -> Outcome {
    guard entries[record.id] == nil else { return .known }
    guard record.body.kind != .step, RosterRecord.rosterHash(record.body.admitted) == record.body.rosterHash,
      record.body.admitted.contains(record.author)
    else { return .refused }
    insert(record, roster: record.body.admitted, founding: record.id)
    return .added
  }

  /// Adds a step whose parent is known. `isRemoved`: the policy put somebody out.
  mutating func add(step record: RosterRecord, isRemoved: (ParticipantID) -> Bool) -> Outcome {
    guard entries[record.id] == nil else { return .known }
    guard record.body.kind == .step, let parentID = record.body.parent else { return .refused }
    guard let parent = entries[parentID] else { return .orphan }
    guard epochs[record.epoch] == nil, record.number == parent.record.number &+ 1, record.number > 0,
      parent.roster.contains(record.author),
      record.body.admitted.allSatisfy({ !parent.roster.contains($0) && !isRemoved($0) })
    else { return .refused }
    let roster = parent.roster + record.body.admitted
    guard roster.count <= WireLimits.roster, RosterRecord.rosterHash(roster) == record.body.rosterHash else { return .refused }
    insert(record, roster: roster, founding: parent.founding)
    return .added
  }

  /// Adds a record as a welcome proved it: what it follows need not be known.
  mutating func add(_ proven: ProvenRecord) {
    _ = add(founding: proven.founding)
    note(proven)
    guard entries[proven.record.id] == nil else { return }
    insert(proven.record, roster: proven.roster, founding: proven.founding.id)
  }

  /// Remembers by which records those named in a proof came in.
  mutating func note(_ proven: ProvenRecord) {
    let founding = proven.founding
    for (index, id) in founding.body.admitted.enumerated() {
      note(id, Place(number: 0, index: index, record: founding), founding: founding.id)
    }
    for step in proven.steps {
      for (index, id) in step.body.admitted.enumerated() {
        note(id, Place(number: step.number, index: index, record: step), founding: founding.id)
      }
    }
  }

  private mutating func insert(_ record: RosterRecord, roster: [ParticipantID], founding: RecordID) {
    arrivals += 1
    // Rosters share their memory where nobody was added.
    let entry = Entry(
      record: record, roster: roster, founding: founding, arrival: arrivals,
      size: record.bytes.count + (record.body.admitted.isEmpty ? 0 : 16 * roster.count))
    entries[record.id] = entry
    epochs[record.epoch] = record.id
    size += entry.size
    for (index, id) in record.body.admitted.enumerated() {
      note(id, Place(number: record.number, index: index, record: record), founding: founding)
    }
  }

  /// The first place counts, so that nobody becomes senior by being let in again; of those alike to all, the same.
  private mutating func note(_ id: ParticipantID, _ place: Place, founding: RecordID) {
    let known = places[founding]?[id] ?? []
    guard !known.contains(where: { $0.record.id == place.record.id }),
      !known.isEmpty || hasPlace(by: place.record.author, founding: founding)
    else { return }
    places[founding, default: [:]][id] = Array((known + [place]).sorted().prefix(Self.placesOfOne))
  }

  private func hasPlace(by author: ParticipantID, founding: RecordID) -> Bool {
    guard let placed = places[founding], placed.count >= Self.mostPlacedByOne else { return true }
    return placed.count < Self.mostPlaced
      && placed.values.count { $0.first?.record.author == author } < Self.mostPlacedByOne
  }

  /// Forgets a record whose commitment turned out false.
  mutating func remove(_ id: RecordID) {
    guard let entry = entries.removeValue(forKey: id) else { return }
    size -= entry.size
    epochs[entry.record.epoch] = nil
    for admitted in entry.record.body.admitted {
      let others = places[entry.founding]?[admitted]?.filter { $0.record.id != id } ?? []
      places[entry.founding]?[admitted] = others.isEmpty ? nil : others
    }
  }

  /// Lets records go until they are within their limits: those before the one that is built on, and then the oldest. Never those of
  /// `kept`, and no founding record of one of those.
  mutating func prune(base: RecordID, kept: Set<RecordID>) {
    guard entries.count > Self.most || size > Self.bytes else { return }
    let floor = entries[base]?.record.number ?? 0
    let foundings = Set(kept.compactMap { entries[$0]?.founding })
    let order = entries.values.filter { !kept.contains($0.record.id) && !foundings.contains($0.record.id) }
      .sorted { ($0.record.number < floor ? 0 : 1, $0.arrival) < ($1.record.number < floor ? 0 : 1, $1.arrival) }
    for entry in order {
      guard entries.count > Self.most * 7 / 8 || size > Self.bytes * 7 / 8 else { break }
      entries[entry.record.id] = nil
      epochs[entry.record.epoch] = nil
      size -= entry.size
    }
    prunePlaces(kept: kept)
  }

  /// Nothing is known any more of former beginnings, and of who came in by records that are gone: but for those on a roster of `kept`,
  /// whose way in somebody may have to show.
  private mutating func prunePlaces(kept: Set<RecordID>) {
    let readers = kept.reduce(into: Set<ParticipantID>()) { $0.formUnion(entries[$1]?.roster ?? []) }
    for (founding, placed) in places {
      guard entries[founding] != nil else {
        places[founding] = nil
        continue
      }
      var left: [ParticipantID: [Place]] = [:]
      for (id, ways) in placed {
        let known = readers.contains(id) ? ways : ways.filter { entries[$0.record.id] != nil }
        if !known.isEmpty { left[id] = known }
      }
      places[founding] = left
    }
  }

  // MARK: Relations

  /// Whether `id` follows from `base`, or is it.
  func follows(_ id: RecordID, from base: RecordID) -> Bool {
    guard let floor = entries[base]?.record.number else { return id == base }
    var at = id
    while let entry = entries[at], entry.record.number >= floor {
      if at == base { return true }
      guard let parent = entry.record.body.parent else { return false }
      at = parent
    }
    return false
  }

  /// Whether these authors alone made all records after `base` up to `id`, which follows from it.
  func isOf(_ authors: Set<ParticipantID>, to id: RecordID, from base: RecordID) -> Bool {
    var at = id
    while at != base {
      guard let record = entries[at]?.record, authors.contains(record.author), let parent = record.body.parent else { return false }
      at = parent
    }
    return true
  }

  /// The records after `base` up to `id`, in order; nil: it does not follow, or there are more than `most`.
  func path(from base: RecordID, to id: RecordID, atMost most: Int) -> [RosterRecord]? {
    var path: [RosterRecord] = []
    var at = id
    while at != base {
      guard path.count < most, let entry = entries[at], let parent = entry.record.body.parent else { return nil }
      path.append(entry.record)
      at = parent
    }
    return path.reversed()
  }

  /// The records up to `id` after the last one that is before both it and `known`, in order; nil: there are more than `most`.
  func path(to id: RecordID, forWhoKnows known: RecordID, atMost most: Int) -> [RosterRecord]? {
    var before: Set<RecordID> = []
    var at: RecordID? = known
    while let id = at, let entry = entries[id] {
      before.insert(id)
      at = entry.record.body.parent
    }
    var path: [RosterRecord] = []
    var next = id
    while !before.contains(next) {
      guard path.count < most, let entry = entries[next], let parent = entry.record.body.parent else { return nil }
      path.append(entry.record)
      next = parent
    }
    return path.reversed()
  }

  // MARK: Membership

  func place(of id: ParticipantID, founding: RecordID) -> Place? { places[founding]?[id]?.first }

  /// The records by which some came in, from the founding record's roster on, by number; nil: it takes too many, or one is not
  /// known.
  func proof(of ids: [ParticipantID], founding: RecordID) -> [RosterRecord]? {
    guard entries[founding] != nil else { return nil }
    var steps: [RecordID: RosterRecord] = [:]
    for id in ids {
      guard let way = way(of: id, founding: founding) else { return nil }
      for record in way { steps[record.id] = record }
    }
    return steps.values.sorted { ($0.number, $0.id) < ($1.number, $1.id) }
  }

  /// A shortest way from the founding record's roster: the record by which somebody came in, that by which its author did, and so on.
  private func way(of id: ParticipantID, founding: RecordID) -> [RosterRecord]? {
    var ways: [(id: ParticipantID, records: [RosterRecord])] = [(id, [])]
    var seen: Set<ParticipantID> = [id]
    var next = 0
    while next < ways.count {
      let (id, records) = ways[next]
      next += 1
      for place in places[founding]?[id] ?? [] {
        guard place.number > 0 else { return records }
        // An author came in before.
        guard records.count < WireLimits.proof, records.last.map({ place.number < $0.number }) ?? true,
          seen.insert(place.record.author).inserted
        else { continue }
        ways.append((place.record.author, records + [place.record]))
      }
    }
    return nil
  }
}
